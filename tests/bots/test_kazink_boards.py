"""What boards of Kazink! are worth by what was learned: looked up whole, and by what a move changes."""

import random
from collections.abc import Iterator

import numpy as np
import pytest

import kibitz
from kibitz.bots.heuristics import kazink
from kibitz.bots.heuristics import kazink_boards as boards
from kibitz.core.layout import AnyRecord
from kibitz.core.state import State
from kibitz.games.kazink import board, rules

GAME = kibitz.game("kazink")


def rated(state: State) -> dict[str, float]:
    """How a search rates each legal move."""
    moves = np.array([move.id for move in state.legal_moves], np.int16)
    ratings = np.zeros(len(moves))
    kazink.rate_all(state.fields(), moves, len(moves), ratings)
    return dict(zip(map(str, state.legal_moves), ratings.tolist(), strict=True))


def summed(state: AnyRecord, seat: int | None) -> float:
    """A board looked up as a whole."""
    assert seat is not None
    looks, places = np.zeros(board.NUM_SPACES, np.int8), np.zeros(boards.NUM_PLACES, np.int32)
    boards.look_up(state, seat, looks, places)
    return float(boards.sum_up(state, boards.WORTHS, places))


def after(state: State, move: str) -> AnyRecord:
    """What a move leads to, with the hand before its draw."""
    then = state.copy()
    then.play(move)
    fields = then.fields()
    fields.hands[state.turn] = state.fields().hands[state.turn]
    if state.phase == "turn":
        fields.hands[state.turn, rules.CARDS.read(move[0], "card")] -= 1
    return fields


@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_a_move_adds_is_the_difference_of_two_boards(players: int) -> None:
    luck, compared = random.Random(players), 0
    for seed in range(4):
        state = GAME.deal(players, seed=seed)
        while not state.over:
            before = summed(state.fields(), state.turn)
            for move, rating in rated(state).items():
                if move == "U" or move.startswith(("swap", "discard")):
                    continue
                then = after(state, move)
                if not rules.is_over(then):
                    assert rating == summed(then, state.turn) - before, (seed, len(state.history), move)
                    compared += 1
            state.play(luck.choice(state.legal_moves))
    assert compared > 1000


def test_a_double_up_is_rated_by_its_best_shift_and_its_best_chip() -> None:
    state = next(found for found in games_from(2) if "U" in rated(found) and len(found.history) > 20)
    rating = rated(state)["U"]
    fields = state.fields()
    assert state.turn is not None
    looks, places = np.zeros(board.NUM_SPACES, np.int8), np.zeros(boards.NUM_PLACES, np.int32)
    boards.look_up(fields, state.turn, looks, places)
    laid = boards.rate_laying(fields, boards.WORTHS, rules.DOUBLE_UP_CARD, places)
    state.play("U")
    shifted = max(rated(state).values())
    state.play("stay")
    assert rating == shifted + max(rated(state).values()) + laid


def games_from(players: int) -> Iterator[State]:
    """Moments of random games."""
    for seed in range(100):
        luck, state = random.Random(seed), GAME.deal(players, seed=seed)
        while not state.over:
            yield state.copy()
            state.play(luck.choice(state.legal_moves))


def test_a_row_that_wins_is_more_than_any_worth() -> None:
    for state in games_from(2):
        for move, rating in rated(state).items():
            then = state.copy()
            then.play(move)
            if then.ending is not None and then.ending.code == "rows" and then.winners == (state.turn,):
                assert rating >= boards.WON / 2
                return
    pytest.fail("No row was ever in reach.")


def test_the_last_crown_is_rated_by_who_then_has_most() -> None:
    fields = GAME.deal(2, seed=1).fields()
    for mine, theirs, expected in ((9, 10, 0.0), (8, 11, boards.LOST), (11, 8, boards.WON)):
        fields.crowns[0], fields.crowns[1] = (1 << mine) - 1, ((1 << theirs) - 1) << mine
        fields.rows[0] = fields.rows[1] = 0
        assert boards.rate_last_crown(fields, 0, 0) == expected
    fields.crowns[0], fields.crowns[1] = (1 << 9) - 1, ((1 << 10) - 1) << 9
    assert boards.rate_last_crown(fields, 0, 1) == boards.WON


@pytest.mark.parametrize("players", [2, 3, 4])
def test_chances_of_all_sides_are_one(players: int) -> None:
    for state, _ in zip(games_from(players), range(200), strict=False):
        chances = [boards.chance_of(state.fields(), boards.WORTHS, seat) for seat in range(players)]
        assert sum(chances[: 2 if players != 3 else 3]) == pytest.approx(1)
        assert players != 4 or chances[2:] == chances[:2]


def test_on_the_smaller_board_the_rules_of_thumb_hold() -> None:
    state = GAME.deal(2, seed=1, board="20")
    assert rated(state) == {str(move): kazink.rate(state.fields(), move.id) for move in state.legal_moves}


def test_who_looks_ahead_looks_into_eight_moves() -> None:
    state = next(found for found in games_from(2) if len(found.legal_moves) > 20)
    bot = kibitz.bot("medium", GAME, seed=1)
    assert bot.choose(state.observation(state.turn)) in state.legal_moves
    assert bot.visits is not None
    best = sorted(rated(state).values(), reverse=True)[: kazink.HEURISTICS.width]
    looked_into = [rated(state)[str(GAME.moves[move])] for move in bot.visits]
    assert sorted(looked_into, reverse=True) == best


def test_the_worths_are_learned_from_millions_of_games() -> None:
    with np.load(boards.FILE) as kept:
        assert all(kept[f"games_{players}"] >= 1_000_000 for players in (2, 3, 4))
        assert all(np.abs(kept[f"players_{players}"]).max() > 40 for players in (2, 3, 4))
