"""The games as PettingZoo, Gymnasium and OpenSpiel know games. See docs/environments.md.

These modules translate names and shapes; they know no rules. Each needs the extra of its name.
"""
