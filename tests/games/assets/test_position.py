"""Positions and moves as text and JSON: what only this game has."""

import pytest

import kibitz
from kibitz.core.sentences import Speaker
from tests.games.assets.positions import (
    DEFAULTS,
    KEYS,
    duel,
    finished,
    played,
    position,
    start,
)

pytestmark = pytest.mark.interpreted

POSITIONS = [
    position(["home auto bank gold", "piggy"]),
    position(
        ["home", "piggy piggy", "auto"],
        ["home home gold", "", "auto auto | bank silver"],
        discard="home gold",
    ),
    position(
        ["comics piano", "auto cabin"],
        ["jewels jewels", "auto auto | train train"],
        options={"deck": "second"},
    ),
    position(
        ["auto", "home"],
        ["bank bank", "coins coins | home home"],
        turn=1,
        phase="duel",
        duel=duel(0, 1, "home"),
    ),
    position(["auto", "home"], phase="draw", limits=[3, 4], options={"forgetful": True}),
    position(["auto"] * 6, turn=5, dealer=3, round=4, scores=[5000, 0, 0, 980000, 10000, 20000], moves=17),
    finished(),
]


def test_the_keys_come_in_the_order_of_the_rules() -> None:
    made = start(["home", "piggy"]).position()
    assert list(made) == KEYS
    assert list(made["options"]) == list(DEFAULTS)


def test_hands_and_sets_are_sorted_by_the_card_table_of_the_deck() -> None:
    """Autos come before jewels in the first edition, and after them in the second."""
    for deck, order in (("first", ["auto", "jewels", "silver"]), ("second", ["jewels", "auto", "silver"])):
        for hand in ("silver jewels auto", "auto jewels silver"):
            assert start([hand, "piggy"], options={"deck": deck}).position()["hands"][0] == order
    made = start(["home", "piggy"], ["home gold silver home", ""]).position()
    assert made["stacks"][0][0]["cards"] == ["home", "home", "silver", "gold"]


def test_the_top_of_a_pile_is_its_last_card() -> None:
    state = start(["home home", "piggy"], deck="auto bank", discard="gold coins")
    assert "take coins with coins" not in map(str, state.legal_moves)
    after = played(state, "discard home")
    assert after["discard"][-1] == "home"
    assert "bank" in after["hands"][0]


def test_the_second_edition_has_moves_of_its_own_cards() -> None:
    state = start(["comics comics", "cabin"], options={"deck": "second"})
    assert [str(move) for move in state.legal_moves] == ["pair comics comics", "discard comics"]


def test_every_move_has_the_notation_of_the_rules() -> None:
    texts = [str(move) for move in kibitz.game("assets").moves]
    assert len(set(texts)) == len(texts)
    for text in (
        "pair home home",
        "pair home gold",
        "take home with home",
        "take home with gold",
        "take gold with home",
        "discard piggy",
        "steal p2 with home",
        "defend with silver",
        "press with home",
        "yield",
        "draw",
        "forget",
    ):
        assert text in texts


def test_undo_takes_a_duel_back_card_by_card() -> None:
    state = start(["home silver", "gold home"], ["bank bank", "coins coins | home home"])
    trail = []
    for move in ["steal p1 with home", "defend with gold", "press with silver", "yield"]:
        trail.append(bytes(state))
        state.play(move)
    for saved in reversed(trail):
        state.undo()
        assert bytes(state) == saved


def test_the_log_in_words_tells_a_duel() -> None:
    state = start(["home auto", "gold piggy"], ["bank bank", "coins coins | home home"], deck="coins")
    played(state, "steal p1 with home", "defend with gold", "yield")
    speaker = Speaker(state.game.words("en"), ["p0", "p1"])
    told = [speaker.tell(one) for one in state.game.sentences(state.log(None))]
    assert told == [
        "p0 shows home and reaches for the top set of p1.",
        "p1 defends with gold.",
        "p0 gives up; the cards shown stay with the set.",
        "p0 draws 1 card.",
    ]
