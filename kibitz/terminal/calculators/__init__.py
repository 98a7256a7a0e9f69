"""Score calculators for games with real cards: one module a game, of that game's name."""
