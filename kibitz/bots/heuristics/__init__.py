"""What bots know about each game: one module a game, of that game's name."""
