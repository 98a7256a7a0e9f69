"""Ka-Ching!: buy stock cards, sell pairs for the product of their values."""

from kibitz.core.game import Game
from kibitz.games.kaching import rules, text
from kibitz.games.kaching.figures import figures
from kibitz.games.kaching.tallies import TALLIES

GAME = Game(
    name="kaching",
    title="Ka-Ching!",
    players=range(2, 3),
    minutes=15,
    rules_version=1,
    rules=rules,
    text=text,
    package=__name__,
    figures=figures,
    tallies=TALLIES,
)
