"""Bots: players for any game, each game's heuristics, and the arena."""
