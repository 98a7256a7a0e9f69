"""MATCH!: get rid of your hand on the discard pile, but score with what you put aside."""

from kibitz.core.game import Game
from kibitz.core.soundness import not_in_deck
from kibitz.games.match import rules, text
from kibitz.games.match.figures import figures
from kibitz.games.match.tallies import TALLIES

GAME = Game(
    name="match",
    title="MATCH!",
    players=range(2, 7),
    best_with=4,
    minutes=20,
    rules_version=1,
    rules=rules,
    text=text,
    package=__name__,
    figures=figures,
    tallies=TALLIES,
    known={"outside": not_in_deck(rules.COPIES_OF)},
)
