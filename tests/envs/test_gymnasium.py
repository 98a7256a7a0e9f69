"""One seat as a Gymnasium environment."""

import copy
import io
import subprocess
import sys
from contextlib import redirect_stdout
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import kibitz
from kibitz.bots.player import Bot, RandomBot
from kibitz.core.errors import BadOptions, GameOver, IllegalMove, UnknownBot
from kibitz.core.move import Move
from kibitz.core.state import Observation
from kibitz.envs.gymnasium import SeatEnv
from kibitz.envs.naming import all_versions
from kibitz.envs.vector import VectorSeatEnv
from tests.conftest import BRIEF

EVERY = [(game.name, version) for game, version in all_versions() if game.name in kibitz.games()]
PACKAGED = [(name, version) for name, version in EVERY if name != "tiny"]


def made(name: str, version: int = 1, **more: Any) -> Any:
    options: dict[str, Any] = {**BRIEF.get(name, {}), **more}
    return gymnasium.make(f"kibitz/{name.capitalize()}-v{version}", **options)


def first_move(observation: Observation) -> Move:
    return observation.legal_moves[0]


def new_bot(game: Any, seed: int | None) -> Bot:
    return RandomBot(game, seed)


@pytest.mark.parametrize(("name", "version"), PACKAGED)
@pytest.mark.filterwarnings("ignore:.*out of date.*")
def test_gymnasiums_own_check_passes(name: str, version: int) -> None:
    env = made(name, version, opponents="random", render_mode="ansi")
    with redirect_stdout(io.StringIO()):
        check_env(env.unwrapped)


@pytest.mark.parametrize("opponents", ["easy", first_move, new_bot, RandomBot, ["random", first_move]])
def test_anything_that_plays_can_be_an_opponent(opponents: Any) -> None:
    env = made("match", opponents=opponents, rounds=1)
    _, info = env.reset(seed=1)
    reward, over = 0.0, False
    while not over:
        assert (info["action_mask"] == env.unwrapped.action_masks()).all()
        _, reward, over, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
    assert reward == env.unwrapped.state.returns[0]
    assert env.unwrapped.players == (3 if isinstance(opponents, list) else 2)


def test_the_same_seed_gives_the_same_game_and_the_same_ones_after_it() -> None:
    def two_games() -> list[bytes]:
        env = made("assets", opponents="easy", seat=None, players=3)
        env.reset(seed=8)
        first = bytes(env.unwrapped.state)
        env.reset()
        return [first, bytes(env.unwrapped.state)]

    told = two_games()
    assert told == two_games()
    assert told[0] != told[1]


def test_without_a_seat_the_learner_sits_everywhere() -> None:
    env = made("match", players=4, seat=None)
    env.reset(seed=1)
    assert {env.reset()[1]["seat"] for _ in range(40)} == {0, 1, 2, 3}


def test_an_illegal_move_ends_the_game_or_is_an_error() -> None:
    env, strict = made("match"), made("match", strict=True)
    _, info = env.reset(seed=1)
    strict.reset(seed=1)
    illegal = int(np.flatnonzero(info["action_mask"] == 0)[0])
    _, reward, terminated, _, info = env.step(illegal)
    assert (reward, terminated) == (-1, True)
    assert info["illegal"]
    with pytest.raises(IllegalMove):
        strict.step(illegal)


def test_a_game_that_an_illegal_move_lost_is_over() -> None:
    env = SeatEnv("match")
    _, info = env.reset(seed=1)
    env.step(int(np.flatnonzero(info["action_mask"] == 0)[0]))
    with pytest.raises(GameOver, match="reset"):
        env.step(int(np.flatnonzero(info["action_mask"])[0]))
    _, info = env.reset()
    assert not env.step(int(np.flatnonzero(info["action_mask"])[0]))[2]


@pytest.mark.parametrize("wrong", [None, 1.0, "first", [1], np.array([1, 2]), -1, 101, np.array(1.0)])
def test_what_is_no_move_is_an_error_and_no_lost_game(wrong: Any) -> None:
    env = SeatEnv("match")
    env.reset(seed=1)
    with pytest.raises(BadOptions, match=r"^action: expected a move's number, 0 to 100, got"):
        env.step(wrong)


def test_a_move_may_be_an_array_without_dimensions_as_a_network_answers() -> None:
    env = SeatEnv("match")
    _, info = env.reset(seed=1)
    assert not env.step(np.array(int(info["action_mask"].argmax())))[2]


def test_a_copy_has_a_future_of_its_own() -> None:
    env = SeatEnv("match", opponents="easy")
    _, info = env.reset(seed=1)
    before = bytes(env._state())
    twin = copy.deepcopy(env)
    twin.step(int(np.flatnonzero(info["action_mask"])[0]))
    assert bytes(env._state()) == before != bytes(twin._state())


@pytest.mark.parametrize(
    ("bad", "named"),
    [
        ({"seat": 2}, "seat"),
        ({"players": 9}, "players"),
        ({"opponents": ["easy"] * 3, "players": 2}, "opponents"),
        ({"opponents": 7}, "opponents"),
        ({"target": -1}, "target"),
        ({"render_mode": "film"}, "render_mode"),
    ],
)
def test_a_bad_argument_is_named(bad: dict[str, Any], named: str) -> None:
    with pytest.raises(BadOptions, match=f"^{named}: expected"):
        SeatEnv("match", **bad)


@pytest.mark.parametrize("bad", ["easy", first_move, ["random", "easy"], [["random"]], 7])
def test_who_cannot_play_inside_the_kernel_is_named(bad: Any) -> None:
    with pytest.raises(BadOptions, match=r"^opponents: expected random or heuristic"):
        VectorSeatEnv("match", 4, opponents=bad)


def test_gymnasium_finds_them_by_their_module() -> None:
    script = "import gymnasium; print(gymnasium.make('kibitz.envs.gymnasium:kibitz/Match-v1').spec.id)"
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "kibitz/Match-v1"


def test_an_unknown_level_is_told_at_once() -> None:
    with pytest.raises(UnknownBot, match="brilliant"):
        SeatEnv("match", opponents="brilliant")


def test_before_a_reset_there_is_no_game() -> None:
    with pytest.raises(gymnasium.error.ResetNeeded):
        SeatEnv("match").step(0)
