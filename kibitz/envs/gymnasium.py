"""The games as Gymnasium environments: one seat learns, bots sit on the others. See docs/environments.md.

    import kibitz.envs.gymnasium  # makes them known
    env = gymnasium.make("kibitz/Match-v1", opponents=["easy", "random"])

The number is the version of the game's rules.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from kibitz.bots.entrants import Chooser, Entrant, seated
from kibitz.core import registry
from kibitz.core.errors import BadOptions, GameOver, IllegalMove
from kibitz.core.extras import needing
from kibitz.core.numbers import seat_or_none
from kibitz.core.sheet import as_text
from kibitz.core.state import Mask, State
from kibitz.core.tensors import Numbers
from kibitz.envs.naming import all_versions

with needing("gymnasium"):
    import gymnasium
    from gymnasium import spaces

ILLEGAL = -1.0  # what an illegal move is worth


def register() -> None:
    """Make the environments known to Gymnasium."""
    for game, version in all_versions():
        gymnasium.register(
            f"kibitz/{game.name.capitalize()}-v{version}",
            entry_point="kibitz.envs.gymnasium:SeatEnv",
            vector_entry_point="kibitz.envs.vector:VectorSeatEnv",
            kwargs={"game": game.name, "rules_version": version},
            disable_env_checker=True,  # it would warn that what is legal isn't everything
        )


class SeatEnv(gymnasium.Env[Numbers, np.int64]):
    """One seat of a table. It sees the tensor of its view, and `action_masks()` says what is legal.

    `opponents`: who sits on the other seats, in their order from the learner's left, or one for all: a level,
    a bot, a function of an observation, or one that makes a player from a game and a seed. `seat`: where the
    learner sits; None: somewhere else in each game. The reward comes at the end: 1 for winning alone.

    An illegal move ends the game with a reward of -1 and the reason as `info["illegal"]`; with
    `strict=True` it is an IllegalMove. What is no move at all is an error in either case.
    """

    metadata = {"render_modes": ["human", "ansi"], "render_fps": 2}  # noqa: RUF012  (as Gymnasium declares it)

    def __init__(
        self,
        game: str,
        opponents: Entrant | Sequence[Entrant] = "random",
        seat: int | None = 0,
        players: int | None = None,
        rules_version: int | None = None,
        strict: bool = False,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.game = registry.game(game)
        self.opponents, self.players = _checked_opponents(opponents, self.game.checked_players, players)
        self.seat = seat_or_none(seat, self.players)
        self.rules_version = self.game.checked_version(rules_version)
        self.options: dict[str, Any] = self.game.checked_options(options, self.players, self.rules_version)
        self.strict = strict
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise BadOptions("render_mode", "human, ansi or None", render_mode)
        self.render_mode = render_mode
        layout = self.game.tensor
        self.observation_space = spaces.Box(layout.low, layout.high, dtype=np.int32)
        self.action_space = spaces.Discrete(self.game.num_moves)
        self.state: State | None = None
        self.own_seat = self.seat or 0
        self.lost = False  # by an illegal move
        self._choosers: dict[int, Chooser] = {}
        for entrant in self.opponents:  # whatever can't play is told now
            seated(entrant, self.game, key="opponents")

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Numbers, dict[str, Any]]:
        """Deal a new game and let the others play until the learner is to decide."""
        super().reset(seed=seed)
        self.lost = False
        while True:
            self.own_seat = int(self.np_random.integers(self.players)) if self.seat is None else self.seat
            self._choosers = {}
            for place, entrant in enumerate(self.opponents, 1):
                luck = int(self.np_random.integers(2**31))
                self._choosers[(self.own_seat + place) % self.players] = seated(entrant, self.game, luck)
            deal = int(self.np_random.integers(2**63))
            self.state = self.game.deal(self.players, deal, rules_version=self.rules_version, **self.options)
            self._let_others_play()
            if not self.state.over:  # the others can't end a game before it began, or hardly ever
                return self._seen(), self._info()

    def step(self, action: Any) -> tuple[Numbers, float, bool, bool, dict[str, Any]]:
        """Make a move and let the others play until the learner is to decide again."""
        state = self._state()
        if not self.action_space.contains(action):
            raise BadOptions("action", f"a move's number, 0 to {self.game.num_moves - 1}", action)
        if self.lost:
            raise GameOver("over", "The game was lost by an illegal move: reset() comes first.")
        try:
            state.play(action, self.own_seat)
        except IllegalMove as refusal:
            if self.strict or state.over:
                raise
            self.lost = True
            return self._seen(), ILLEGAL, True, False, {**self._info(), "illegal": refusal.reason}
        self._let_others_play()
        return self._seen(), float(state.returns[self.own_seat]), state.over, False, self._info()

    def action_masks(self) -> Mask:
        """A number for each move: 1 if it is legal now. (The name is that of sb3-contrib's MaskablePPO.)"""
        return self._state().mask

    def render(self) -> str | None:
        """What the learner sees, as text; printed in mode `human`, returned in mode `ansi`."""
        text = as_text(self.game.title, self._state().view(self.own_seat))
        if self.render_mode == "ansi":
            return text
        print(text, end="\n\n")
        return None

    def _let_others_play(self) -> None:
        state = self._state()
        while not state.over and state.turn != self.own_seat:
            assert state.turn is not None
            state.play(self._choosers[state.turn](state.observation(state.turn)), state.turn)
        if self.render_mode == "human":
            self.render()

    def _seen(self) -> Numbers:
        return self._state().tensor(self.own_seat)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks(), "seat": self.own_seat}

    def _state(self) -> State:
        if self.state is None:
            raise gymnasium.error.ResetNeeded("reset() comes first")
        return self.state


def _checked_opponents(given: Any, checked_players: Any, players: int | None) -> tuple[tuple[Any, ...], int]:
    """Who sits on the other seats, and how many play: as many as the opponents, if a list is given."""
    if isinstance(given, str) or not isinstance(given, Sequence):
        number: int = checked_players(players)
        return (given,) * (number - 1), number
    number = checked_players(len(given) + 1 if players is None else players)
    if len(given) != number - 1:
        raise BadOptions("opponents", f"{number - 1} for {number} players, or one for all", given)
    return tuple(given), number


register()
