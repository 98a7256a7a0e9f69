"""Many seats at once for Stable-Baselines3 and sb3-contrib's MaskablePPO. See docs/learning.md.

from kibitz.envs.sb3 import SeatVecEnv, player
model = MaskablePPO("MlpPolicy", SeatVecEnv("match", num_envs=256)).learn(500_000)
kibitz.arena("match", [player(model), "random"])
"""

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.bots.entrants import Chooser
from kibitz.core.extras import needing
from kibitz.core.game import Game
from kibitz.core.state import Observation

with needing("sb3"):  # before `vector`, which would name the extra of Gymnasium alone
    from gymnasium import spaces
    from stable_baselines3.common.vec_env import VecEnv

from kibitz.envs.vector import VectorSeatEnv

Floats = npt.NDArray[np.float32]


class Scale:
    """Tensors as networks like them: every number between 0 and 1, by the bounds of its field."""

    def __init__(self, game: Game) -> None:
        self.low = game.tensor.low.astype(np.float32)
        self.width = np.maximum(game.tensor.high.astype(np.float32) - self.low, 1)

    def __call__(self, numbers: Any) -> Floats:
        scaled: Floats = (np.asarray(numbers, np.float32) - self.low) / self.width
        return scaled


class SeatVecEnv(VecEnv):  # type: ignore[misc]
    """One seat of many tables, stepped by kernels. It takes what `VectorSeatEnv` takes."""

    def __init__(self, game: str, num_envs: int = 256, seed: int | None = None, **settings: Any) -> None:
        self.envs = VectorSeatEnv(game, num_envs, copy=False, **settings)
        self.scale = Scale(self.envs.batch.game)
        self.first_seed = seed
        seen = spaces.Box(0.0, 1.0, self.envs.single_observation_space.shape, np.float32)
        self.returns, self.lengths, self.began = np.zeros(num_envs), np.zeros(num_envs, int), time.monotonic()
        super().__init__(num_envs, seen, self.envs.single_action_space)

    def reset(self) -> Floats:
        """Deal all games."""
        seed = self._seeds[0] if self._seeds[0] is not None else self.first_seed
        numbers, _ = self.envs.reset(seed=seed)
        self.returns[:], self.lengths[:] = 0, 0
        self._reset_seeds()
        return self.scale(numbers)

    def step_async(self, actions: Any) -> None:
        """The moves that `step_wait` makes."""
        self.actions = actions

    def step_wait(self) -> tuple[Floats, Any, Any, list[dict[str, Any]]]:
        """Make a move in every game; those that end are told in the infos, as `Monitor` would."""
        numbers, rewards, done, _, info = self.envs.step(self.actions)
        self.returns += rewards
        self.lengths += 1
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for game in np.flatnonzero(done):
            infos[game] = {
                "terminal_observation": self.scale(info["final_obs"][game]),
                "episode": {
                    "r": float(self.returns[game]),
                    "l": int(self.lengths[game]),
                    "t": time.monotonic() - self.began,
                },
            }
        self.returns[done], self.lengths[done] = 0, 0
        return self.scale(numbers), rewards.astype(np.float32), done, infos

    def close(self) -> None:
        """End the threads."""
        self.envs.close()

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """The same for every game."""
        value = getattr(self.envs, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """For all games at once."""
        setattr(self.envs, attr_name, value)

    def env_method(self, method_name: str, *arguments: Any, indices: Any = None, **named: Any) -> list[Any]:
        """What a method says of each game: `action_masks` is the one that MaskablePPO asks for."""
        rows: Sequence[Any] = getattr(self.envs, method_name)(*arguments, **named)
        return [rows[game] for game in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Any = None) -> list[bool]:
        """No game has a wrapper of its own."""
        return [False for _ in self._get_indices(indices)]


def player(model: Any, deterministic: bool = True) -> Chooser:
    """A trained model as a bot: for the arena, as an opponent, at a table."""
    scales: dict[str, Scale] = {}

    def learned(observation: Observation) -> int:
        scale = scales.setdefault(observation.game.name, Scale(observation.game))
        move, _ = model.predict(
            scale(observation.tensor), action_masks=observation.mask, deterministic=deterministic
        )
        return int(move)

    return learned
