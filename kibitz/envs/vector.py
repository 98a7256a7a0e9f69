"""Many seats at once for Gymnasium: a vector environment on the batch, without Python for a single game.

envs = gymnasium.make_vec("kibitz/Match-v1", num_envs=1024, vectorization_mode="vector_entry_point")
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from kibitz.bots.batches import POLICIES, POLICIES_EXPECTED, GameBatch, batch
from kibitz.core import registry
from kibitz.core.errors import BadOptions
from kibitz.core.extras import needing
from kibitz.core.state import Mask
from kibitz.core.tensors import Numbers

with needing("gymnasium"):
    import gymnasium
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode
    from gymnasium.vector.utils import batch_space

Stepped = tuple[Numbers, Any, Any, Any, dict[str, Any]]


class VectorSeatEnv(gymnasium.vector.VectorEnv[Numbers, Any, Any]):
    """One seat of many tables. `opponents`: `random` or `heuristic`, one for all or one for each other seat.

    A game that ends is dealt anew in the same step; `final_obs` then has what the learner saw last. An
    illegal move is an IllegalMove: `info["action_mask"]` and `action_masks()` say what is legal. Arrays are
    the batch's own, and are written anew by the next step; with `copy=True` they are yours.
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012  (as Gymnasium declares it)

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        opponents: str | Sequence[str] = "random",
        seat: int | None = 0,
        players: int | None = None,
        rules_version: int | None = None,
        threads: int | None = None,
        copy: bool = True,
        **options: Any,
    ) -> None:
        found = registry.game(game)
        _check_opponents(opponents)
        others = None if isinstance(opponents, str) else len(opponents)
        count = found.checked_players(others + 1 if players is None and others is not None else players)
        others_in_order = [opponents] * (count - 1) if isinstance(opponents, str) else list(opponents)
        if len(others_in_order) != count - 1:
            raise BadOptions("opponents", f"{count - 1} of {POLICIES_EXPECTED}, or one for all", opponents)
        self.batch: GameBatch = batch(
            found,
            count,
            num_envs,
            bots=(None, *others_in_order),
            seat=seat,
            threads=threads,
            keep_final=True,
            rules_version=rules_version,
            **options,
        )
        self.copy = copy
        self.num_envs = self.batch.n
        layout = found.tensor
        self.single_observation_space = spaces.Box(layout.low, layout.high, dtype=np.int32)
        self.single_action_space = spaces.Discrete(found.num_moves)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Numbers, dict[str, Any]]:
        """Deal all games and let the others play until the learner is to decide."""
        self.batch.reset(seed)
        return self._own(self.batch.observations), self._info()

    def step(self, actions: Any) -> Stepped:
        """Make a move in every game and let the others play until the learner is to decide again."""
        self.batch.step(actions)
        done = self.batch.done.copy()
        info = self._info()
        if done.any():
            info["final_obs"], info["_final_obs"] = self._finals(done), done
        return self._own(self.batch.observations), self._rewards(), done, np.zeros_like(done), info

    def action_masks(self) -> Mask:
        """A row a game, a number for each move: 1 if it is legal now."""
        masks: Mask = self._own(self.batch.masks)
        return masks

    def close_extras(self, **kwargs: Any) -> None:
        """End the threads."""
        self.batch.close()

    def _rewards(self) -> Any:
        """What the step was worth to the learner; one who sits elsewhere now had the other seat's reward."""
        return self.batch.own_rewards.astype(np.float64)

    def _finals(self, done: Any) -> Any:
        finals = np.full(self.num_envs, None, object)
        for game in np.flatnonzero(done):
            finals[game] = self.batch.finals[game].copy()
        return finals

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks(), "seat": self._own(self.batch.seats)}

    def _own(self, array: Any) -> Any:
        return array.copy() if self.copy else array


def _check_opponents(given: Any) -> None:
    names = [given] if isinstance(given, str) else given
    if not isinstance(names, Sequence) or not all(name in list(POLICIES) for name in names):
        raise BadOptions("opponents", f"{POLICIES_EXPECTED}, one for all or a list of them", given)
