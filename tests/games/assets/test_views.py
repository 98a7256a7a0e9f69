"""What each player sees."""

from copy import deepcopy
from random import Random
from typing import Any

import pytest

import kibitz
from kibitz.core.conformance import check_game, check_leaks
from kibitz.core.events import Drew
from kibitz.core.kernel import JIT
from tests.games.assets import naive
from tests.games.assets.positions import KEYS, as_json, duel, finished, played, position, start, state_of

pytestmark = pytest.mark.interpreted

HANDS = ["home auto", "bank gold", "piggy piggy"]


def test_a_player_sees_its_own_hand_and_how_many_the_others_hold() -> None:
    state = start(HANDS)
    assert state.view(1)["hands"] == [["?", "?"], ["bank", "gold"], ["?", "?"]]


def test_a_spectator_sees_no_hand() -> None:
    assert start(HANDS).view(None)["hands"] == [["?", "?"]] * 3


@pytest.mark.parametrize("seat", [0, 1, 2, None])
def test_nobody_sees_the_deck_but_how_many_cards_it_has(seat: int | None) -> None:
    made = position(HANDS)
    assert state_of(made).view(seat)["deck"] == ["?"] * len(made["deck"])


@pytest.mark.parametrize("seat", [0, 1, 2, None])
def test_the_rest_is_public_the_discard_pile_too(seat: int | None) -> None:
    made = position(HANDS, ["home home", "auto auto | bank gold", ""], discard="home gold piggy", turn=2)
    view = state_of(made).view(seat)
    assert list(view) == KEYS
    assert as_json(view | {"hands": made["hands"], "deck": made["deck"]}) == as_json(made)


@pytest.mark.parametrize("seat", [0, 1, 2, None])
def test_cards_shown_in_a_duel_are_public(seat: int | None) -> None:
    """[A6]"""
    made = position(
        HANDS,
        ["home home", "auto auto | bank gold", ""],
        phase="duel",
        duel=duel(0, 1, "bank", "bank"),
    )
    assert state_of(made).view(seat)["duel"] == duel(0, 1, "bank", "bank")


@pytest.mark.parametrize("seat", [0, 1, None])
def test_when_over_a_view_equals_the_position(seat: int | None) -> None:
    """Also the deck, and the hands that the cap left over."""
    state = start(["home home auto", "piggy"], moves=1999, options={"rounds": 1})
    state.play("pair home home")
    assert as_json(state.view(seat)) == as_json(state.position())
    assert state.view(seat)["deck"]
    made = finished()
    assert as_json(state_of(made).view(seat)) == as_json(made)


def test_a_forced_yield_looks_like_a_free_one() -> None:
    """Whether the victim could have defended shows nowhere. [A8]"""
    made = position(["home auto", "piggy piggy"], ["bank bank", "coins coins | home home"])
    twin = deepcopy(made)
    assert twin["deck"][:2] == ["home", "home"]
    twin["hands"][1], twin["deck"][:2] = twin["deck"][:2], twin["hands"][1]
    worlds = [state_of(made), state_of(twin)]
    for world in worlds:
        played(world, "steal p1 with home", "yield")
    for seat in (0, None):
        assert as_json(worlds[0].view(seat)) == as_json(worlds[1].view(seat))
        assert worlds[0].log(seat) == worlds[1].log(seat)


def test_only_the_drawer_sees_what_is_drawn() -> None:
    state = start(["home home auto", "piggy"], deck="coins stamps")
    state.play("pair home home")
    drawn = {
        seat: [event.card for event in state.log(seat) if isinstance(event, Drew)] for seat in (None, 0, 1)
    }
    assert drawn == {None: ["?", "?"], 0: ["stamps", "coins"], 1: ["?", "?"]}


def test_an_imagined_hand_is_made_of_unseen_cards() -> None:
    """With an empty deck two players know each other's hand: it is what is left."""
    state = start(["home auto", "piggy gold"], deck="")
    assert state.observation(0).imagine(1).position() == state.position()


def test_the_game_keeps_its_promises() -> None:
    games = 10 if JIT else 2
    assert check_game(kibitz.game("assets"), games) > 30 * games


def test_twin_worlds_look_the_same_to_who_cannot_see_the_difference() -> None:
    games = 20 if JIT else 4
    assert check_leaks(kibitz.game("assets"), naive.view, games) >= 2 * games


def test_an_observation_from_outside_is_the_same() -> None:
    rng = Random(5)
    for seed in range(6):
        state = kibitz.game("assets").deal(2 + seed % 5, seed=seed, rounds=1, forgetful=seed % 2 == 1)
        for _ in range(30):
            state.play(rng.choice(state.legal_moves))
            if state.turn is None:
                break
            inside = state.observation(state.turn)
            outside = state.game.observation(inside.view, inside.log)
            assert outside.fields().tobytes() == inside.fields().tobytes()
            assert outside.legal_moves == inside.legal_moves


def test_what_is_done_to_a_view_does_not_reach_the_state() -> None:
    state = start(HANDS, ["home home", "", ""])
    before = as_json(state.position())
    view: Any = state.view(0)
    view["hands"][0].clear()
    view["stacks"][0][0]["cards"].clear()
    view["limits"][0] = 1
    assert as_json(state.position()) == before
