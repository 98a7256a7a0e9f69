"""A solved position is worth what trying everything says, and its moves are the best there are."""

import random
from typing import Any

import numpy as np
import pytest

import kibitz
from kibitz.bots.solvers import kaching
from kibitz.core.journal import no_journal
from kibitz.core.layout import AnyRecord
from kibitz.core.state import State
from kibitz.games.kaching.rules import CARDS

GAME = kibitz.game("kaching")
POSITIONS = 1000  # small ones, tried out in full


def cards_left(state: State) -> int:
    return int(state.fields().heights.sum())


def late(seed: int, cards: int, **options: Any) -> State:
    """A round that easy bots have played until so many cards are left in columns, or nearly to its end."""
    easy = kibitz.bot("easy", GAME, seed=seed)
    state = GAME.deal(seed=seed, **options)
    while cards_left(state) > cards:
        assert state.turn is not None
        before = state.copy()
        state.play(easy.choose(state.observation(state.turn)))
        if state.over or state.round > 1:
            return before
    return state


# The naive twin: every move is tried, by the rules themselves


def tried_out(state: AnyRecord, known: dict[bytes, int]) -> int:
    """By how much the seat in turn will be ahead at the end of a single round, found by trying everything."""
    key = state.tobytes()
    if key not in known:
        moves = np.zeros(GAME.num_moves, np.int16)
        count = GAME.rules.legal_moves(state, moves)
        known[key] = max(after(state, int(move), known) for move in moves[:count])
    return known[key]


def after(state: AnyRecord, move: int, known: dict[bytes, int]) -> int:
    seat = int(state.turn)
    state = state.copy()
    GAME.rules.play(state, move, no_journal())
    if GAME.rules.is_over(state):
        return int(state.money[seat]) - int(state.money[1 - seat])
    return (1 if state.turn == seat else -1) * tried_out(state, known)


def small_position(seed: int) -> State:
    """A position made up: a few cards in three or four columns, a few owned, little money."""
    chooser = random.Random(seed)
    position = GAME.deal(seed=1, series="single").position()
    deck = [card for column in position["columns"] for card in column]
    chooser.shuffle(deck)
    sizes = chooser.choice([[1, 1, 1], [2, 1, 1], [2, 2, 1], [1, 1, 1, 1], [0, 2, 1, 1], [0, 3, 2]])
    columns = [[deck.pop() for _ in range(size)] for size in sizes]
    stocks = [sorted(deck.pop() for _ in range(chooser.randrange(3))) for _ in range(2)]
    wilds = [chooser.random() < 0.4 for _ in range(2)]
    closing = chooser.choice([1, 2]) if sum(map(bool, columns)) == 2 else 0
    left = sum(map(len, columns)) + sum(map(len, stocks)) + sum(wilds)
    return GAME.from_position(
        position
        | {
            "columns": columns + [[]] * (5 - len(columns)),
            "stocks": [sorted(stock, key=CARDS.numbers.__getitem__) for stock in stocks],
            "wilds": wilds,
            "money": [chooser.choice([0, 2, 4, 5, 8, 30]) for _ in range(2)],
            "sold": 37 - left,
            "closing": closing,
            "phase": "last sale" if closing else "trade",
            "turn": chooser.randrange(2),
        }
    )


def test_small_positions_are_worth_what_trying_everything_says() -> None:
    phases = set()
    for seed in range(POSITIONS):
        state = small_position(seed)
        known: dict[bytes, int] = {}
        found = kibitz.solve(state)
        record = state.fields()
        assert found.margin == tried_out(record, known), state.position()
        best = {move for move in state.legal_moves if after(record, move.id, known) == found.margin}
        assert set(found.best) == best, state.position()
        weighed = kaching.SOLVER.weigh(record, 10**6, lambda _: True)
        assert weighed is not None
        margins = {each.move: each.margin for each in weighed}
        assert margins == {move.id: after(record, move.id, known) for move in state.legal_moves}
        assert weighed[0].margin == found.margin
        phases.add(state.phase)
    assert phases == {"trade", "last sale"}


@pytest.mark.parametrize("seed", range(20))
def test_the_line_leads_to_the_margin(seed: int) -> None:
    state = late(seed, 12)
    seat = state.turn
    assert seat is not None
    found = kibitz.solve(state)
    for move in found.line:
        state.play(move)
    assert state.over
    assert state.scores[seat] - state.scores[1 - seat] == found.margin
    assert found.line[0] == found.best[0]


def test_money_beyond_all_that_is_left_changes_nothing() -> None:
    position = late(3, 10).position()
    rich, richer = (GAME.from_position({**position, "money": [more, more]}) for more in (300, 9000))
    assert kibitz.solve(rich).margin == kibitz.solve(richer).margin


def test_who_cannot_trade_passes() -> None:
    position = late(2, 10).position()
    position |= {"money": [0, 0], "stocks": [[], []], "wilds": [False, False], "turn": 0}
    position["sold"] = 37 - sum(map(len, position["columns"]))
    found = kibitz.solve(GAME.from_position(position))
    assert (found.margin, [str(move) for move in found.best]) == (0, ["pass"])


def test_a_round_of_a_series_is_solved_like_a_single_one() -> None:
    single = late(5, 9, series="single")
    series = late(5, 9, series="best_of", rounds=3)
    assert kibitz.solve(series).margin == kibitz.solve(single).margin


def test_what_isnt_solved_in_time_says_how_far_it_came() -> None:
    with pytest.raises(kibitz.KibitzError, match=r"Not solved within 0\.01 s .* moves ahead") as refused:
        kibitz.solve(GAME.deal(seed=1), seconds=0.01)
    assert refused.value.code == "not-solved"
    assert refused.value.data["move"].startswith("buy")


@pytest.mark.parametrize("seconds", [0, -1.0, float("nan"), float("inf"), True, "1"])
def test_what_is_no_time_is_refused(seconds: Any) -> None:
    with pytest.raises(kibitz.BadOptions, match="seconds"):
        kibitz.solve(GAME.deal(seed=1), seconds=seconds)


def test_a_game_that_hides_cards_cant_be_solved() -> None:
    with pytest.raises(kibitz.KibitzError, match="MATCH! can't be solved"):
        kibitz.solve(kibitz.game("match").deal(seed=1))


def test_a_finished_game_has_nothing_to_solve() -> None:
    state = late(1, 0)
    while not state.over:
        state.play(state.legal_moves[0])
    with pytest.raises(kibitz.KibitzError, match="the game is over"):
        kibitz.solve(state)


def test_a_round_that_its_number_of_moves_may_end_is_refused() -> None:
    position = late(1, 10).position() | {"moves": 190}
    with pytest.raises(kibitz.KibitzError, match="200 moves"):
        kibitz.solve(GAME.from_position(position))


# Analyses


def test_an_analysis_tells_the_margin_of_every_move() -> None:
    state = late(3, 12)
    found = kibitz.analyse(state.observation(state.turn), nodes=2000)
    solution = kibitz.solve(state)
    assert {prospect.move for prospect in found.prospects} == set(state.legal_moves)
    assert found.best.move in solution.best
    assert found.best.margin == solution.margin
    chances = [prospect.chance for prospect in found.prospects]
    assert chances == sorted(chances, reverse=True)
    for move in found.line:
        state.play(move)


def test_the_rounds_of_a_series_are_analysed_by_playing_on() -> None:
    state = late(5, 9, series="best_of", rounds=3)
    assert kaching.SOLVER.weigh(state.fields(), 1000, lambda _: True) is None
    found = kibitz.analyse(state.observation(state.turn), nodes=50, seed=1)
    assert sum(prospect.visits for prospect in found.prospects) == 50


# Bots


def test_a_best_move_is_known_however_small_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """The position that is asked about may have lost its place in the table."""
    monkeypatch.setattr(kaching, "SMALLEST_TABLE", 2)
    monkeypatch.setattr(kaching, "TABLE_SIZE", 2)
    for seed in range(40):
        state = late(seed, 20)
        outlook = kaching.SOLVER.look(state.fields(), 5000, lambda _: True)
        assert outlook.best[0] in [move.id for move in state.legal_moves]


@pytest.mark.parametrize("open_money", [True, False])
def test_a_hard_bot_plays_endings_perfectly(open_money: bool) -> None:
    for seed in range(10):
        state = late(seed, 10, open_money=open_money)
        while state.turn is not None:
            best = kibitz.solve(state).best
            assert kibitz.bot("hard", GAME, seed=1).choose(state.observation(state.turn)) in best
            state.play(best[-1])


def test_a_bot_that_has_not_followed_the_game_does_not_know_the_others_money() -> None:
    """A view without a log says nothing about it, so that the solver is of no use: it guesses."""
    state = late(4, 10, open_money=False)
    seen = GAME.observation(state.view(state.turn))
    assert kaching.SOLVER.knows_enough(state.observation(state.turn).fields())
    assert not kaching.SOLVER.knows_enough(seen.fields())
    assert kibitz.bot("hard", GAME, seed=1, nodes=50).choose(seen) in seen.legal_moves
