"""What each player sees, and what a seat knows beyond its view."""

from collections import Counter
from random import Random

import pytest

import kibitz
from kibitz.core.events import Drew, Moved
from kibitz.core.state import State
from tests.games.match.naive import CARD_ORDER, DECK, view
from tests.games.match.positions import KEYS, as_json, finished, position, start, state_of

pytestmark = pytest.mark.interpreted


def test_a_player_sees_its_own_hand_and_how_many_cards_the_others_have() -> None:
    state = start("R1 W", others=["Y0 Y1 Y2", "P0"])
    assert state.view(0)["hands"] == [["R1", "W"], ["?", "?", "?"], ["?"]]
    assert state.view(2)["hands"] == [["?", "?"], ["?", "?", "?"], ["P0"]]


def test_a_spectator_sees_no_hand() -> None:
    assert start("R1 W", others=["Y0"]).view(None)["hands"] == [["?", "?"], ["?"]]


@pytest.mark.parametrize("seat", [0, 1, None])
def test_the_deck_is_hidden_but_for_its_size(seat: int | None) -> None:
    assert start(deck="Y5 G0 W").view(seat)["deck"] == ["?", "?", "?"]


@pytest.mark.parametrize("seat", [0, 1, None])
def test_collections_and_the_discard_pile_are_public_in_full(seat: int | None) -> None:
    """All of it was played openly. [M9]"""
    made = position(own="R3 R5 R0", their=["G1 G2"], top="W", beneath="B5 B4", called="R", deck="")
    seen = state_of(made).view(seat)
    for key in ("collections", "discard", "called", "starter", "scores", "moves"):
        assert seen[key] == made[key]


@pytest.mark.parametrize("seat", [0, 1, None])
def test_a_view_has_the_keys_of_a_position_in_their_order(seat: int | None) -> None:
    assert list(start().view(seat)) == KEYS


@pytest.mark.parametrize("seat", [0, 1, None])
def test_when_over_a_view_equals_the_position(seat: int | None) -> None:
    state = start("R3", top="R2", options={"rounds": 1})
    assert state.view(seat) != state.position()
    state.play("match R3")
    assert as_json(state.view(seat)) == as_json(state.position())
    made = finished()
    assert as_json(state_of(made).view(seat)) == as_json(made)


def test_a_drawn_card_is_shown_to_who_drew_it_only() -> None:
    state = start("G5 R3", top="R2", deck="Y4", others=["P0", "P1"])
    state.play("collect G5")
    for seat, card in [(0, "Y4"), (1, "?"), (2, "?"), (None, "?")]:
        assert state.log(seat) == (Moved(0, "collect G5"), Drew(0, card))


def test_a_deal_shows_everybody_their_own_five_cards() -> None:
    state = kibitz.game("match").deal(players=4, seed=3)
    for seat in (None, 0, 1, 2, 3):
        drawn = [event for event in state.log(seat) if isinstance(event, Drew)]
        assert len(drawn) == 20
        own = [event.card for event in drawn if event.card != "?"]
        assert Counter(own) == Counter([] if seat is None else state.position()["hands"][seat])
        assert all(event.seat == seat for event in drawn if event.card != "?")


def test_the_order_of_a_hidden_hand_or_deck_reaches_no_view() -> None:
    """Two worlds that differ in what seat 0 doesn't see look the same to it."""
    here = position("R1 G5", others=["Y0 P0"], deck="Y4 B4")
    there = position("R1 G5", others=["Y4 B4"], deck="P0 Y0")
    worlds = [state_of(here), state_of(there)]
    for world in worlds:
        world.play("match R1")
    assert as_json(worlds[0].view(0)) == as_json(worlds[1].view(0))
    assert as_json(worlds[0].view(None)) == as_json(worlds[1].view(None))


@pytest.mark.parametrize("seat", [0, 1, None])
def test_what_is_done_to_a_view_does_not_reach_the_state(seat: int | None) -> None:
    state = start(own="R3")
    before = as_json(state.position())
    seen = state.view(seat)
    seen["collections"][0]["R"].clear()
    seen["discard"].append("W")
    state.position()["hands"][0].clear()
    assert as_json(state.position()) == before


# What a seat knows beyond its view


def imagined(state: State, seat: int, seed: int) -> State:
    """A state that the seat takes for possible."""
    return state.observation(seat).imagine(seed)


def test_an_imagined_deal_is_a_whole_one_and_looks_the_same() -> None:
    state = kibitz.game("match").deal(players=4, seed=3)
    for seat in range(4):
        for seed in range(5):
            other = imagined(state, seat, seed).position()
            assert view(other, seat) == state.view(seat)
            cards = [card for hand in other["hands"] for card in hand] + other["deck"] + other["discard"]
            assert sorted(cards, key=CARD_ORDER.index) == DECK


def test_imagined_hands_are_of_all_kinds() -> None:
    state = kibitz.game("match").deal(players=2, seed=3)
    seen = {card for seed in range(80) for card in imagined(state, 0, seed).position()["hands"][1]}
    assert seen == set(DECK)


def test_who_has_seen_the_deck_made_anew_knows_what_the_others_hold() -> None:
    """The deck is empty, so what is not open is in the other's hand; and it isn't in the new deck."""
    state = start("G5 R3 R4", top="R2", deck="", others=["Y1 B3 P5"])
    state.play("collect G5")
    for seed in range(10):
        assert imagined(state, 0, seed).position()["hands"] == state.position()["hands"]
        mine = imagined(state, 1, seed).position()["hands"][0]
        assert Counter(["R3", "R4"]) <= Counter(mine)  # and the card that seat 0 has drawn from the new deck


def test_with_three_players_it_is_known_what_the_others_hold_together() -> None:
    state = start("G5 R3 R4", top="R2", deck="", others=["Y1 B3", "P5 P0"])
    state.play("collect G5")
    held = [imagined(state, 0, seed).position()["hands"][1:] for seed in range(30)]
    assert all(Counter(one + other) == Counter(["Y1", "B3", "P5", "P0"]) for one, other in held)
    assert len({tuple(one) for one, _ in held}) > 1


def test_before_that_nothing_is_known() -> None:
    for state in (start(deck="R5"), kibitz.game("match").deal(seed=1)):
        for seat in (0, 1):
            assert not state.observation(seat).fields().outside.any()


def test_a_next_round_forgets_it() -> None:
    state = start("G5 R3", top="R2", deck="", others=["R1"])
    state.play("collect G5")
    assert state.observation(1).fields().outside.any()
    state.play("match R1")
    assert state.round == 2
    for seat in (0, 1):
        assert not state.observation(seat).fields().outside.any()


@pytest.mark.parametrize("players", [2, 3, 6])
def test_the_truth_always_satisfies_what_is_known_and_the_log_tells_it(players: int) -> None:
    """No more of a card is in the deck than a seat takes for possible; a view and its log say the same."""
    copies = Counter(DECK)
    reshuffles = 0
    for seed in range(4):
        rng = Random(seed)
        state = kibitz.game("match").deal(players=players, seed=seed, rounds=2, target=500)
        while not state.over:
            deck = Counter(state.position()["deck"])
            for seat in range(players):
                record = state.observation(seat).fields()
                reshuffles += int(record.outside[0])
                for number, card in enumerate(CARD_ORDER, 1):
                    assert deck[card] <= copies[card] - record.outside[number]
            seen = state.observation(state.turn)
            outside = state.game.observation(seen.view, seen.log)
            assert outside.fields().tobytes() == seen.fields().tobytes()
            longest = [move for move in state.legal_moves if "collect" in str(move)]
            state.play(rng.choice(longest or state.legal_moves))
    assert reshuffles > 0


def test_a_log_of_only_a_part_of_the_round_tells_nothing_wrong() -> None:
    state = kibitz.game("match").deal(players=2, seed=1)
    state.play(state.legal_moves[0])
    seen = state.observation(state.turn)
    later = state.game.observation(seen.view, seen.log[-2:])
    assert not later.fields().outside.any()
    assert later.legal_moves == seen.legal_moves
