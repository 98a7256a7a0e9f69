"""How the terminal draws each game: one module a game, of that game's name."""
