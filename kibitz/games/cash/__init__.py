"""CASH: table your cash, insure it, trade for more, and stop the round when it suits you."""

from kibitz.core.game import Game
from kibitz.games.cash import rules, text
from kibitz.games.cash.scoring import score_game

GAME = Game(
    name="cash",
    title="CASH",
    players=range(2, 9),
    minutes=60,
    rules_version=1,
    rules=rules,
    text=text,
    package=__name__,
    calculator=score_game,
)
