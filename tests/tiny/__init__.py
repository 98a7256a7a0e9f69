"""A tiny game with hidden cards, to test what all games share, and as the shortest example of a game.

Twelve cards, 1 to 6 twice; two in each hand. A turn lays a card open on the own pile, or hides one (once a
game, it counts double); then draws. When all hands are empty the highest sum wins.
"""

from kibitz.core.game import Game
from kibitz.core.tallies import rounds
from tests.tiny import rules, text, wishes
from tests.tiny.figures import figures

GAME = Game(
    name="tiny",
    title="Tiny",
    players=range(2, 4),
    minutes=1,
    rules_version=1,
    rules=rules,
    text=text,
    package=__name__,
    figures=figures,
    tallies={"rounds": rounds},
    wishes=wishes,
)
