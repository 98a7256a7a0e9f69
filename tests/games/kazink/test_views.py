"""What each player sees, and what a seat knows beyond its view."""

from collections import Counter
from random import Random

import pytest

import kibitz
from kibitz.core.events import Drew, Moved
from kibitz.core.state import State
from tests.games.kazink.naive import DECK, KEYS, in_order, view
from tests.games.kazink.positions import (
    DEAD_SPADES,
    as_json,
    crowned,
    finished,
    played,
    position,
    start,
    state_of,
)

pytestmark = pytest.mark.interpreted


def test_a_player_sees_its_own_hand_and_how_many_cards_the_others_have() -> None:
    state = start("S W", others=["H D C", "K"])
    assert state.view(0)["hands"] == [["S", "W"], ["?", "?", "?"], ["?"]]
    assert state.view(2)["hands"] == [["?", "?"], ["?", "?", "?"], ["K"]]


def test_a_spectator_sees_no_hand() -> None:
    assert start("S W", others=["H"]).view(None)["hands"] == [["?", "?"], ["?"]]


@pytest.mark.parametrize("seat", [0, 1, None])
def test_the_deck_is_hidden_but_for_its_size(seat: int | None) -> None:
    assert start(deck="S K W").view(seat)["deck"] == ["?", "?", "?"]


@pytest.mark.parametrize("seat", [0, 1, None])
def test_all_else_is_public(seat: int | None) -> None:
    made = position("S U", crowned("a1", "B") | {"b1": "YB"}, deck="H", swapped=True, idle=1)
    seen = state_of(made).view(seat)
    assert {key: seen[key] for key in KEYS if key not in ("hands", "deck")} == {
        key: made[key] for key in KEYS if key not in ("hands", "deck")
    }


@pytest.mark.parametrize("seat", [0, 1, None])
@pytest.mark.parametrize("phase", ["turn", "shift", "place"])
def test_a_view_is_the_position_but_for_hands_and_deck(seat: int | None, phase: str) -> None:
    made = position("S K", {"a1": "YY", "b1": "Y"}, discard="U", phase=phase)
    assert as_json(state_of(made).view(seat)) == as_json(view(made, seat))


@pytest.mark.parametrize("seat", [0, 1, None])
def test_a_view_has_the_keys_of_a_position_in_their_order(seat: int | None) -> None:
    assert list(start().view(seat)) == KEYS


@pytest.mark.parametrize("seat", [0, 1, None])
def test_when_over_a_view_equals_the_position(seat: int | None) -> None:
    state = start("K H", crowned("a1 a2 a3 a4"))
    assert state.view(seat) != state.position()
    state.play("K a5")
    assert state.over
    assert as_json(state.view(seat)) == as_json(state.position())
    assert as_json(state_of(finished()).view(seat)) == as_json(finished())


def test_a_drawn_card_is_shown_to_who_drew_it_only() -> None:
    state = start("S H", deck="W", others=["S", "S", "S"])
    state.play("S a1")
    for seat, card in [(0, "W"), (1, "?"), (2, "?"), (3, "?"), (None, "?")]:
        assert state.log(seat) == (Moved(0, "S a1"), Drew(0, card))


def test_a_swap_shows_the_dead_card_and_not_the_new_one() -> None:
    state = start("S H", DEAD_SPADES, deck="W")
    state.play("swap S")
    assert state.log(1) == (Moved(0, "swap S"), Drew(0, "?"))
    assert state.view(1)["hands"][0] == ["?", "?"]
    assert state.view(1)["discard"][-1] == "S"


def test_a_deal_shows_everybody_their_own_cards_only() -> None:
    state = kibitz.game("kazink").deal(players=4, seed=3)
    for seat in (None, 0, 1, 2, 3):
        drawn = [event for event in state.log(seat) if isinstance(event, Drew)]
        assert len(drawn) == 12
        own = [event.card for event in drawn if event.card != "?"]
        assert Counter(own) == Counter([] if seat is None else state.position()["hands"][seat])
        assert all(event.seat == seat for event in drawn if event.card != "?")


def test_what_is_hidden_reaches_no_view_by_another_way() -> None:
    """Two worlds that differ in what seats 0 and 2 don't see look the same to them."""
    here = position("S D", others=["H K", "S"], deck="W C H")
    there = position("S D", others=["W C", "S"], deck="K H H")
    worlds = [state_of(here), state_of(there)]
    for world in worlds:
        world.play("S a1")
    for viewer in (0, 2, None):
        assert as_json(worlds[0].view(viewer)) == as_json(worlds[1].view(viewer))
        assert worlds[0].log(viewer) == worlds[1].log(viewer)
    assert worlds[0].view(1) != worlds[1].view(1)


@pytest.mark.parametrize("seat", [0, 1, None])
def test_what_is_done_to_a_view_does_not_reach_the_state(seat: int | None) -> None:
    state = start(board={"a1": "YB"})
    before = as_json(state.position())
    seen = state.view(seat)
    seen["board"]["a1"] = "R"
    seen["discard"].append("W")
    state.position()["hands"][0].clear()
    assert as_json(state.position()) == before


# What a seat knows beyond its view


def imagined(state: State, seat: int, seed: int) -> State:
    """A state that the seat takes for possible."""
    return state.observation(seat).imagine(seed)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_an_imagined_deal_is_a_whole_one_and_looks_the_same(players: int) -> None:
    state = kibitz.game("kazink").deal(players=players, seed=3)
    for seat in range(players):
        for seed in range(5):
            other = imagined(state, seat, seed).position()
            assert view(other, seat) == state.view(seat)
            cards = [card for hand in other["hands"] for card in hand] + other["deck"] + other["discard"]
            assert in_order(cards) == DECK


def test_imagined_hands_are_of_all_kinds() -> None:
    state = kibitz.game("kazink").deal(players=2, seed=3)
    seen = {card for seed in range(80) for card in imagined(state, 0, seed).position()["hands"][1]}
    assert seen == set(DECK)


def test_who_has_seen_the_deck_made_anew_knows_what_the_other_holds() -> None:
    """All discards lay open, so what is neither there nor in the own hand is in the other's."""
    state = start("S H", others=["W K C"], deck="")
    state.play("S a1")
    assert state.position()["deck"] != []
    for seed in range(10):
        assert imagined(state, 0, seed).position()["hands"][1] == ["C", "W", "K"]
        assert "H" in imagined(state, 1, seed).position()["hands"][0]


def test_with_three_players_it_is_known_what_the_others_hold_together() -> None:
    state = start("S H", others=["W K", "C U"], deck="")
    state.play("S a1")
    held = [imagined(state, 0, seed).position()["hands"][1:] for seed in range(30)]
    assert all(Counter(one + other) == Counter("WKCU") for one, other in held)
    assert len({tuple(one) for one, _ in held}) > 1


def test_a_card_that_was_known_and_is_played_is_known_no_longer() -> None:
    state = start("S H", others=["S S D"], deck="", options={"hand": 3})
    played(state, "S a1", "S b2")
    for seed in range(10):
        hand = Counter(imagined(state, 0, seed).position()["hands"][1])
        assert hand.total() == 3
        assert hand >= Counter("SD")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_a_seat_imagines_always_looks_the_same_to_it(players: int) -> None:
    rng = Random(players)
    state = kibitz.game("kazink").deal(players=players, seed=players)
    while not state.over:
        for seat in range(players):
            other = imagined(state, seat, rng.randrange(1000))
            assert view(other.position(), seat) == state.view(seat)
            assert other.observation(seat).fields().tobytes() == state.observation(seat).fields().tobytes()
        state.play(rng.choice(state.legal_moves))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_view_and_its_log_tell_a_bot_from_outside_the_same(players: int) -> None:
    rng = Random(players)
    state = kibitz.game("kazink").deal(players=players, seed=players)
    while not state.over:
        seen = state.observation(state.turn)
        outside = state.game.observation(seen.view, seen.log)
        assert outside.fields().tobytes() == seen.fields().tobytes()
        assert outside.legal_moves == seen.legal_moves
        state.play(rng.choice(state.legal_moves))
