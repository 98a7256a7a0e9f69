"""What each player sees."""

from collections import Counter
from typing import Any

import pytest

import kibitz
from kibitz.core.events import Drew, Moved
from tests.games.cash import naive, version_2
from tests.games.cash.positions import (
    KEYS,
    as_json,
    finished,
    offered,
    passing,
    played,
    position,
    start,
    state_of,
)

pytestmark = pytest.mark.interpreted

VIEWERS = [0, 1, 2, None]


def three(**changes: Any) -> dict[str, Any]:
    return position(
        "cash-5 stop", "cash-25", others=["crash", "taxman taxman"], their=["cash-50 venture"], **changes
    )


def test_a_player_sees_its_own_hand_and_how_many_cards_the_others_have() -> None:
    state = state_of(three())
    assert state.view(0)["hands"] == [["stop", "cash-5"], ["?"], ["?", "?"]]
    assert state.view(2)["hands"] == [["?", "?"], ["?"], ["taxman", "taxman"]]
    assert state.view(None)["hands"] == [["?", "?"], ["?"], ["?", "?"]]


@pytest.mark.parametrize("seat", VIEWERS)
def test_the_deck_is_hidden_but_for_its_size(seat: int | None) -> None:
    state = state_of(three(deck="cash-5 broker cash-10"))
    assert state.view(seat)["deck"] == ["?", "?", "?"]


@pytest.mark.parametrize("seat", VIEWERS)
def test_firms_and_the_discard_pile_are_public(seat: int | None) -> None:
    made = three(discard="broker crash probe-crime", lost=[0, 1, 2])
    seen = state_of(made).view(seat)
    for key in ("firms", "discard", "lost", "starter", "acted", "offers", "extra", "scores", "moves", "turn"):
        assert seen[key] == made[key]


@pytest.mark.parametrize("seat", VIEWERS)
def test_a_view_has_the_keys_of_a_position_in_their_order(seat: int | None) -> None:
    assert list(state_of(three()).view(seat)) == KEYS


# An offer


def test_while_an_offer_is_built_the_others_see_who_with_whom_and_nothing_more() -> None:
    state = state_of(three())
    played(state, "trade p1", "give cash-5", "give firm cash-25", "want crash", "want firm venture")
    whole = offered(0, 1, give="cash-5", give_firm="cash-25", want="crash", want_firm="venture")
    for seat in VIEWERS:
        seen = state.view(seat)
        assert seen["phase"] == "offer"
        assert as_json(seen["offer"]) == as_json(whole if seat == 0 else offered(0, 1))


def test_once_proposed_its_two_sides_see_it_all_and_third_parties_only_the_firm_cards() -> None:
    state = state_of(three())
    steps = ["give stop", "give cash-5", "give firm cash-25", "want crash", "want firm venture"]
    played(state, "trade p1", *steps, "propose")
    whole = offered(0, 1, give="stop cash-5", give_firm="cash-25", want="crash", want_firm="venture")
    third = whole | {"give": ["?", "?"], "want": ["?"]}
    for seat in VIEWERS:
        assert as_json(state.view(seat)["offer"]) == as_json(whole if seat in (0, 1) else third)


def test_an_offer_that_cannot_be_accepted_looks_the_same_to_everybody_else() -> None:
    """Who doesn't hold what is asked for looks like one who doesn't want to."""
    worlds = []
    for theirs, deck in (("crash", "taxman"), ("taxman", "crash")):
        made = position("cash-5 stop", others=[theirs, "license"], deck=f"{deck} stop stop stop stop stop")
        worlds.append(state_of(made))
    for world in worlds:
        played(world, "trade p1", "give cash-5", "want crash", "propose")
    assert worlds[0].legal_moves != worlds[1].legal_moves
    for step in ("decline", None):
        for seat in (0, 2, None):
            assert as_json(worlds[0].view(seat)) == as_json(worlds[1].view(seat))
            assert worlds[0].log(seat) == worlds[1].log(seat)
        if step:
            for world in worlds:
                world.play(step)


@pytest.mark.parametrize(
    "moves_",
    [
        ["discard dividend", "spare p1", "take", "done"],
        ["trade p1", "give cash-5", "want crash", "propose", "counter", "want cash-5", "drop"],
        ["trade p1", "give cash-5", "propose", "counter", "want stop", "propose", "decline"],
    ],
    ids=["sparing", "a dropped counter-offer", "a declined counter-offer"],
)
def test_sparing_and_countering_look_the_same_whatever_is_hidden(moves_: list[str]) -> None:
    """To everybody but the seat that holds another card in each world."""
    worlds = [
        version_2.start(
            "cash-5 stop dividend license license license license",
            others=[f"{theirs} broker", "license"],
            their=["cash-50", "cash-10"],
            deck=f"{deck} stop stop stop stop stop",
        )
        for theirs, deck in (("crash", "taxman"), ("taxman", "crash"))
    ]
    for move in moves_:
        for world in worlds:
            world.play(move)
        for seat in (0, 2, None):
            one, other = worlds
            assert as_json(one.view(seat)) == as_json(other.view(seat))
            assert one.log(seat) == other.log(seat)
            assert one.figures(seat) == other.figures(seat)


def test_a_dropped_offer_is_told_to_nobody_else() -> None:
    """No card of it appears in another's log."""
    state = state_of(three())
    played(state, "trade p1", "give cash-5", "give firm cash-25", "want crash", "want firm venture", "drop")
    for seat in (1, 2, None):
        told = " ".join(event.move for event in state.log(seat) if isinstance(event, Moved))
        for card in ("cash-5", "cash-25", "crash", "venture"):
            assert card not in told


def test_third_parties_are_not_told_the_hand_cards_of_a_trade() -> None:
    state = state_of(three())
    played(state, "trade p1", "give cash-5", "want crash", "propose", "accept")
    for seat in (2, None):
        told = repr(state.log(seat))
        assert "cash-5" not in told
        assert "crash" not in told
    for seat in (0, 1):
        assert "crash" in repr(state.log(seat))


# Passing


def test_cards_chosen_for_passing_are_seen_by_who_chose_them() -> None:
    made = three(phase="passing", turn=1, acted=True, passing=passing(1, 0, False, "broker", "", ""))
    state = state_of(made)
    for seat in VIEWERS:
        chosen = state.view(seat)["passing"]["chosen"]
        assert chosen == [["broker"] if seat == 0 else ["?"], [], []]
    played(state, "pass crash")
    assert state.view(1)["passing"]["chosen"] == [["?"], ["crash"], []]


def test_passed_cards_are_known_to_giver_and_taker_only() -> None:
    state = start("crash broker", others=["banker", "premium", "stop"])
    played(state, "discard crash", "pass broker", "pass banker", "pass premium", "pass stop")
    knows: dict[int | None, set[str]] = {None: set()}
    knows |= {
        0: {"broker", "banker"},
        1: {"banker", "premium"},
        2: {"premium", "stop"},
        3: {"stop", "broker"},
    }
    for seat, known in knows.items():
        told = repr(state.log(seat))
        assert {card for card in ("broker", "banker", "premium", "stop") if card in told} == known


# The log


def test_a_deal_shows_everybody_their_own_cards() -> None:
    state = kibitz.game("cash").deal(players=4, seed=3)
    for seat in (None, 0, 1, 2, 3):
        drawn = [event for event in state.log(seat) if isinstance(event, Drew)]
        assert len(drawn) == 29
        own = [event.card for event in drawn if event.card != "?"]
        assert Counter(own) == Counter([] if seat is None else state.position()["hands"][seat])


def test_the_order_of_a_hidden_hand_or_deck_reaches_no_view() -> None:
    here = position(
        "cash-5 license", others=["crash stop"], deck="taxman broker stop stop stop stop stop stop"
    )
    there = position(
        "cash-5 license", others=["taxman stop"], deck="broker crash stop stop stop stop stop stop"
    )
    worlds = [state_of(here), state_of(there)]
    for world in worlds:
        played(world, "play cash-5", "done")
    assert as_json(worlds[0].view(0)) == as_json(worlds[1].view(0))
    assert as_json(worlds[0].view(None)) == as_json(worlds[1].view(None))
    assert worlds[0].log(0) == worlds[1].log(0)


@pytest.mark.parametrize("seat", [0, 1, None])
def test_when_over_a_view_equals_the_position(seat: int | None) -> None:
    state = start("stop cash-5", "cash-5", options={"rounds": 1})
    assert state.view(seat) != state.position()
    state.play("play stop")
    assert as_json(state.view(seat)) == as_json(state.position())
    made = finished()
    assert as_json(state_of(made).view(seat)) == as_json(made)


@pytest.mark.parametrize("seat", [0, 1, None])
def test_what_is_done_to_a_view_does_not_reach_the_state(seat: int | None) -> None:
    state = start("crash cash-5", "cash-25 cover-25:cash-5")
    before = as_json(state.position())
    seen = state.view(seat)
    seen["firms"][0]["insured"][0]["cash"].clear()
    seen["firms"][0]["cash"].append("cash-150")
    seen["discard"].append("stop")
    state.position()["hands"][0].clear()
    assert as_json(state.position()) == before


@pytest.mark.parametrize("seat", VIEWERS)
def test_the_twins_view_is_the_engines(seat: int | None) -> None:
    for made in (three(), three(acted=True, lost=[0, 0, 1])):
        assert as_json(state_of(made).view(seat)) == as_json(naive.view(made, seat))
