"""Taking cash: dividend, premium, broker and banker may take from each opponent, and spare any of them."""

from typing import Any

import pytest

from kibitz.core.state import State
from tests.games.bad_input import refuse_position
from tests.games.cash.positions import UNLICENSED, firm, moves, played, state_of
from tests.games.cash.version_2 import position, start, taking

pytestmark = pytest.mark.interpreted

TAKES = {"dividend": "cash-25", "premium": "cash-50", "broker": "cash-25", "banker": "cash-50"}
CARDS = pytest.mark.parametrize("card", TAKES)


def four(card: str, own: str = "") -> State:
    """Opponents 1 and 3 have what each card takes, opponent 2 has nothing."""
    their = ["cash-25 cash-50", "", "cash-25 cash-50"]
    return start(f"{card} license", own, others=["stop", "stop", "stop"], their=their)


@CARDS
def test_before_anything_is_taken_the_same_seat_decides_whom_to_spare(card: str) -> None:
    state = four(card)
    after = played(state, f"discard {card}")
    assert (after["phase"], after["turn"], after["taking"], after["spared"]) == ("taking", 0, card, [])
    assert after["acted"] is True
    assert after["firms"] == [firm(), firm("cash-25 cash-50"), firm(), firm("cash-25 cash-50")]
    assert [str(move) for move in state.legal_moves] == ["take", "spare p1", "spare p3"]


@CARDS
def test_take_takes_from_each_opponent_who_has_the_card(card: str) -> None:
    after = played(four(card), f"discard {card}", "take")
    left = firm("cash-50" if TAKES[card] == "cash-25" else "cash-25")
    assert after["firms"] == [firm(f"{TAKES[card]} {TAKES[card]}"), left, firm(), left]
    assert (after["phase"], after["turn"], after["acted"]) == ("action", 0, True)
    assert (after["taking"], after["spared"]) == (None, [])


@CARDS
def test_a_spared_opponent_loses_neither_card_nor_turn(card: str) -> None:
    state = four(card)
    after = played(state, f"discard {card}", "spare p1")
    assert after["spared"] == [1]
    after = played(state, "take")
    assert after["firms"][0] == firm(TAKES[card])
    assert after["firms"][1] == firm("cash-25 cash-50")
    assert after["lost"][1] == 0


def test_those_who_are_spared_are_named_in_ascending_order_each_once() -> None:
    state = four("dividend")
    played(state, "discard dividend", "spare p1")
    assert moves(state) == {"take", "spare p3"}
    played(state, "spare p3")
    assert moves(state) == {"take"}
    state = four("dividend")
    played(state, "discard dividend", "spare p3")
    assert moves(state) == {"take"}


@CARDS
def test_with_all_spared_take_is_still_needed_and_takes_nothing(card: str) -> None:
    state = four(card)
    after = played(state, f"discard {card}", "spare p1", "spare p3")
    assert (after["phase"], after["spared"]) == ("taking", [1, 3])
    after = played(state, "take")
    assert after["firms"][0] == firm()
    assert moves(state) == {"done", "trade p1", "trade p2", "trade p3"}


@pytest.mark.parametrize("card", ["dividend", "premium"])
def test_the_extra_turn_stays_with_all_spared(card: str) -> None:
    """[C26]"""
    state = start(f"{card} license license license license license license", their=["cash-5"])
    after = played(state, f"discard {card}", "spare p1", "take")
    assert after["extra"] is True
    assert played(state, "done")["phase"] == "again"


@pytest.mark.parametrize("card", ["dividend", "premium"])
def test_the_probe_is_lifted_and_the_extra_turn_given_before_the_choice(card: str) -> None:
    """Lifting stays automatic. [C16] [C28]"""
    after = played(four(card, "probe-crime"), f"discard {card}")
    assert (after["firms"][0]["probe"], after["extra"]) == (None, True)
    assert after["discard"] == [card, "probe-crime"]


@pytest.mark.parametrize(("card", "turns"), [("broker", 1), ("banker", 2)])
def test_who_has_not_the_card_loses_the_turns_before_the_choice_and_cannot_be_spared(
    card: str, turns: int
) -> None:
    state = four(card)
    after = played(state, f"discard {card}")
    assert (after["lost"], after["extra"]) == ([0, 0, turns, 0], False)
    assert "spare p2" not in moves(state)


@CARDS
def test_with_nothing_to_take_there_is_nothing_to_decide(card: str) -> None:
    after = played(start(f"{card} license", their=["cover-50:cash-25"]), f"discard {card}")
    assert (after["phase"], after["acted"], after["taking"]) == ("action", True, None)


@CARDS
def test_where_nobody_is_spared_there_is_nothing_to_decide(card: str) -> None:
    """[C10]"""
    state = start(f"{card} license", their=["cash-25 cash-50"], options={"spare": False})
    after = played(state, f"discard {card}")
    assert (after["phase"], after["firms"][0]) == ("action", firm(TAKES[card]))


@pytest.mark.parametrize("card", ["broker", "banker"])
def test_an_investigated_players_commission_takes_nothing(card: str) -> None:
    after = played(four(card, "probe-crime"), f"discard {card}")
    assert (after["phase"], after["lost"]) == ("action", [0, 0, 0, 0])


@CARDS
def test_an_unlicensed_players_card_takes_nothing(card: str) -> None:
    state = start(f"{card} license", UNLICENSED, their=["cash-25 cash-50"])
    assert played(state, f"discard {card}")["phase"] == "action"


def test_cards_discarded_in_the_hand_step_take_nothing() -> None:
    """[C7]"""
    state = start("stop " * 7 + "dividend", their=["cash-5"], phase="trim", acted=True)
    assert played(state, "trim dividend")["firms"] == [firm(), firm("cash-5")]


@CARDS
def test_cash_on_an_unlicensed_firm_can_be_taken_and_spared(card: str) -> None:
    their = UNLICENSED | {"cash": ["cash-25", "cash-50"]}
    state = start(f"{card} license", their=[their])
    played(state, f"discard {card}")
    assert moves(state) == {"take", "spare p1"}
    assert played(state, "take")["firms"][0] == firm(TAKES[card])


def test_there_are_no_offers_while_something_is_taken() -> None:
    state = four("dividend")
    played(state, "discard dividend")
    assert moves(state, "trade") == set()
    played(state, "take")
    assert moves(state, "trade") == {"trade p1", "trade p2", "trade p3"}


def test_all_of_it_is_public() -> None:
    state = four("premium")
    after = played(state, "discard premium", "spare p3")
    for seat in (None, 0, 1, 2, 3):
        view = state.view(seat)
        assert [view[key] for key in ("phase", "taking", "spared", "firms")] == [
            after[key] for key in ("phase", "taking", "spared", "firms")
        ]
        assert "spare p3" in repr(state.log(seat))


def test_at_the_cap_of_moves_nothing_is_taken() -> None:
    """The move that reaches it is carried out, and the choice is not waited for. [C35]"""
    state = start("dividend", others=[""], their=["cash-25"], moves=4999, options={"rounds": 1})
    after = played(state, "discard dividend")
    assert (after["over"], after["scores"]) == (True, [0, 25_000])
    assert (after["taking"], after["spared"], after["extra"]) == (None, [], False)
    state = state_of(taking(moves=4999))
    after = played(state, "spare p3")
    assert after["scores"] == [0, 5_000, -5_000, 20_000]
    assert (after["phase"], after["round"], after["taking"], after["spared"]) == ("action", 2, None, [])


def test_a_take_that_reaches_the_cap_is_carried_out() -> None:
    after = played(state_of(taking(moves=4999)), "take")
    assert after["scores"] == [25_000, 5_000, -5_000, -5_000]


def test_the_log_tells_who_was_spared_and_what_was_taken() -> None:
    state = four("dividend")
    played(state, "discard dividend", "spare p1", "take")
    told = [sentence.key for sentence in state.game.sentences(state.log(2))]
    assert told == ["log.discard", "log.spare", "log.take"]
    state = four("dividend")
    played(state, "discard dividend", "spare p1", "spare p3", "take")
    assert state.game.sentences(state.log(None))[-1].key == "log.take-nothing"


# Positions


def test_the_choice_may_be_taken_up_from_a_position() -> None:
    state = state_of(taking())
    assert moves(state) == {"take", "spare p3"}
    assert played(state, "take")["firms"] == [firm("cash-25"), firm("cash-10"), firm(), firm()]


def test_the_probe_above_the_card_need_not_be_there() -> None:
    assert moves(state_of(taking_of("dividend", "stop dividend"))) == {"take", "spare p1", "spare p3"}
    assert moves(state_of(taking_of("broker", "broker"))) == {"take", "spare p3"}


def taking_of(card: str, discard: str, **changes: Any) -> dict[str, Any]:
    """Seat 0 takes by a card with that discard pile."""
    made = position(
        "stop stop",
        others=["stop", "stop", "stop"],
        their=["cash-10", "", "cash-25"],
        discard=discard,
        phase="taking",
        acted=True,
        extra=card in ("dividend", "premium"),
        taking=card,
    )
    return made | changes


@pytest.mark.parametrize("card", [None, "", "stop", "takeover", "taxman", "cash-25", 0, True])
def test_only_four_cards_take(card: Any) -> None:
    refuse_position(taking(taking=card), "taking")


def test_a_card_that_takes_is_named_only_while_it_does() -> None:
    refuse_position(position(taking="dividend"), "taking")
    refuse_position(position(spared=[1]), "spared")


def test_where_nobody_is_spared_the_phase_does_not_exist() -> None:
    made = taking()
    made["options"]["spare"] = False
    refuse_position(made, "phase", "taking")


def test_there_is_somebody_to_take_from() -> None:
    refuse_position(taking_of("banker", "banker"), "firms")


@pytest.mark.parametrize("own", [UNLICENSED, firm("probe-insider")], ids=["unlicensed", "investigated"])
def test_who_takes_is_licensed_and_not_under_investigation(own: dict[str, Any]) -> None:
    made = taking()
    cards = ["license"] if own == UNLICENSED else []
    made["firms"][0] = own
    made["deck"] = [*made["deck"], *cards]
    if not cards:
        made["deck"].remove("probe-insider")
    refuse_position(made, "firms")


def test_who_takes_has_acted() -> None:
    refuse_position(taking(acted=False), "acted")


def test_the_extra_turn_follows_from_the_card() -> None:
    refuse_position(taking(extra=False), "extra")
    refuse_position(taking_of("broker", "broker", extra=True), "extra")


@pytest.mark.parametrize(
    ("card", "discard"),
    [
        ("dividend", ""),
        ("dividend", "dividend stop"),
        ("dividend", "premium"),
        ("dividend", "dividend probe-crime probe-crime"),
        ("dividend", "probe-crime"),
        ("broker", "broker probe-crime"),
    ],
)
def test_the_card_that_takes_lies_on_top_of_the_discards(card: str, discard: str) -> None:
    refuse_position(taking_of(card, discard), "discard")


@pytest.mark.parametrize("spared", [[0], [2], [4], [-1], [3, 1], [1, 1], ["p1"], [True], None, [1.0]])
def test_spared_are_ascending_opponents_with_something_to_take(spared: Any) -> None:
    refuse_position(taking(spared=spared), "spared")
