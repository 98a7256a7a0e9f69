"""What CASH refuses beyond what every game does, each with its reason."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

import kibitz
from tests.games.bad_input import refuse_move, refuse_position
from tests.games.cash.bad_input import SEVEN, at_again, in_passing, offering, proposed, trimming
from tests.games.cash.naive import Position
from tests.games.cash.positions import (
    FIRM_KEYS,
    OFFER_KEYS,
    PASSING_KEYS,
    UNLICENSED,
    finished,
    firm,
    offered,
    passing,
    position,
    start,
    state_of,
)

pytestmark = pytest.mark.interpreted


# Cards


def test_a_missing_card_is_refused() -> None:
    for key in ("deck", "discard"):
        made = position(deck="cash-5 stop", discard="crash")
        made[key].pop(0)
        refuse_position(made, "deck", "discard", "hands")
    made = position()
    made["hands"][0].pop()
    refuse_position(made, "deck", "hands")


def test_a_217th_card_is_refused() -> None:
    for key in ("deck", "discard"):
        made = position(discard="crash")
        made[key].insert(0, "taxman")
        refuse_position(made, "deck", "discard", "hands", "firms")
    made = position()
    made["firms"][1]["venture"] = 1
    refuse_position(made, "deck", "firms", "hands")


def test_a_third_copy_is_refused_though_the_sum_is_right() -> None:
    made = position(deck="taxman cash-5", discard="taxman")
    made["deck"] = ["taxman", "taxman"]
    refuse_position(made, "deck", "discard", "hands", "firms")


@pytest.mark.parametrize(
    "card",
    ["cash", "cash-20", "?", "Stop", "", " stop", "stop ", "cash-２5", "cover", "probe", 5, None, ["stop"]],
)
def test_only_cards_of_the_box_lie_anywhere(card: Any) -> None:
    for key in ("deck", "discard"):
        made = position(deck="stop", discard="crash")
        made[key][-1] = card
        refuse_position(made, key)
    made = position()
    made["hands"][1][0] = card
    refuse_position(made, "hands")
    made = position(own="cash-5 cover-25:cash-5")
    for holder in (made["firms"][0]["cash"], made["firms"][0]["insured"][0]["cash"]):
        wrong = deepcopy(made)
        holder_key = "cash" if holder is made["firms"][0]["cash"] else "insured"
        target = wrong["firms"][0][holder_key]
        (target if holder_key == "cash" else target[0]["cash"])[0] = card
        refuse_position(wrong, "firms")


# Firms


@pytest.mark.parametrize("key", FIRM_KEYS)
def test_a_firm_has_every_key_and_no_other(key: str) -> None:
    made = position()
    del made["firms"][1][key]
    refuse_position(made, "firms", key)
    made = position()
    made["firms"][1]["gold"] = 0
    refuse_position(made, "firms", "gold")


WRONG_FIRMS: dict[str, Callable[[], dict[str, Any]]] = {
    "license is a number": lambda: firm() | {"license": 1},
    "license is null": lambda: firm() | {"license": None},
    "a probe without a license": lambda: UNLICENSED | {"probe": "probe-crime"},
    "a probe that is none": lambda: firm() | {"probe": "clear-crime"},
    "a probe that is false": lambda: firm() | {"probe": False},
    "a probe that is hidden": lambda: firm() | {"probe": "?"},
    "cash that is none": lambda: firm() | {"cash": ["stop"]},
    "cash as text": lambda: firm() | {"cash": "cash-5"},
    "insured as an object": lambda: firm() | {"insured": {}},
    "an insured card": lambda: firm() | {"insured": ["cash-5"]},
    "insured by nothing": lambda: firm() | {"insured": [{"cover": None, "cash": ["cash-5"]}]},
    "insured by a license": lambda: firm() | {"insured": [{"cover": "license", "cash": ["cash-5"]}]},
    "a cover over nothing": lambda: firm() | {"insured": [{"cover": "cover-25", "cash": []}]},
    "a cover over a card that is no cash": lambda: (
        firm() | {"insured": [{"cover": "cover-25", "cash": ["stop"]}]}
    ),
    "a cover without cash": lambda: firm() | {"insured": [{"cover": "cover-25"}]},
    "a cover with more keys": lambda: (
        firm() | {"insured": [{"cover": "cover-25", "cash": ["cash-5"], "n": 1}]}
    ),
    "over the limit": lambda: firm("cover-25:cash-10,cash-25"),
    "75 under a basic insurance": lambda: firm("cover-50:cash-75"),
    "150 insured": lambda: firm("cover-75:cash-150"),
    "minus one venture": lambda: firm() | {"venture": -1},
    "five ventures": lambda: firm() | {"venture": 5},
    "a yes for a venture": lambda: firm() | {"venture": True},
    "three taxmen": lambda: firm() | {"taxman": 3},
    "half a taxman": lambda: firm() | {"taxman": 0.5},
}


@pytest.mark.parametrize("make", WRONG_FIRMS.values(), ids=WRONG_FIRMS)
def test_a_firm_holds_what_can_lie_on_one(make: Callable[[], dict[str, Any]]) -> None:
    made = position()
    made["firms"][0] = make()
    refuse_position(made, "firms", "cover", "cash", "license", "probe", "venture", "taxman", "insured")


# Offers


@pytest.mark.parametrize("key", OFFER_KEYS)
def test_an_offer_has_every_key_and_no_other(key: str) -> None:
    for made in (offering(), proposed()):
        del made["offer"][key]
        refuse_position(made, "offer", key)
    made = offering()
    made["offer"]["note"] = ""
    refuse_position(made, "offer")


WRONG_OFFERS: dict[str, dict[str, Any]] = {
    "to oneself": {"to": 0},
    "to nobody": {"to": None},
    "to a seat that isn't there": {"to": 3},
    "from nobody": {"from": None},
    "from the other": {"from": 1, "to": 0},
    "gives what isn't held": {"give": ["crash"]},
    "gives twice what is held once": {"give": ["cash-5", "cash-5"]},
    "gives from the firm what isn't there": {"give_firm": ["taxman"]},
    "gives a license from the firm": {"give_firm": ["license"]},
    "wants from the firm what isn't there": {"want_firm": ["cash-5"]},
    "wants five": {"want": ["stop"] * 5, "want_firm": []},
    "wants five with the firm": {"want": ["stop"] * 4},
    "gives no card": {"give": ["?"]},
    "wants no card": {"want": ["gold"]},
    "give is no list": {"give": None},
    "want is text": {"want": "stop"},
}


@pytest.mark.parametrize("wrong", WRONG_OFFERS.values(), ids=WRONG_OFFERS)
def test_an_offer_is_one_that_could_have_been_built(wrong: dict[str, Any]) -> None:
    made = offering()
    made["offer"] |= wrong
    refuse_position(made, "offer", "turn")


def test_an_offer_of_firm_cards_is_between_free_firms() -> None:
    """[C24]"""
    for seat in (0, 1):
        made = offering()
        made["firms"][seat]["probe"] = "probe-crime"
        made["deck"].remove("probe-crime")
        refuse_position(made, "offer")


@pytest.mark.parametrize("phase", ["offer", "answer"])
def test_while_an_offer_is_open_one_has_been_begun(phase: str) -> None:
    made = offering() if phase == "offer" else proposed()
    refuse_position(made | {"offer": None}, "offer", "phase")
    refuse_position(made | {"offers": 0}, "offers", "offer")
    refuse_position(made | {"turn": 2}, "turn", "offer")


def test_where_nobody_trades_there_is_no_offer() -> None:
    for made in (offering(), proposed(), position(offers=1)):
        made["options"]["trading"] = False
        refuse_position(made, "offer", "offers", "phase", "trading")


def test_a_proposed_offer_could_be_proposed() -> None:
    made = proposed()
    made["offer"] = offered()
    refuse_position(made, "offer")
    seven = "license license license license license license license"
    made = position(
        "cash-5", others=[seven], phase="answer", turn=1, offers=1, offer=offered(give="cash-5"), discard=""
    )
    refuse_position(made, "offer", "hands")


def test_an_offer_stands_only_in_its_phases() -> None:
    for phase in ("action", "trim", "again", "passing"):
        refuse_position(offering(phase=phase), "offer", "phase", "passing", "hands", "extra", "acted")


# Passing, trimming, extra turns


@pytest.mark.parametrize("key", PASSING_KEYS)
def test_a_passing_has_every_key_and_no_other(key: str) -> None:
    made = in_passing()
    del made["passing"][key]
    refuse_position(made, "passing", key)
    made = in_passing()
    made["passing"]["note"] = ""
    refuse_position(made, "passing")


WRONG_PASSINGS: dict[str, dict[str, Any]] = {
    "no count": {"count": 0},
    "three cards": {"count": 3},
    "count as text": {"count": "2"},
    "from nobody": {"from": None},
    "from a seat that isn't there": {"from": 3},
    "trim is a number": {"trim": 0},
    "chosen for two": {"chosen": [["taxman", "broker"], ["cash-10"]]},
    "chosen is null": {"chosen": None},
    "chosen is hidden": {"chosen": [["?", "?"], ["cash-10"], []]},
    "chosen more than the count": {"count": 1},
}


@pytest.mark.parametrize("wrong", WRONG_PASSINGS.values(), ids=WRONG_PASSINGS)
def test_a_passing_is_one_that_could_be(wrong: dict[str, Any]) -> None:
    made = in_passing()
    made["passing"] |= wrong
    refuse_position(made, "passing", "turn")


def test_in_passing_the_lowest_seat_that_still_chooses_is_in_turn() -> None:
    for turn in (0, 2):
        refuse_position(in_passing(turn=turn), "turn")


def test_a_passing_is_not_already_complete() -> None:
    made = position(
        "stop",
        others=["crash"],
        phase="passing",
        acted=True,
        passing=passing(1, 0, False, "taxman", "broker"),
    )
    refuse_position(made, "passing", "turn")


def test_in_passing_the_one_card_is_done() -> None:
    refuse_position(in_passing(acted=False), "acted", "passing")


def test_trimming_is_for_more_than_seven_cards() -> None:
    made = position(SEVEN, phase="trim", acted=True)
    refuse_position(made, "hands", "phase")


def test_trimming_comes_after_the_one_card() -> None:
    refuse_position(trimming(acted=False), "acted")


def test_an_extra_turn_is_offered_only_to_who_has_one() -> None:
    refuse_position(at_again(extra=False), "extra", "phase")


def test_an_extra_turn_is_not_offered_to_who_has_a_turn_to_lose() -> None:
    """[C26]"""
    refuse_position(at_again(lost=[1, 0]), "lost", "phase")


def test_an_extra_turn_is_offered_after_the_hand_step() -> None:
    made = position(f"{SEVEN} crash", phase="again", acted=True, extra=True)
    refuse_position(made, "hands", "phase")


def test_an_extra_turn_stands_open_only_after_the_one_card() -> None:
    refuse_position(position(extra=True), "extra", "acted")
    state_of(position(extra=True, acted=True))


# Rounds and totals


def test_no_more_rounds_than_the_option_says() -> None:
    refuse_position(position(options={"rounds": 3}, round=4), "round")
    state_of(position(options={"rounds": 3}, round=3))


def test_a_single_total_at_the_target_is_not_running() -> None:
    refuse_position(position(scores=[0, 1_000_000]), "scores")
    state_of(position(scores=[0, 999_500]))
    state_of(position(scores=[1_000_000, 1_000_000], round=2))


def test_a_finished_game_has_a_reason() -> None:
    refuse_position(finished((999_500, 17)), "over", "scores", "phase", "round")
    refuse_position(finished((1_500_000, 1_500_000)), "over", "scores", "phase", "round")
    state_of(finished((999_500, 17), round=100))


# Views from outside


def test_a_view_that_breaks_the_decks_counts_is_refused() -> None:
    seen = start("cash-5 stop", deck="stop crash").view(0)
    breaks: list[Position] = [
        {"deck": []},
        {"deck": ["?", "?", "?"]},
        {"discard": [*seen["discard"], "?"]},
        {"hands": [["taxman"] * 3, ["?"] * 7]},
        {"firms": [firm("venture venture"), firm("venture venture venture")]},
    ]
    for wrong in breaks:
        with pytest.raises(kibitz.BadPosition):
            kibitz.game("cash").observation(seen | wrong)


# Moves


def test_a_refusal_tells_nothing_that_the_seat_does_not_know() -> None:
    """A want is refused the same whatever the other holds."""
    refusals = []
    for theirs in ("taxman", "crash"):
        made = position("cash-5", others=[theirs], phase="offer", offers=1, offer=offered(want="taxman"))
        refusals.append(refuse_move(state_of(made), "want stop").reason)
    assert refusals[0] == refusals[1]
