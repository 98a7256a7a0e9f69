"""Trading: building an offer, proposing it, the answer."""

from typing import Any

import pytest

from tests.games.cash.naive import CARD_ORDER
from tests.games.cash.positions import (
    EVERY_WANT,
    UNLICENSED,
    firm,
    moves,
    offered,
    played,
    position,
    start,
    state_of,
)

pytestmark = pytest.mark.interpreted


# When


def test_trading_is_open_from_the_draw_to_the_hand_step() -> None:
    """Before and after the one card. [C23]"""
    state = start("license cash-5", others=["stop", "stop"])
    assert {"trade p1", "trade p2"} <= moves(state)
    played(state, "discard license")
    assert moves(state) == {"done", "trade p1", "trade p2"}


def test_without_the_option_nobody_trades() -> None:
    assert moves(start(options={"trading": False}), "trade") == set()


def test_the_next_turn_has_its_own_five_offers() -> None:
    state = start("license cash-5", offers=5)
    after = played(state, "discard license", "done")
    assert (after["turn"], after["offers"]) == (1, 0)
    assert moves(state, "trade") == {"trade p0"}


def test_an_extra_turn_has_its_own_five_offers() -> None:
    state = start("dividend", offers=5)
    assert played(state, "discard dividend", "done", "again")["offers"] == 0


@pytest.mark.parametrize("own", [UNLICENSED, firm("probe-crime")], ids=["unlicensed", "investigated"])
def test_hand_cards_are_traded_with_and_by_anybody(own: dict[str, Any]) -> None:
    for firms in ((own, firm()), (firm(), own), (own, own)):
        state = start("cash-5 license", firms[0], others=["stop"], their=[firms[1]])
        after = played(state, "trade p1", "give cash-5", "want stop", "propose", "accept")
        assert after["hands"] == [["license", "stop"], ["cash-5"]]


# Building


def test_an_offer_begins_empty() -> None:
    state = start("cash-5 cash-5 license", "cash-10", others=["stop"], their=["cash-25"])
    after = played(state, "trade p1")
    assert (after["phase"], after["turn"], after["offers"]) == ("offer", 0, 1)
    assert after["offer"] == offered()
    own = {"give cash-5", "give license", "give firm cash-10"}
    assert moves(state) == own | EVERY_WANT | {"want firm cash-25", "drop"}


def test_an_offer_is_built_in_one_order_only() -> None:
    """`give`, `give firm`, `want`, `want firm`; within each never a card before the last one."""
    state = start("cash-5 cash-10 stop", "cash-5 cash-10 venture", their=["cash-25 venture taxman"])
    played(state, "trade p1", "give cash-5")
    assert moves(state, "give") == {
        "give cash-10",
        *(f"give firm {c}" for c in ("cash-5", "cash-10", "venture")),
    }
    played(state, "give firm cash-10")
    assert moves(state, "give") == {"give firm venture"}
    played(state, "want cash-75")
    assert moves(state, "give") == set()
    late = set(CARD_ORDER[CARD_ORDER.index("cash-75") :])
    wanted = {"want firm cash-25", "want firm venture", "want firm taxman"}
    assert moves(state, "want") == {f"want {card}" for card in late} | wanted
    played(state, "want firm venture")
    assert moves(state) == {"want firm taxman", "propose", "drop"}


def test_no_more_cards_are_given_than_there_are() -> None:
    state = start("cash-5 stop", "cash-10 venture taxman")
    played(state, "trade p1", "give cash-5")
    assert moves(state, "give c") == set()
    played(state, "give firm cash-10")
    assert moves(state, "give") == {"give firm venture", "give firm taxman"}
    played(state, "give firm venture")
    assert moves(state, "give") == {"give firm taxman"}


def test_equal_cards_can_be_given_as_often_as_they_are_held() -> None:
    state = start("cash-5 cash-5 cash-5 stop")
    played(state, "trade p1", "give cash-5", "give cash-5")
    assert "give cash-5" in moves(state)
    played(state, "give cash-5")
    assert moves(state, "give") == set()


def test_of_a_firm_only_what_lies_there_can_be_wanted() -> None:
    state = start("cash-5", their=["cash-10 cash-25 cash-25"])
    played(state, "trade p1", "want firm cash-25")
    assert moves(state, "want") == {"want firm cash-25"}
    played(state, "want firm cash-25")
    assert moves(state, "want") == set()


def test_licenses_insured_cash_covers_and_probes_on_a_firm_are_never_traded() -> None:
    """[C24]"""
    state = start("cash-5", "cover-25:cash-25", their=["cover-50:cash-50 taxman"])
    played(state, "trade p1")
    assert moves(state, "give firm", "want firm") == {"want firm taxman"}


def test_cards_stay_where_they_are_until_accept() -> None:
    state = start("cash-5 stop", "cash-10", others=["cash-25"], their=["cash-50"])
    before = state.position()
    steps = ("trade p1", "give cash-5", "give firm cash-10", "want cash-25", "want firm cash-50", "propose")
    for step in steps:
        after = played(state, step)
        assert (after["hands"], after["firms"]) == (before["hands"], before["firms"])


def test_a_dropped_offer_leaves_no_trace_but_the_count() -> None:
    state = start("cash-5 stop", "cash-10")
    before = state.position()
    after = played(state, "trade p1", "give cash-5", "want taxman", "drop")
    assert after == before | {"offers": 1, "moves": 4}


# Proposing


def test_an_offer_with_both_sides_empty_cannot_be_proposed() -> None:
    state = start("cash-5", others=["stop"])
    played(state, "trade p1")
    assert "propose" not in moves(state)
    played(state, "give cash-5")
    assert "propose" in moves(state)


@pytest.mark.parametrize("step", ["give cash-5", "give firm cash-10", "want stop", "want firm cash-25"])
def test_gifts_either_way_can_be_proposed(step: str) -> None:
    state = start("cash-5 stop", "cash-10", others=["stop"], their=["cash-25"])
    played(state, "trade p1", step, "propose")
    assert moves(state) == {"accept", "decline"}


def test_the_other_side_may_not_end_above_seven_hand_cards() -> None:
    seven = "license license license license license license license"
    state = start("cash-5 cash-10", others=[seven])
    played(state, "trade p1", "give cash-5")
    assert "propose" not in moves(state)
    played(state, "want license")
    assert "propose" in moves(state)
    played(state, "drop", "trade p1", "give cash-5", "give cash-10", "want license")
    assert "propose" not in moves(state)


def test_firm_cards_do_not_count_as_hand_cards() -> None:
    seven = "license license license license license license license"
    state = start("stop", "cash-5", others=[seven])
    played(state, "trade p1", "give firm cash-5")
    assert "propose" in moves(state)


def test_the_player_in_turn_may_end_above_seven() -> None:
    state = start("stop stop stop stop stop stop stop stop", others=["license license license license"])
    wants = ["want license"] * 4
    after = played(state, "trade p1", *wants, "propose", "accept")
    assert [len(hand) for hand in after["hands"]] == [12, 0]
    after = played(state, "discard stop", "done")
    assert after["phase"] == "trim"


# The answer


def test_a_proposed_offer_is_answered_by_the_other() -> None:
    state = start("cash-5 license", others=["stop", "taxman"])
    after = played(state, "trade p2", "give cash-5", "want taxman", "propose")
    assert (after["phase"], after["turn"]) == ("answer", 2)
    assert after["offer"] == offered(0, 2, give="cash-5", want="taxman")
    assert moves(state) == {"accept", "decline"}


def test_an_accepted_trade_happens_at_once() -> None:
    own, their = "cash-10 venture", "cash-50 taxman"
    state = start("cash-5 cash-5 license", own, others=["stop stop"], their=[their])
    steps = [
        "give cash-5",
        "give firm cash-10",
        "give firm venture",
        "want stop",
        "want stop",
        "want firm taxman",
    ]
    after = played(state, "trade p1", *steps, "propose", "accept")
    assert after["hands"] == [["license", "stop", "stop", "cash-5"], ["cash-5"]]
    assert after["firms"] == [firm("taxman"), firm("cash-10 cash-50 venture")]
    assert (after["phase"], after["turn"], after["offer"], after["acted"]) == ("action", 0, None, False)
    assert after["discard"] == []


def test_a_declined_trade_changes_nothing() -> None:
    state = start("cash-5 license", others=["stop"])
    before = state.position()
    after = played(state, "trade p1", "give cash-5", "want stop", "propose", "decline")
    assert after == before | {"offers": 1, "moves": 5}


def test_an_offer_after_the_one_card_leaves_acted_as_it_was() -> None:
    state = start("cash-5 license", others=["stop"])
    after = played(state, "play cash-5", "trade p1", "want stop", "propose", "accept")
    assert after["acted"] is True
    assert moves(state) == {"done", "trade p1"}


def test_who_has_traded_the_last_card_away_may_be_done_or_trade_on() -> None:
    state = start("cash-5", others=["stop"])
    played(state, "trade p1", "give cash-5", "propose", "accept")
    assert moves(state) == {"done", "trade p1"}


def test_a_traded_venture_or_taxman_counts_for_its_new_owner() -> None:
    state = start("stop", "cash-50 venture", their=["cash-25"], options={"rounds": 1}, others=["license"])
    after = played(state, "trade p1", "give firm venture", "propose", "accept", "play stop")
    assert after["scores"] == [50_000, 50_000]


def test_an_offer_may_be_taken_up_from_a_position() -> None:
    made = position(
        "cash-5 stop", others=["taxman"], phase="offer", offers=2, offer=offered(give="cash-5", want="stop")
    )
    late = CARD_ORDER[1:]
    assert moves(state_of(made)) == {f"want {card}" for card in late} | {"propose", "drop"}
    made |= {"phase": "answer", "turn": 1}
    state = state_of(made)
    assert moves(state) == {"decline"}
    assert played(state, "decline")["offer"] is None
