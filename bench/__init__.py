"""How fast Kibitz is, beside OpenSpiel and boardgame.io: `python -m bench`.

A measurement is a file here with a function `measure(rounds, progress)` that returns a `Measurement` or a
tuple of them, and its name in `bench.__main__.NAMES`. Table, chart and JSON follow from what it returns.
"""
