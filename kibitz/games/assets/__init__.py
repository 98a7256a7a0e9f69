"""Cover Your Assets: collect sets, cover them with new ones, steal what lies on top."""

from kibitz.core.game import Game
from kibitz.core.tallies import rounds, steals
from kibitz.games.assets import rules, text
from kibitz.games.assets.figures import figures

GAME = Game(
    name="assets",
    title="Cover Your Assets",
    players=range(2, 7),
    best_with=4,
    minutes=30,
    rules_version=1,
    rules=rules,
    text=text,
    package=__name__,
    figures=figures,
    tallies={"rounds": rounds, "steals": steals},
    answers=("duel",),
)
