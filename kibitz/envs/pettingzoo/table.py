"""A table of any game as a PettingZoo environment."""

from collections.abc import Callable
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from kibitz.core.errors import BadOptions, KibitzError
from kibitz.core.game import Game
from kibitz.core.numbers import whole
from kibitz.core.sheet import as_text
from kibitz.core.state import Mask, State
from kibitz.core.tensors import Numbers
from kibitz.envs.naming import agent, named

Seen = dict[str, Numbers | Mask]
RENDER_MODES = ("human", "ansi")
ILLEGAL = -1.0  # what an illegal move is worth to who makes it, by PettingZoo's own wrapper


class TableEnv(AECEnv):  # type: ignore[misc]
    """All seats of a table. An agent sees `observation`, the tensor of its view, and `action_mask`.

    Rewards come at the end: 1 for winning, in all nothing. An illegal move is an IllegalMove.
    """

    def __init__(
        self,
        game: Game,
        rules_version: int,
        players: int | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        if render_mode not in (None, *RENDER_MODES):
            raise BadOptions("render_mode", "human, ansi or None", render_mode)
        self.game = game
        self.players = game.checked_players(players)
        self.rules_version = rules_version
        self.options: dict[str, Any] = game.checked_options(options, self.players, rules_version)
        self.render_mode = render_mode
        self.metadata = {
            "name": f"{game.name}_v{rules_version}",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": 2,
        }
        self.possible_agents = [agent(seat) for seat in range(self.players)]
        self.agents: list[str] = []
        layout = game.tensor
        self.observation_spaces = {
            name: spaces.Dict(
                {
                    "observation": spaces.Box(layout.low, layout.high, dtype=np.int32),
                    "action_mask": spaces.Box(0, 1, (game.num_moves,), np.int8),
                }
            )
            for name in self.possible_agents
        }
        self.action_spaces = {name: spaces.Discrete(game.num_moves) for name in self.possible_agents}
        self._rng = np.random.default_rng()
        self.state_of_game: State | None = None

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent sees."""
        return self.observation_spaces[self._known(agent)]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent does: the number of a move."""
        return self.action_spaces[self._known(agent)]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new game. The same seed gives the same game, and the same ones after it."""
        if seed is not None:
            if (number := whole(seed)) is None or number < 0:
                raise BadOptions("seed", "a whole number, 0 or more, or None", seed)
            self._rng = np.random.default_rng(number)
        deal = int(self._rng.integers(2**63))
        self.state_of_game = self.game.deal(
            self.players, deal, rules_version=self.rules_version, **self.options
        )
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._look()

    def step(self, action: Any) -> None:
        """Make the move of the agent in turn; one that is done can only be let go, with None."""
        state, name = self._state(), self.agent_selection
        if not self.agents:
            raise KibitzError("reset-needed", "The game is over for all agents: reset() comes first.")
        if self.terminations[name] or self.truncations[name]:
            self._was_dead_step(action)
            return
        if not self.action_spaces[name].contains(action):
            raise BadOptions("action", f"a move's number, 0 to {self.game.num_moves - 1}", action)
        state.play(action)
        self._cumulative_rewards[name] = 0.0
        self.rewards = dict(zip(self.agents, state.returns, strict=True))
        self.terminations = dict.fromkeys(self.agents, state.over)
        self._look()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _look(self) -> None:
        """Whose turn it is, and what each may do."""
        state = self._state()
        if state.turn is not None:
            self.agent_selection = agent(state.turn)
        nothing = np.zeros(self.game.num_moves, np.int8)
        self.infos = {name: {"action_mask": nothing} for name in self.agents}
        if state.turn is not None:
            self.infos[self.agent_selection] = {"action_mask": state.mask}

    def observe(self, agent: str) -> Seen:
        """What an agent sees, whoever is in turn."""
        seat = self.possible_agents.index(self._known(agent))
        return {
            "observation": self._state().tensor(seat),
            "action_mask": self.infos[agent]["action_mask"].copy(),
        }

    def _known(self, agent: str) -> str:
        if agent not in self.possible_agents:
            raise BadOptions("agent", f"one of {', '.join(self.possible_agents)}", agent)
        return agent

    def _state(self) -> State:
        if self.state_of_game is None:
            raise KibitzError("reset-needed", "There is no game yet: reset() comes first.")
        return self.state_of_game

    def render(self) -> str | None:
        """What a spectator sees, as text; printed in mode `human`, returned in mode `ansi`."""
        text = as_text(self.game.title, self._state().view(None))
        if self.render_mode == "ansi":
            return text
        print(text, end="\n\n")
        return None

    def close(self) -> None:
        """There is nothing to close."""

    def __str__(self) -> str:
        return str(self.metadata["name"])


def environments(module: str) -> tuple[Callable[..., Any], Callable[..., TableEnv]]:
    """`env` and `raw_env` for the module of a game: the first with PettingZoo's usual wrappers."""
    game, rules_version = named(module)

    def raw_env(players: int | None = None, render_mode: str | None = None, **options: Any) -> TableEnv:
        """The environment itself: an illegal move is an error."""
        return TableEnv(game, rules_version, players, render_mode, **options)

    def env(players: int | None = None, render_mode: str | None = None, **options: Any) -> Any:
        """The environment as PettingZoo's own are: an illegal move ends the game, and loses it."""
        raw = raw_env(players, render_mode, **options)
        terminating = wrappers.TerminateIllegalWrapper(raw, illegal_reward=ILLEGAL)
        return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(terminating))

    return env, raw_env
