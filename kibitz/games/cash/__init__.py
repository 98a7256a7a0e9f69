"""CASH: table your cash, insure it, trade for more, and stop the round when it suits you."""

from kibitz.core.game import Game
from kibitz.core.soundness import anything, in_hands, not_in_deck
from kibitz.core.versions import Version
from kibitz.games.cash import box, rules, text, wishes
from kibitz.games.cash.figures import figures
from kibitz.games.cash.sheets import score_game
from kibitz.games.cash.tallies import TALLIES

GAME = Game(
    name="cash",
    title="CASH",
    players=range(2, 9),
    best_with=4,
    minutes=60,
    rules_version=2,
    rules=rules,
    text=text,
    package=__name__,
    calculator=score_game,
    figures=figures,
    tallies=TALLIES,
    answers=("answer", "passing"),
    known={"known": in_hands, "outside": not_in_deck(box.COPIES), "asked": anything, "favours": anything},
    wishes=wishes,
    versions=(
        Version(
            number=2,
            options={
                "spare": False,
                "firm_trades": "licensed",
                "offers": 5,
                "counter": False,
                "tie": "target",
            },
            keys={"taking": None, "spared": [], "tied": False},
            inner={"offer": {"counter": False}},
        ),
    ),
)
