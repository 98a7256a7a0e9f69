"""The numbers that the templates in `search` are compiled with, as types: how a game tunes the search.

What they mean is told at `Heuristics`.
"""

WHOLE_GAMES: bool  # whether each game is played to its end
EXPLORATION: float
BOLDNESS: float
HORIZON: int
LAPS: int
PLAYS_ON_BOLDLY: float
PLAYS_ON_BY_RATE: bool
TRUST: float
WIDTH: int
