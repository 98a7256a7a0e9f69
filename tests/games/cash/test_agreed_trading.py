"""Trading by rules version 2: as many offers as agreed on, of eight cards, and between any two firms."""

from typing import Any

import pytest

from tests.games.bad_input import refuse_position
from tests.games.cash.positions import EVERY_WANT, UNLICENSED, VERSION_1, firm, moves, played
from tests.games.cash.version_2 import offering, start

pytestmark = pytest.mark.interpreted


@pytest.mark.parametrize(("options", "most"), [({}, 10), ({"offers": 1}, 1), (VERSION_1, 5)])
def test_at_most_so_many_offers_are_begun_a_turn(options: dict[str, Any], most: int) -> None:
    """Ten, if the table has agreed on nothing else. [C23]"""
    state = start("license cash-5", options=options)
    for begun in range(1, most + 1):
        assert played(state, "trade p1")["offers"] == begun
        played(state, "drop")
    assert moves(state, "trade") == set()


def test_at_most_eight_cards_a_side() -> None:
    """Hand and firm together."""
    state = start("cash-5 cash-5 cash-5 cash-5", "cash-10 cash-10 cash-10 cash-10 venture", their=["cash-25"])
    played(state, "trade p1", *["give cash-5"] * 4, *["give firm cash-10"] * 3)
    assert moves(state, "give") == {"give firm cash-10", "give firm venture"}
    played(state, "give firm cash-10")
    assert moves(state, "give") == set()
    played(state, *["want stop"] * 7, "want firm cash-25")
    assert moves(state) == {"propose", "drop"}


def test_where_offers_are_not_countered_at_most_four_cards_a_side() -> None:
    """Hand and firm together."""
    options = {"counter": False}
    state = start("cash-5 cash-5 cash-5", "cash-10 cash-10", their=["cash-25 cash-25"], options=options)
    played(state, "trade p1", "give cash-5", "give cash-5", "give cash-5", "give firm cash-10")
    assert moves(state, "give") == set()
    played(state, "want stop", "want stop", "want stop", "want firm cash-25")
    assert moves(state) == {"propose", "drop"}


def test_any_card_can_be_wanted_as_often_as_the_box_holds_it_whatever_the_other_holds() -> None:
    state = start("cash-5", others=[""])
    played(state, "trade p1")
    assert moves(state, "want") == EVERY_WANT
    played(state, "want banker", "want banker")
    assert moves(state, "want") == {"want banker", "want taxman"}
    played(state, "want banker")
    assert moves(state, "want") == {"want taxman"}
    played(state, "want taxman", "want taxman")
    assert moves(state) == {"propose", "drop"}


def test_what_is_wanted_from_a_firm_does_not_count_with_the_hand_cards() -> None:
    state = start("cash-5", others=[""], their=["taxman taxman"])
    played(state, "trade p1", "want taxman", "want taxman", "want firm taxman", "want firm taxman")
    assert moves(state) == {"propose", "drop"}


def test_where_offers_are_not_countered_any_card_can_be_wanted_four_times() -> None:
    state = start("cash-5", others=[""], options={"counter": False})
    played(state, "trade p1")
    assert moves(state, "want") == EVERY_WANT
    played(state, "want taxman", "want taxman", "want taxman")
    assert moves(state, "want") == {"want taxman"}
    played(state, "want taxman")
    assert moves(state) == {"propose", "drop"}


@pytest.mark.parametrize("other", [UNLICENSED | {"cash": ["cash-5"]}, firm("probe-crime cash-5 venture")])
def test_by_the_option_firm_cards_move_only_between_licensed_players_who_are_not_under_investigation(
    other: dict[str, Any],
) -> None:
    """[C24]"""
    for firms in ((other, firm("cash-10 taxman")), (firm("cash-10 taxman"), other)):
        state = start("stop", firms[0], their=[firms[1]], options={"firm_trades": "licensed"})
        played(state, "trade p1")
        assert moves(state, "give firm", "want firm") == set()


def test_a_third_players_investigation_does_not_matter() -> None:
    """[C24]"""
    their, options = ["cash-10", "probe-crime"], {"firm_trades": "licensed"}
    state = start("stop", "cash-5", others=["stop", "stop"], their=their, options=options)
    played(state, "trade p1")
    assert moves(state, "give firm", "want firm") == {"give firm cash-5", "want firm cash-10"}


@pytest.mark.parametrize("other", [UNLICENSED, firm("probe-crime")], ids=["unlicensed", "investigated"])
def test_firm_cards_move_between_any_two_firms_whatever_license_or_probe_they_have(
    other: dict[str, Any],
) -> None:
    for firms in ((other, firm()), (firm(), other), (other, other)):
        own, their = firms[0] | {"cash": ["cash-50"]}, firms[1] | {"venture": 1}
        state = start("stop", own, others=["clear-crime"], their=[their])
        steps = ["give firm cash-50", "want clear-crime", "want firm venture"]
        after = played(state, "trade p1", *steps, "propose", "accept")
        assert after["firms"] == [firms[0] | {"venture": 1}, firms[1] | {"cash": ["cash-50"]}]
        assert after["hands"] == [["stop", "clear-crime"], []]


def test_cards_on_an_unlicensed_firm_score_double_and_are_taxed_as_on_any() -> None:
    their = UNLICENSED | {"cash": ["cash-50"], "venture": 1}
    state = start("stop", "taxman", others=[""], their=[their], options={"rounds": 1})
    assert played(state, "play stop")["scores"] == [10_000, 90_000]
    state = start("stop", others=[""], their=[UNLICENSED | {"cash": ["cash-50"], "taxman": 1}], own="cash-10")
    assert played(state, "play stop")["scores"] == [9_000, 51_000]


def test_a_venture_on_an_unlicensed_firm_can_be_taken_over() -> None:
    state = start("takeover", "cash-25", their=[UNLICENSED | {"venture": 1}])
    assert played(state, "discard takeover on p1")["firms"] == [firm("venture"), UNLICENSED]


@pytest.mark.parametrize("card", ["cover-25", "venture", "takeover", "settlement"])
def test_without_a_license_cash_can_be_neither_insured_nor_spent(card: str) -> None:
    state = start(f"{card} stop", UNLICENSED | {"cash": ["cash-25"]}, their=["venture"])
    assert moves(state, "play", "discard") == {f"discard {card}", "discard stop"}


@pytest.mark.parametrize("card", ["crash", "recession", "bankruptcy"])
def test_an_unlicensed_players_bear_card_costs_no_traded_cash(card: str) -> None:
    """[C19]"""
    own = UNLICENSED | {"cash": ["cash-25"]}
    after = played(start(f"{card} stop", own), f"discard {card}")
    assert (after["firms"][0], after["lost"]) == (own, [0, 0])


@pytest.mark.parametrize(
    "wants", [["want taxman"], ["want stop", "want stop"], ["want stop", "want taxman"], ["want cash-50"]]
)
def test_who_does_not_hold_what_is_asked_for_cannot_accept(wants: list[str]) -> None:
    """Also if it lies on the firm."""
    for options, answers in (({}, {"decline", "counter"}), (VERSION_1, {"decline"})):
        state = start("cash-5 license", others=["stop"], their=["cash-50"], options=options)
        played(state, "trade p1", *wants, "propose")
        assert (state.turn, moves(state)) == (1, answers)


# Positions


@pytest.mark.parametrize(
    "wrong",
    [
        {"want": ["stop"] * 9, "want_firm": []},
        {"want": ["stop"] * 8},
        {"want": ["taxman"] * 3},
        {"counter": 0},
        {"counter": None},
    ],
    ids=["nine", "nine with the firm", "more than the box has", "counter is a number", "counter is null"],
)
def test_an_offer_is_one_that_could_have_been_built(wrong: dict[str, Any]) -> None:
    made = offering()
    made["offer"] |= wrong
    refuse_position(made, "offer")


@pytest.mark.parametrize("want", [["stop"] * 5, ["stop"] * 4], ids=["five", "five with the firm"])
def test_where_offers_are_not_countered_a_side_has_four_cards(want: list[str]) -> None:
    made = offering()
    made["options"]["counter"] = False
    made["offer"]["want"] = want
    if len(want) == 5:
        made["offer"]["want_firm"] = []
    refuse_position(made, "offer")


def test_by_the_option_an_offer_of_firm_cards_is_between_free_firms() -> None:
    """[C24]"""
    for seat in (0, 1):
        made = offering()
        made["options"]["firm_trades"] = "licensed"
        made["firms"][seat]["probe"] = "probe-crime"
        made["deck"].remove("probe-crime")
        refuse_position(made, "offer")
