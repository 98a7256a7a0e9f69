"""Kazink!: stack chips into crowns by the suits of your cards, and line the crowns up in rows."""

from kibitz.core.game import Game
from kibitz.core.soundness import not_in_deck
from kibitz.core.versions import Version
from kibitz.games.kazink import rules, text
from kibitz.games.kazink.figures import figures
from kibitz.games.kazink.tallies import TALLIES

GAME = Game(
    name="kazink",
    title="Kazink!",
    players=range(2, 5),
    minutes=45,
    rules_version=2,
    rules=rules,
    text=text,
    package=__name__,
    figures=figures,
    tallies=TALLIES,
    steps=("U", "shift", "stay"),
    known={"outside": not_in_deck(rules.COPIES_OF)},
    team_players=rules.SEATS,
    versions=(Version(number=2, options={"pool": "shared"}, keys={"seat_chips": None}),),
)
