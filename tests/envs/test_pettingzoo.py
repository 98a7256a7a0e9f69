"""The environments keep what PettingZoo's own tests ask of them, and agree with the games."""

import copy
import io
import pickle
import warnings
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from importlib import import_module
from typing import Any

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, render_test, seed_test

import kibitz
from kibitz.core.errors import BadOptions, IllegalMove, KibitzError
from kibitz.core.game import Game
from kibitz.envs.naming import all_versions
from kibitz.envs.pettingzoo.table import TableEnv
from tests.conftest import BRIEF

# What PettingZoo warns of in all environments whose observations are dictionaries but its own.
USUAL = ("Observation is not a NumPy array", "Observation space for each agent probably should be")
OF_HERE = [(game, version) for game, version in all_versions() if game.package.startswith("kibitz.games.")]
EVERY = [(game.name, version, players) for game, version in OF_HERE for players in game.players]
LATEST = [(game.name, game.rules_version) for game, version in OF_HERE if version == game.rules_version]


def module(name: str, version: int) -> Any:
    return import_module(f"kibitz.envs.pettingzoo.{name}_v{version}")


def brief_env(name: str, version: int, players: int) -> Callable[..., Any]:
    return lambda **more: module(name, version).env(players=players, **BRIEF.get(name, {}), **more)


@pytest.fixture
def _only_usual_warnings() -> Iterator[None]:
    with warnings.catch_warnings(record=True) as told, redirect_stdout(io.StringIO()):
        warnings.simplefilter("always")
        yield
    assert {str(one.message) for one in told if not str(one.message).startswith(USUAL)} == set()


@pytest.mark.usefixtures("_only_usual_warnings")
@pytest.mark.parametrize(("name", "version", "players"), EVERY)
def test_pettingzoos_own_tests_pass_for_every_number_of_players(
    name: str, version: int, players: int
) -> None:
    make = brief_env(name, version, players)
    api_test(make(), num_cycles=200)
    seed_test(make, num_cycles=20)
    render_test(make)


@pytest.mark.parametrize(("name", "version"), LATEST)
def test_a_copy_and_a_pickle_in_mid_game_go_on_alike(name: str, version: int) -> None:
    env = brief_env(name, version, 2)()
    env.reset(seed=5)
    play(env, 11)
    twins = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    told = [play(one, 15) for one in (env, *twins)]
    assert told[0] == told[1] == told[2]


def play(env: Any, moves: int) -> list[tuple[str, bytes, float]]:
    """The first legal move, again and again; what was seen on the way."""
    told = []
    for agent in env.agent_iter(moves):
        seen, reward, termination, truncation, info = env.last()
        told.append((agent, seen["observation"].tobytes(), reward))
        env.step(None if termination or truncation else int(np.flatnonzero(info["action_mask"])[-1]))
    return told


@pytest.mark.parametrize(("name", "version"), LATEST)
def test_an_agent_sees_what_its_seat_sees_and_the_mask_is_told_twice(name: str, version: int) -> None:
    env = module(name, version).raw_env()
    env.reset(seed=2)
    state = env.state_of_game
    for seat, agent in enumerate(env.agents):
        seen = env.observe(agent)
        assert (seen["observation"] == state.tensor(seat)).all()
        expected = state.mask if seat == state.turn else np.zeros(state.game.num_moves)
        assert (seen["action_mask"] == expected).all()
        assert (env.infos[agent]["action_mask"] == expected).all()
        assert seen["action_mask"].dtype == np.int8


def test_the_winner_is_rewarded_at_the_end() -> None:
    env = module("match", 1).raw_env(players=3, rounds=1)
    env.reset(seed=1)
    while not any(env.terminations.values()):
        assert set(env.rewards.values()) == {0}
        env.step(int(np.flatnonzero(env.infos[env.agent_selection]["action_mask"])[0]))
    assert tuple(env.rewards.values()) == env.state_of_game.returns
    assert max(env.rewards.values()) > 0


def test_an_illegal_move_loses_or_is_an_error() -> None:
    raw, wrapped = module("match", 1).raw_env(), module("match", 1).env()
    for env in (raw, wrapped):
        env.reset(seed=1)
    illegal = int(np.flatnonzero(raw.infos[raw.agent_selection]["action_mask"] == 0)[0])
    with pytest.raises(IllegalMove):
        raw.step(illegal)
    agent = wrapped.agent_selection
    wrapped.step(illegal)
    assert wrapped.rewards[agent] == -1
    assert all(wrapped.terminations.values())


@pytest.mark.parametrize("bad", [{"players": 9}, {"target": "high"}, {"colour": 1}, {"render_mode": "film"}])
def test_a_bad_argument_is_named(bad: dict[str, Any]) -> None:
    with pytest.raises(BadOptions, match=next(iter(bad))):
        module("match", 1).env(**bad)


def test_before_a_reset_there_is_no_game() -> None:
    env = module("match", 1).raw_env()
    with pytest.raises(KibitzError, match="reset"):
        env.step(0)
    env.reset(seed=1)
    for ask in (env.observe, env.action_space, env.observation_space):
        with pytest.raises(BadOptions, match=r"^agent: expected one of player_0, player_1, got 'player_2'"):
            ask("player_2")
    for wrong in ("x", -1, 1.5):
        with pytest.raises(BadOptions, match=r"^seed: expected a whole number"):
            env.reset(seed=wrong)


@pytest.mark.parametrize("wrong", [None, 1.0, "first", [1], np.array([1, 2]), -1, 101])
def test_what_is_no_move_is_an_error(wrong: Any) -> None:
    env = module("match", 1).raw_env()
    env.reset(seed=1)
    with pytest.raises(BadOptions, match=r"^action: expected a move's number, 0 to 100, got"):
        env.step(wrong)


def test_after_the_last_agent_has_gone_a_reset_is_asked_for() -> None:
    env = module("kaching", 1).raw_env()
    env.reset(seed=1)
    play(env, 10_000)
    assert not env.agents
    with pytest.raises(KibitzError, match="reset"):
        env.step(None)


@pytest.mark.parametrize(("game", "version"), OF_HERE)
def test_every_game_has_a_module_for_every_version_of_its_rules(game: Game, version: int) -> None:
    env = module(game.name, version).raw_env()
    assert isinstance(env, TableEnv)
    env.reset(seed=1)
    assert env.state_of_game
    assert env.state_of_game.rules_version == version


@pytest.mark.skipif(not hasattr(pettingzoo, "register"), reason="this PettingZoo keeps no registry")
def test_games_are_made_by_their_ids() -> None:
    ids = {f"kibitz/{game.name}-v{version}" for game, version in OF_HERE}
    assert ids <= set(pettingzoo.aec_registry)
    env = pettingzoo.make("aec", "kibitz/match-v1", players=4)
    assert len(env.possible_agents) == 4
    assert kibitz.game("match") is env.unwrapped.game
