"""A game looked at again: luck and play add up, and a planted blunder is found."""

import pickle
from functools import cache
from statistics import mean
from typing import Any

import numpy as np
import pytest

import kibitz
from kibitz.bots import totals
from kibitz.bots.review import Review, Stopped, _Reader, review
from kibitz.core.game import Game
from kibitz.core.record import Record
from tests.conftest import brief

QUICK: Any = {"games": 16, "nodes": 40}


def played(game: Game, seed: int = 1) -> Record:
    """A game that easy bots have played."""
    state = brief(game, seed)
    bot = kibitz.bot("easy", game, seed)
    while state.turn is not None:
        state.play(bot.choose(state.observation(state.turn)))
    return state.record()


@cache
def reviewed(name: str) -> Review:
    """What is found in such a game."""
    return review(played(kibitz.game(name)), **QUICK)


def parts(found: Review, seat: int) -> float:
    reckoning = found.reckonings[seat]
    return sum(share.value for share in (reckoning.before, reckoning.luck, reckoning.own, reckoning.others))


def test_luck_and_play_add_up_to_the_result(game: Game) -> None:
    record = played(game)
    found = reviewed(game.name)
    end = record.replay()
    for seat in range(end.players):
        assert found.reckonings[seat].result == (seat in end.winners)
        assert parts(found, seat) == pytest.approx(found.reckonings[seat].result)
    assert len(found.moments) == len(record.moves) + 1
    for before, after in zip(found.moments, found.moments[1:], strict=False):
        for seat in range(end.players):
            change = after.chances[seat] - before.chances[seat]
            assert after.play[seat] + after.luck[seat] == pytest.approx(change)


def test_where_nothing_is_drawn_nothing_is_luck() -> None:
    """Ka-Ching! deals once: all that comes after that is play."""
    found = reviewed("kaching")
    assert any(found.moments[0].luck)
    assert not any(any(moment.luck) for moment in found.moments[1:])


@pytest.mark.parametrize(("name", "players"), [("match", 3), ("assets", 2)])
def test_totals_between_rounds_win_as_often_as_they_are_told_to(name: str, players: int) -> None:
    """In other games than those that it was learned from."""
    begun = kibitz.game(name).deal(players, seed=1)
    weights = totals.weights_of(begun)
    rows, won = totals.rounds_between(name, totals.not_dealt(begun), games=1000, seed=2)
    worth = totals.onward_kernels(name).totals_worth.py_func
    state = begun.fields()
    told = np.zeros(won.shape)
    for row, (number, *scores) in enumerate(rows.tolist()):
        state.round_number, state.scores[:players] = int(number), scores
        told[row] = [worth(state, seat, weights) for seat in range(players)]
    assert told.sum(axis=1) == pytest.approx(1)
    for least in (0, 0.2, 0.4, 0.6, 0.8):
        here = (told >= least) & (told < least + 0.2)
        assert told[here].mean() == pytest.approx(won[here].mean(), abs=0.06)


def test_games_of_one_round_and_of_teams_are_played_to_their_end() -> None:
    for name, players in (("kaching", 2), ("kazink", 2), ("kazink", 4)):
        assert len(totals.weights_of(kibitz.game(name).deal(players, seed=1))) == 0


def test_a_long_game_tells_luck_from_play_to_within_a_few_points() -> None:
    """Some 200 moves: estimates that weren't made side by side would leave 20 points or more in doubt."""
    found = review(played(kibitz.game("match"), seed=2), nodes=20, games=256)
    assert len(found.moments) > 100
    for sums in found.reckonings:
        assert max(sums.luck.error, sums.own.error, sums.others.error) < 0.08


@pytest.mark.parametrize(
    ("name", "options", "deal", "gap"),
    [
        ("kaching", {}, 4, 0.4),
        ("kaching", {}, 5, 0.4),
        ("kaching", {}, 6, 0.4),
        ("match", {"rounds": 2}, 1, 0.2),
        ("match", {"rounds": 2}, 2, 0.2),
        ("match", {"rounds": 2}, 3, 0.2),
        ("kazink", {}, 5, 0.25),
        ("assets", {"rounds": 1}, 2, 0.2),
        ("assets", {"rounds": 1}, 3, 0.2),
        ("assets", {"rounds": 1}, 4, 0.2),
        ("cash", {"rounds": 1}, 5, 0.25),
    ],
)
def test_a_planted_blunder_is_found_first(name: str, options: dict[str, Any], deal: int, gap: float) -> None:
    """In the middle of a game between strong players one makes the worst move there is."""
    game = kibitz.game(name)
    state = game.deal(2, seed=deal, **options)
    bot = kibitz.bot("hard", game, seed=1)
    blunder = None
    while state.turn is not None:
        seen = state.observation(state.turn)
        if blunder is None and len(state.history) > 12 and len(state.legal_moves) > 3:
            analysis = kibitz.analyse(seen, nodes=2000, seed=1)
            tried = [found for found in analysis.prospects if found.visits > 20]
            worst = min(tried, key=lambda found: found.chance)
            if analysis.best.chance > worst.chance + gap:
                blunder = len(state.history), state.turn
                state.play(worst.move)
                continue
        state.play(bot.choose(seen))
    assert blunder is not None
    number, seat = blunder
    found = review(state.record(), games=256)
    assert found.costliest(seat)[0].number == number
    assert found.costliest(seat)[0].loss > gap / 2
    others = [one.loss for one in found.decisions if one.number != number]
    assert sum(others) / len(others) < 0.03  # strong players lose almost nothing


@pytest.mark.parametrize("name", kibitz.games())
def test_an_experts_own_moves_lose_almost_nothing(name: str) -> None:
    """With a small part of its nodes, against an easy bot, whose moves lose more than twice as much."""
    game = kibitz.game(name)
    state = brief(game, seed=1)
    expert, easy = kibitz.bot("expert", game, seed=1, nodes=3000), kibitz.bot("easy", game, seed=1)
    while state.turn is not None:
        bot = easy if state.turn else expert
        state.play(bot.choose(state.observation(state.turn)))
    found = review(state.record(), games=256)
    mine, others = ([one.loss for one in found.decisions if (one.seat == 0) is own] for own in (True, False))
    assert mean(mine) < min(0.01, mean(others) / 2)


def test_a_decision_is_judged_by_what_its_seat_could_know(game: Game) -> None:
    """Twin worlds: to whom both look alike, the same move is the best one in both, and costs as much."""
    state = brief(game, seed=2)
    bot = kibitz.bot("easy", game, seed=2)
    for _ in range(12):
        while len(state.legal_moves) < 2:
            state.play(state.legal_moves[0])
        assert state.turn is not None
        made = str(bot.choose(state.observation(state.turn)))
        seen = state.observation(state.turn)
        twins = [seen.imagine(number) for number in range(2)]
        reader = _Reader(state, 32, 60, seed=1)
        looks = [
            reader.look(0, world, made, by_chance=True, seats=[state.turn]).decision
            for world in (state, *twins)
        ]
        assert looks[0] is not None
        assert looks[0] == looks[1] == looks[2]
        state.play(made)
        if state.over:
            break


def test_threads_and_their_order_change_nothing() -> None:
    assert review(played(kibitz.game("match")), threads=2, **QUICK) == reviewed("match")


def test_only_the_decisions_of_the_seats_asked_for_are_looked_into() -> None:
    found = review(played(kibitz.game("match")), [1], **QUICK)
    assert {decision.seat for decision in found.decisions} == {1}


def test_progress_is_told_and_it_can_be_stopped() -> None:
    record = played(kibitz.game("kaching"))
    heard: list[tuple[int, int]] = []
    review(record, report=lambda done, total: heard.append((done, total)), **QUICK)
    assert heard == [(done, len(record.moves) + 1) for done in range(1, len(record.moves) + 2)]

    def stop(done: int, total: int) -> None:
        raise Stopped

    with pytest.raises(Stopped):
        review(record, report=stop, **QUICK)


def test_a_review_that_was_stopped_goes_on_where_it_was() -> None:
    record = played(kibitz.game("kaching"))
    so_far, found, heard = None, None, list[int]()

    def stop_now_and_then(done: int, total: int) -> None:
        heard.append(done)
        if done % 5 == 0:
            raise Stopped

    while found is None:
        try:
            found = review(record, report=stop_now_and_then, so_far=so_far, **QUICK)
        except Stopped as stopped:
            so_far = pickle.loads(pickle.dumps(stopped.so_far))  # as it goes from process to process
    assert heard == list(range(1, len(record.moves) + 2))
    assert found == reviewed("kaching")


def test_a_game_that_was_broken_off_ends_with_the_chance_there_was_then() -> None:
    whole = played(kibitz.game("kaching"))
    broken_off = Record.parse(whole.json()).begin()
    for move in whole.moves[:6]:
        broken_off.play(move)
    found = review(broken_off.record(), **QUICK)
    assert not found.over
    assert len(found.moments) == 7
    for seat, sums in enumerate(found.reckonings):
        parts = sums.before.value + sums.luck.value + sums.own.value + sums.others.value
        assert parts == pytest.approx(sums.result)
        assert sums.result == found.moments[-1].chances[seat]
        assert 0 < sums.result < 1
    assert reviewed("kaching").over


def test_a_game_in_which_nothing_was_played_is_refused() -> None:
    state = kibitz.game("match").deal(2, seed=1)
    with pytest.raises(kibitz.KibitzError, match="Nothing was played"):
        review(state.record())


def test_a_record_that_is_not_what_it_says_is_refused() -> None:
    record = played(kibitz.game("kaching"))
    other = Record.parse(record.json().replace(record.moves[0], "pass", 1))
    with pytest.raises(kibitz.BadRecord):
        review(other, **QUICK)


def test_a_seat_that_is_not_there_is_refused() -> None:
    with pytest.raises(kibitz.KibitzError, match="no seat 7"):
        review(played(kibitz.game("kaching")), [7], **QUICK)
