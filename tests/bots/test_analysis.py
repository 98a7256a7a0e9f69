"""What a kibitzer says of a moment: by what the seat knows, the same each time, and as sure as it says."""

from typing import Any

import numpy as np
import pytest

import kibitz
from kibitz.bots import search
from kibitz.bots.analysis import in_order, sharpened
from kibitz.bots.solvers import solver_of
from kibitz.core.game import Game
from kibitz.core.state import State
from tests.bots.test_bots import midgame

NODES = 200


def deciding(game: Game, seed: int = 4, moves: int = 6) -> State:
    """A state in which somebody has a choice."""
    state = midgame(game, seed, moves)
    while len(state.legal_moves) < 2:
        state.play(state.legal_moves[0])
    return state


def analysed(state: State, **budget: Any) -> kibitz.Analysis:
    return kibitz.analyse(state.observation(state.turn), **{"nodes": NODES, "seed": 1, **budget})


def test_the_same_seed_and_nodes_give_the_same_analysis(game: Game) -> None:
    state = deciding(game)
    assert analysed(state) == analysed(state)
    by_chance = solver_of(game.name) is None
    assert (analysed(state, seed=2) != analysed(state)) is by_chance


def test_it_hangs_on_nothing_that_the_seat_can_not_see(game: Game) -> None:
    state = deciding(game)
    seen = state.observation(state.turn)
    for seed in range(3):
        other = seen.imagine(seed)
        assert other.view(seen.seat) == state.view(seen.seat)
        assert analysed(other) == analysed(state)


def test_every_prospect_is_a_legal_move_with_a_chance_and_its_error(game: Game) -> None:
    state = deciding(game)
    found = analysed(state)
    assert found.seat == state.turn
    assert found.best is found.prospects[0]
    assert found.line[0] == found.best.move
    assert {prospect.move for prospect in found.prospects} <= set(state.legal_moves)
    assert sum(prospect.visits for prospect in found.prospects) >= NODES / 2
    for prospect in found.prospects:
        assert 0 <= prospect.chance <= 1
        assert 0 < prospect.error < 0.5
        assert found.of(prospect.move) is prospect


def test_no_move_is_told_a_higher_chance_than_a_better_one(game: Game) -> None:
    chances = [prospect.chance for prospect in analysed(deciding(game)).prospects]
    assert chances == sorted(chances, reverse=True)


def test_neighbours_out_of_order_are_told_what_they_won_together() -> None:
    finds = np.zeros(4, search.FIND)
    finds["games"], finds["wins"] = [10, 30, 10, 0], [4, 18, 2, 0]
    assert in_order(list(finds)) == [22 / 40, 22 / 40, 2 / 10, 0]


def test_a_sharpened_chance_is_further_from_an_even_one() -> None:
    assert sharpened(0.2, 2, 2.0) == pytest.approx(1 / 17)
    assert [sharpened(chance, 4, 3.0) for chance in (0.0, 0.25, 1.0)] == pytest.approx([0.0, 0.25, 1.0])
    for players in (2, 5):
        told = [sharpened(chance, players, 1.7) for chance in (0.1, 0.3, 0.6, 0.9)]
        assert told == sorted(told)
        assert [sharpened(chance, players, 1 / 1.7) for chance in told] == pytest.approx([0.1, 0.3, 0.6, 0.9])


def test_more_nodes_make_it_surer() -> None:
    state = deciding(kibitz.game("match"))
    assert analysed(state, nodes=2000).best.error < analysed(state, nodes=100).best.error / 2


def test_threads_share_the_work() -> None:
    together = analysed(deciding(kibitz.game("assets")), threads=2)
    visits = sum(prospect.visits for prospect in together.prospects)
    assert 0.9 * NODES < visits <= NODES  # a few are left over when moves are tried side by side


def test_the_last_move_of_an_open_game_has_the_chance_of_its_result() -> None:
    state = midgame(kibitz.game("kaching"), seed=2, moves=10_000)
    assert state.over
    winners = state.winners
    last = state.undo()
    found = analysed(state).of(last)
    assert found is not None
    assert found.chance == (state.turn in winners)


def test_seconds_are_a_budget_too() -> None:
    assert analysed(deciding(kibitz.game("kazink")), nodes=None, seconds=0.05).best.visits > 0


# What is hidden


@pytest.mark.parametrize("name", ["match", "assets", "kazink", "cash"])
def test_a_belief_expects_as_many_cards_as_are_hidden(name: str) -> None:
    state = deciding(kibitz.game(name))
    assert state.turn is not None
    rival = 1 - state.turn
    held = state.view(state.turn)["hands"][rival]
    expected = analysed(state).belief[f"hands/{rival}"]
    assert sum(expected.values()) == pytest.approx(held.count("?"))
    assert list(expected.values()) == sorted(expected.values(), reverse=True)


def test_a_belief_is_about_the_share_of_a_card_among_the_unseen() -> None:
    state = kibitz.game("match").deal(2, seed=1)
    found = kibitz.analyse(state.observation(state.turn), nodes=10, seed=1)
    assert state.turn is not None
    everywhere: dict[str, float] = {}
    for place in (f"hands/{1 - state.turn}", "deck"):
        for card, count in found.belief[place].items():
            everywhere[card] = everywhere.get(card, 0) + count
    position = state.position()
    unseen = position["hands"][1 - state.turn] + position["deck"]
    assert everywhere == pytest.approx({card: unseen.count(card) for card in unseen})


# Asking wrongly


@pytest.mark.parametrize("wrong", [{"nodes": 0}, {"seconds": 0}, {"seconds": -1.0}, {"threads": 0}])
def test_a_budget_that_is_none_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(kibitz.BadOptions, match=next(iter(wrong))):
        analysed(deciding(kibitz.game("kaching")), **wrong)


def test_who_is_not_asked_to_decide_has_nothing_to_analyse() -> None:
    state = kibitz.game("kaching").deal(seed=1)
    assert state.turn is not None
    for seat in (1 - state.turn, None):
        with pytest.raises(kibitz.KibitzError, match="isn't asked to decide"):
            kibitz.analyse(state.observation(seat))
