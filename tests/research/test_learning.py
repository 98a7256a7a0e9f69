"""A network learns MATCH! from batches: the program in the documents, on a small scale."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kibitz
from kibitz.envs.sb3 import SeatVecEnv

PROGRAM = Path(__file__).resolve().parent.parent.parent / "docs" / "examples" / "train_match.py"


@pytest.fixture(scope="module")
def program() -> Any:
    spec = spec_from_file_location("train_match", PROGRAM)
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_program_learns_to_beat_chance(program: Any, tmp_path: Path) -> None:
    _, curve = program.train(steps=2 * program.ROUND, measured=100)
    assert [point[0] for point in curve] == [0, program.ROUND, 2 * program.ROUND]
    assert curve[-1][2] > 0.8
    program.draw(curve, str(tmp_path / "curve.svg"))
    assert (tmp_path / "curve.svg").read_text().startswith("<?xml")


def test_games_are_told_as_stable_baselines_expects() -> None:
    envs = SeatVecEnv("match", num_envs=16, seed=1, opponents="random", seat=None, target=10)
    seen = envs.reset()
    assert seen.dtype == np.float32
    assert seen.shape == (16, kibitz.game("match").tensor.size)
    assert 0 <= seen.min() <= seen.max() <= 1
    ended: list[dict[str, Any]] = []
    for _ in range(200):
        masks = np.stack(envs.env_method("action_masks"))
        seen, _, done, infos = envs.step(masks.argmax(axis=1))
        assert all(("episode" in info) == bool(over) for info, over in zip(infos, done))
        ended += [info for info in infos if info]
    assert ended
    assert all(info["episode"]["r"] in (-1.0, 0.0, 1.0) and info["episode"]["l"] > 0 for info in ended)
    assert all(info["terminal_observation"].shape == seen[0].shape for info in ended)
    envs.close()
