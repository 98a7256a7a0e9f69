"""The rulings that reach across chapters. (The others stand in their chapters' tests.)"""

import pytest

from tests.games.cash.naive import CARD_ORDER
from tests.games.cash.positions import (
    UNLICENSED,
    firm,
    moves,
    offered,
    passing,
    played,
    points,
    position,
    start,
    state_of,
)

pytestmark = pytest.mark.interpreted

SEVEN = "license license stop stop settlement settlement clear-crime"


def test_several_ventures_may_be_tabled() -> None:
    """They don't stack, but nothing forbids them. [C5]"""
    after = played(start("venture license", "cash-25 venture"), "play venture")
    assert after["firms"][0]["venture"] == 2


def test_several_ventures_do_not_stack() -> None:
    """[C5]"""
    assert points(start("", "cash-50 venture venture venture", others=[""])) == [100_000, 0]
    assert points(start("crash venture venture", "", others=[""])) == [-50_000, 0]


def test_an_investigated_player_can_still_be_stolen_from() -> None:
    """None can be spared. [C10]"""
    state = start("dividend license", their=["probe-crime cash-5"])
    assert played(state, "discard dividend")["firms"][1] == firm("probe-crime")


def test_commission_and_bull_effects_hit_every_opponent() -> None:
    """Also the unlicensed: none can be spared. [C10]"""
    their = ["cash-25", UNLICENSED | {"cash": ["cash-25"]}, "probe-crime cash-25"]
    for card in ("dividend", "premium", "broker"):
        state = start(f"{card} license", others=["stop", "stop", "stop"], their=their)
        assert len([move for move in moves(state) if card in move]) == 1
        after = played(state, f"discard {card}")
        assert after["firms"][0]["cash"] == ["cash-25"] * 3
        assert [each["cash"] for each in after["firms"][1:]] == [[], [], []]


@pytest.mark.parametrize(("card", "cash", "turns"), [("broker", "cash-25", 1), ("banker", "cash-50", 2)])
def test_a_commission_takes_its_value_from_each_opponent_or_their_next_turns(
    card: str, cash: str, turns: int
) -> None:
    """[C10] [C25]"""
    their = [f"{cash} {cash}", "cash-5 cash-10 cash-10 cash-75 cash-150", f"cover-50:{cash}"]
    state = start(f"{card} license", others=["stop", "stop", "stop"], their=their)
    after = played(state, f"discard {card}")
    assert after["firms"] == [firm(cash), firm(cash), firm(their[1]), firm(their[2])]
    assert after["lost"] == [0, 0, turns, turns]
    assert after["discard"] == [card]


@pytest.mark.parametrize("own", ["", "cash-5 cash-10 cash-10", "cash-50", "cash-150"])
def test_without_the_fee_a_venture_cannot_be_played(own: str) -> None:
    """Exactly one card of that value: no sums, no change. [C13]"""
    assert moves(start("venture", own), "play") == set()


@pytest.mark.parametrize(
    ("own", "their"), [("cash-50", "venture"), ("", "venture"), ("cash-25", ""), ("cash-25 venture", "")]
)
def test_without_fee_or_target_a_takeover_is_a_plain_discard(own: str, their: str) -> None:
    """No fee is paid. [C13]"""
    state = start("takeover", own, their=[their])
    assert moves(state, "discard") == {"discard takeover"}
    after = played(state, "discard takeover")
    assert after["firms"] == [firm(own), firm(their)]
    assert after["discard"] == ["takeover"]


@pytest.mark.parametrize("card", CARD_ORDER)
def test_without_a_license_nothing_that_is_discarded_has_an_effect(card: str) -> None:
    """[C19] [C29]"""
    state = start(f"{card} license", UNLICENSED, their=["cash-25 cash-50 venture"])
    before = state.position()
    after = played(state, f"discard {card}")
    assert after["firms"] == before["firms"]
    assert after["discard"] == [card]
    assert (after["lost"], after["extra"], after["phase"]) == ([0, 0], False, "action")
    assert len(after["hands"][0]) == 1


@pytest.mark.parametrize("card", ["crash", "recession", "bankruptcy"])
def test_in_the_hand_step_too_an_unlicensed_players_bear_card_does_nothing(card: str) -> None:
    """[C19]"""
    state = start(f"{SEVEN} {card}", firm(license=False), phase="trim", acted=True)
    after = played(state, f"trim {card}")
    assert after["discard"] == [card]
    assert (after["lost"], after["turn"], after["phase"]) == ([0, 0], 1, "action")


def test_two_25_are_no_50_and_a_50_is_no_25() -> None:
    """Exactly one card of that value also holds for taking. [C25]"""
    for card, their, turns in (("banker", "cash-25 cash-25", 2), ("broker", "cash-50", 1)):
        after = played(start(f"{card} license", their=[their]), f"discard {card}")
        assert after["firms"][1] == firm(their)
        assert after["lost"] == [0, turns]


@pytest.mark.parametrize("card", ["dividend", "premium"])
def test_an_extra_turn_is_given_even_if_nothing_was_taken(card: str) -> None:
    """[C26]"""
    assert played(start(f"{card} license"), f"discard {card}")["extra"] is True


def test_with_a_turn_to_lose_the_extra_turn_is_not_offered_and_lost_goes_down_by_one() -> None:
    """[C26]"""
    state = start(f"{SEVEN} dividend crash")
    played(state, "discard dividend", "done", "trim crash")
    assert state.position()["extra"] is True
    after = played(state, "pass license", "pass settlement")
    assert (after["extra"], after["lost"], after["turn"], after["phase"]) == (False, [0, 0], 1, "action")


def test_of_two_turns_to_lose_one_is_left_after_a_missed_extra_turn() -> None:
    """[C26]"""
    state = start(f"{SEVEN} dividend bankruptcy")
    after = played(state, "discard dividend", "done", "trim bankruptcy")
    assert (after["extra"], after["lost"], after["turn"]) == (False, [1, 0], 1)


def test_a_player_with_a_lost_turn_from_before_misses_the_extra_turn() -> None:
    """[C26]"""
    after = played(start(f"{SEVEN} premium", lost=[1, 0]), "discard premium", "done")
    assert (after["extra"], after["lost"], after["turn"]) == (False, [0, 0], 1)


@pytest.mark.parametrize(("card", "turns"), [("broker", 1), ("banker", 2)])
def test_a_commission_hits_unlicensed_rivals_too(card: str, turns: int) -> None:
    """[C32]"""
    after = played(start(f"{card} license", their=[UNLICENSED]), f"discard {card}")
    assert after["lost"] == [0, turns]


def test_an_investigated_owners_taxman_counts() -> None:
    """[C32]"""
    assert points(start("", "taxman probe-crime", others=[""], their=["cash-50"])) == [5000, 45_000]


def test_at_the_cap_an_open_offer_lapses() -> None:
    """[C35]"""
    made = position("cash-5 stop", others=["taxman"], phase="offer", offers=1, offer=offered(), moves=4999)
    after = played(state_of(made | {"options": made["options"] | {"rounds": 1}}), "give cash-5")
    assert (after["over"], after["offer"], after["offers"]) == (True, None, 0)
    assert after["hands"] == [["stop", "cash-5"], ["taxman"]]
    after = played(state_of(made), "give cash-5")
    assert (after["round"], after["offer"], after["phase"]) == (2, None, "action")


def test_at_the_cap_cards_chosen_for_passing_count_in_their_owners_hand() -> None:
    """[C35]"""
    made = position(
        "cash-10 license",
        others=["stop"],
        phase="passing",
        passing=passing(2, 0, False, "cash-5", ""),
        acted=True,
        lost=[1, 0],
        moves=4999,
        options={"rounds": 1},
    )
    after = played(state_of(made), "pass cash-10")
    assert after["hands"] == [["license", "cash-5", "cash-10"], ["stop"]]
    assert (after["scores"], after["passing"], after["lost"]) == ([-15_000, 0], None, [1, 0])
