"""Many games at once."""

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest

import kibitz
import kibitz.envs.gymnasium
from kibitz.bots import batches, stepping
from kibitz.core.errors import BadOptions, IllegalMove
from kibitz.core.game import Game
from kibitz.envs.vector import VectorSeatEnv
from tests.conftest import BRIEF

STEPS = 150


def test_each_game_is_seen_as_its_own_state_shows_it(game: Game) -> None:
    """Only changes are written, so it is looked at after many steps and new deals."""
    options: dict[str, Any] = BRIEF.get(game.name, {})
    batch = kibitz.batch(game, players=game.players[-1], n=6, seed=1, **options)
    ended = 0
    for _ in range(STEPS):
        batch.step(batch.sample())
        ended += int(batch.done.sum())
        for number in range(0, batch.n, 2):
            state = batch.state(number)
            assert state.turn == batch.turns[number]
            assert np.array_equal(state.tensor(int(batch.turns[number])), batch.observations[number])
            assert np.array_equal(state.mask, batch.masks[number])
    ended += batch.playout().games
    assert ended >= batch.n


def test_a_step_is_what_the_state_plays() -> None:
    batch = kibitz.batch("match", players=3, n=5, seed=4, rounds=1)
    states = [batch.state(number) for number in range(batch.n)]
    while not batch.done.any():
        actions = batch.sample()
        for state, action in zip(states, actions, strict=True):
            state.play(int(action))
        batch.step(actions)
    for number in np.flatnonzero(batch.done):
        assert states[number].over
        assert batch.rewards[number].tolist() == pytest.approx(states[number].returns)
    assert not batch.rewards[~batch.done].any()
    assert all(not batch.state(number).over for number in range(batch.n))  # they are dealt anew
    batch.step(batch.sample())
    assert not batch.done.any()
    assert not batch.rewards.any()
    assert not batch.own_rewards.any()


def test_nobody_else_writes_what_a_batch_shows() -> None:
    batch = kibitz.batch("match", n=2, seed=1, keep_final=True)
    for name in ("observations", "masks", "turns", "rewards", "own_rewards", "done", "seats", "finals"):
        assert not getattr(batch, name).flags.writeable, name


def test_memory_is_fetched_for_all_fields_but_big_ones() -> None:
    small, wide, big = (np.int8, (60,)), (np.int8, (stepping.FETCHED,)), (np.int8, (stepping.FETCHED + 1,))
    fields = [("first", *small), ("second", *wide), ("third", *big), ("last", *small)]
    fetched = {stepping.LINE * line for line in stepping.lines_to_fetch(np.dtype(fields))}
    ends = (60 + stepping.FETCHED, 61 + 2 * stepping.FETCHED, 121 + 2 * stepping.FETCHED)  # of the last three
    needed = {place // stepping.LINE * stepping.LINE for place in (*range(ends[0]), *range(ends[1], ends[2]))}
    assert fetched == needed


def test_the_seed_decides_whatever_the_threads_and_the_size() -> None:
    one = kibitz.batch("match", n=9, seed=7, threads=1, rounds=1)
    other = kibitz.batch("match", n=12, seed=7, threads=3, rounds=1)
    for _ in range(60):
        one.step(one.sample())
        other.step(other.sample())
    assert np.array_equal(one.observations, other.observations[:9])
    assert not np.array_equal(one.observations, kibitz.batch("match", n=9, seed=8, rounds=1).observations)
    one.reset(7)
    assert np.array_equal(one.observations, kibitz.batch("match", n=9, seed=7, rounds=1).observations)


def test_a_large_batch_is_shared_in_more_pieces_than_there_are_threads() -> None:
    one = kibitz.batch("match", n=4500, seed=7, threads=1, rounds=1)
    other = kibitz.batch("match", n=4500, seed=7, threads=2, rounds=1)
    for _ in range(20):
        one.step(one.sample())
        other.step(other.sample())
    assert np.array_equal(one.observations, other.observations)
    assert np.array_equal(one.masks, other.masks)


def test_nobody_waits_for_a_thread_that_is_woken_late(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = kibitz.batch("match", n=9, seed=7, threads=3, rounds=1)
    twin = copy.deepcopy(batch)
    late: list[Any] = []
    monkeypatch.setattr(batches._Helper, "give", lambda helper, *work: late.append((helper._work, work)))
    batch.step(batch.sample())
    for queue, work in late:  # now they are, and find nothing to do
        queue.put(work)
    monkeypatch.undo()
    batch.step(batch.sample())
    for _ in range(2):
        twin.step(twin.sample())
    assert np.array_equal(batch.observations, twin.observations)


def test_threads_end_with_their_batch() -> None:
    batch = kibitz.batch("match", n=9, seed=7, threads=3, rounds=1)
    threads = [helper.thread for helper in batch._helpers]
    assert len(threads) == 2
    batch.close()
    assert not any(thread.is_alive() for thread in threads)
    batch.step(batch.sample())  # starts new ones
    threads = [helper.thread for helper in batch._helpers]
    del batch
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()


def test_a_copy_has_a_future_of_its_own() -> None:
    batch = kibitz.batch("match", n=4, seed=1, rounds=1)
    batch.step(batch.sample())
    twins = [copy.deepcopy(batch), pickle.loads(pickle.dumps(batch))]
    batch.playout(steps=20)
    for twin in twins:
        assert not np.array_equal(twin.observations, batch.observations)
        twin.playout(steps=20)
        assert np.array_equal(twin.observations, batch.observations)
        twin.close()


def test_the_heuristic_beats_chance_inside_the_kernel() -> None:
    batch = kibitz.batch("match", n=200, seed=1, bots=("random", None), rounds=1, observe=False)
    played = batch.playout("heuristic")
    assert played.games == batch.n
    assert played.rewards.sum() == pytest.approx(0, abs=1e-4)
    env = VectorSeatEnv("match", 300, opponents="heuristic", rounds=1)
    env.reset(seed=1)
    lost = []
    for _ in range(60):
        _, rewards, done, _, _ = env.step(env.batch.sample())
        lost += rewards[done].tolist()
    assert len(lost) > 200
    assert np.mean(lost) < -0.5


def test_gymnasiums_vector_of_seats() -> None:
    envs: Any = gymnasium.make_vec(
        "kibitz/Match-v1",
        num_envs=16,
        vectorization_mode="vector_entry_point",
        players=3,
        seat=None,
        rounds=1,
    )
    seen, info = envs.reset(seed=1)
    learners = set()
    finished = 0
    for _ in range(80):
        assert envs.observation_space.contains(seen)
        actions = np.array([np.flatnonzero(mask)[0] for mask in info["action_mask"]])
        assert np.array_equal(envs.unwrapped.batch.turns, info["seat"])  # the learner decides
        seen, rewards, done, truncated, info = envs.step(actions)
        learners |= set(info["seat"].tolist())
        finished += int(done.sum())
        assert not truncated.any()
        assert not rewards[~done].any()
        for number in np.flatnonzero(done):
            assert envs.single_observation_space.contains(info["final_obs"][number])
            assert rewards[number] in (1.0, -0.5) or abs(rewards[number]) < 1
    assert finished > 5
    assert learners == {0, 1, 2}
    envs.close()


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"n": 0}, "n"),
        ({"players": 9}, "players"),
        ({"seed": "x"}, "seed"),
        ({"threads": 0}, "threads"),
        ({"bots": ("random", "random")}, "bots"),
        ({"bots": ("hard", None)}, "bots"),
        ({"bots": ([], None)}, "bots"),
        ({"bots": 2}, "bots"),
        ({"seat": 2}, "seat"),
        ({"nonsense": 1}, "nonsense"),
    ],
)
def test_what_cannot_be_is_named(arguments: dict[str, object], named: str) -> None:
    with pytest.raises(BadOptions, match=named):
        kibitz.batch("match", **{"n": 2, **arguments})  # type: ignore[arg-type]


def test_wrong_moves_name_their_game_and_change_nothing() -> None:
    batch = kibitz.batch("match", n=4, seed=1)
    before = batch.observations.copy()
    actions = batch.sample().astype(np.int64)
    for wrong in (int(np.flatnonzero(batch.masks[2] == 0)[0]), 5000, 65536 + int(actions[2]), -1):
        actions[2] = wrong
        with pytest.raises(IllegalMove, match=r"actions\[2\]"):
            batch.step(actions)
    for shape in (actions[:3], actions.astype(float), "nothing"):
        with pytest.raises(BadOptions, match="actions"):
            batch.step(shape)
    with pytest.raises(BadOptions, match="policy"):
        batch.playout("hard")
    with pytest.raises(BadOptions, match="game"):
        batch.state(4)
    assert np.array_equal(before, batch.observations)
    with pytest.raises(ValueError, match="read-only"):
        batch.observations[0, 0] = 5
