"""The games as Python games of OpenSpiel. Importing this module registers them. See docs/environments.md.

    import pyspiel, kibitz.envs.openspiel
    game = pyspiel.load_game("python_kibitz_match(players=3)")

Luck comes first: a few chance nodes choose the seed, and with it every card of the whole game. From there on
the game is decided by its moves. Two different things are kept apart: the *observation*, what a seat sees
now (its view), and the *information state*, all that it was ever shown (its view and its log).
"""

import random
from typing import Any

import msgspec
import numpy as np

from kibitz.core import registry
from kibitz.core.errors import BadOptions
from kibitz.core.events import AnyEvent
from kibitz.core.extras import needing
from kibitz.core.game import Game
from kibitz.core.layout import MAX_ROUNDS
from kibitz.core.numbers import at_least
from kibitz.core.options import Option
from kibitz.core.sheet import as_text
from kibitz.core.state import State
from kibitz.envs import rollouts

with needing("openspiel"):
    import pyspiel

SPECTATORS = -1  # as a seat
SEED_BYTES = 4  # as many chance nodes, one after the other
BYTE = 256
PREFIX = "python_kibitz_"
CHANCE = int(pyspiel.PlayerId.CHANCE)
TERMINAL = int(pyspiel.PlayerId.TERMINAL)


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game for a number of players, with its options; each game has a class of its own."""

    game: Game
    game_type: Any

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        game, given = self.game, params or {}
        self.rules_players = game.checked_players(given.get("players"))
        chosen = {
            option.name: _value(option, given[option.name]) for option in game.options if option.name in given
        }
        self.options = game.checked_options(chosen, self.rules_players)
        info = pyspiel.GameInfo(
            num_distinct_actions=game.num_moves,
            max_chance_outcomes=BYTE,
            num_players=self.rules_players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=game.rules.MAX_MOVES * MAX_ROUNDS,
        )
        super().__init__(self.game_type, info, given)

    def new_initial_state(self) -> "SpielState":
        """Before the seed is chosen."""
        return SpielState(self)

    def make_py_observer(
        self, iig_obs_type: Any = None, params: dict[str, Any] | None = None
    ) -> "SpielObserver":
        """What looks at states: by default the observation, with perfect recall the information state."""
        if params:
            raise ValueError(f"params: expected none, got {params}")
        recall = iig_obs_type is not None and iig_obs_type.perfect_recall
        return SpielObserver(self.game, perfect_recall=recall)

    def max_chance_nodes_in_history(self) -> int:
        """The bytes of the seed."""
        return SEED_BYTES


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A game in progress: first the seed, byte by byte, then the moves."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.seed: tuple[int, ...] = ()
        self.held: Held | None = None  # once the seed is whole

    @property
    def state(self) -> State:
        """Kibitz's own state; it is there after the last chance node."""
        assert self.held is not None, "the seed is still being chosen"
        return self.held.state

    def current_player(self) -> int:
        """The seat in turn."""
        if self.held is None:
            return CHANCE
        turn = self.held.state.turn
        return TERMINAL if turn is None else turn

    def _legal_actions(self, player: int) -> list[int]:
        return [move.id for move in self.state.legal_moves] if player == self.state.turn else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Any byte."""
        assert self.is_chance_node()
        return [(byte, 1 / BYTE) for byte in range(BYTE)]

    def _apply_action(self, action: int) -> None:
        if self.held is not None:
            self.held.play(action)
            return
        if not 0 <= action < BYTE:
            raise BadOptions("action", f"a byte of the seed, 0 to {BYTE - 1}", action)
        self.seed += (action,)
        if len(self.seed) == SEED_BYTES:
            game = self.get_game()
            number = int.from_bytes(bytes(self.seed), "big")
            self.held = Held(game.game.deal(game.rules_players, number, **game.options))

    def _action_to_string(self, player: int, action: int) -> str:
        return f"seed byte {action}" if player < 0 else str(self.get_game().game.moves[action])

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.held is not None and self.held.state.over

    def returns(self) -> list[float]:
        """1 for winning, in all nothing."""
        return [0.0] * self.num_players() if self.held is None else list(self.state.returns)

    def __str__(self) -> str:
        if self.held is None:
            return f"seed {self.seed}"
        return as_text(self.state.game.title, self.state.position())


class Held:
    """A state of Kibitz, and all that its seats were shown: worded once, and given to imagined states."""

    def __init__(self, state: State, shown: tuple[bytes, ...] | None = None) -> None:
        self.state = state
        self.shown = shown or (b"",) * (state.players + 1)  # by seat, as lines of JSON, up to
        rows = state.rows if shown else 0  # of the state's journal
        self.rows = [rows] * len(self.shown)  # the last is what spectators saw
        self.known: dict[int, str] = {}  # the information states of this moment that somebody has asked for

    def __deepcopy__(self, memo: dict[int, Any]) -> "Held":
        """OpenSpiel copies states by copying what they hold."""
        twin = Held(self.state.copy(), self.shown)
        twin.rows, twin.known = self.rows.copy(), self.known.copy()
        return twin

    def play(self, action: int) -> None:
        """Make a move."""
        self.state.play(action)
        self.known.clear()

    def log(self, seat: int) -> bytes:
        """All that a seat, or as SPECTATORS everybody, was ever shown, an event a line; it is worded once."""
        if self.rows[seat] < self.state.rows:
            new = _lines(self.state.log(None if seat == SPECTATORS else seat, self.rows[seat]))
            shown = list(self.shown)
            shown[seat] += new
            self.shown = tuple(shown)
            self.rows[seat] = self.state.rows
        return self.shown[seat]

    def information(self, seat: int) -> str:
        """What a seat sees now and all that it was ever shown; a search asks for it again and again."""
        if seat not in self.known:
            self.known[seat] = (self.state.view_json(seat) + b"\n" + self.log(seat)).decode()
        return self.known[seat]


def _lines(log: tuple[AnyEvent, ...]) -> bytes:
    return b"".join(msgspec.json.encode(event) + b"\n" for event in log)


class SpielObserver:
    """Looks at a state for one seat: as numbers, by name (`dict`) or in one row (`tensor`), and as text.

    The numbers are those of the view in either case; only the text has perfect recall.
    """

    def __init__(self, game: Game, perfect_recall: bool) -> None:
        self.perfect_recall = perfect_recall
        layout = game.tensor
        self.tensor = np.zeros(0 if perfect_recall else layout.size, np.float32)
        parts = () if perfect_recall else layout.parts
        self.dict = {part.name: self.tensor[part.place].reshape(part.shape) for part in parts}

    def set_from(self, state: SpielState, player: int) -> None:
        """Look at a state."""
        if state.held is None:
            self.tensor.fill(0)
        elif not self.perfect_recall:
            self.tensor[:] = state.state.tensor(player)

    def string_from(self, state: SpielState, player: int) -> str:
        """What a seat sees now; with perfect recall, all that it was shown, too."""
        if state.held is None:
            return "nothing is dealt yet"
        if self.perfect_recall:
            return state.held.information(player)
        return state.state.view_json(player).decode()


def resampler(seed: int | None = None) -> Any:
    """For `ISMCTSBot.set_resampler`: gives states that a player can't tell from the one it is in.

    What is hidden from the player is dealt anew. The others remember what a spectator of the true game saw:
    what they drew or were shown in the imagined one nobody can know.
    """
    luck = random.Random(seed)

    def resample(state: SpielState, player: int) -> SpielState:
        assert state.held is not None
        imagined = state.state.observation(player).imagine(luck.getrandbits(62))
        told = [state.held.log(SPECTATORS)] * (imagined.players + 1)
        told[player] = state.held.log(player)
        sample: SpielState = state.clone()
        sample.held = Held(imagined, tuple(told))
        return sample

    return resample


class Rollouts:
    """An evaluator for OpenSpiel's searches: as its `RandomRolloutEvaluator`, but in compiled code.

    Moves are chosen by chance until the game is over, as there.
    """

    def __init__(self, n_rollouts: int = 1, seed: int | None = None) -> None:
        self.n_rollouts = at_least(1, "n_rollouts", n_rollouts)
        self.seed = seed
        self._players: dict[str, rollouts.RandomGames] = {}

    def evaluate(self, state: SpielState) -> rollouts.Worths:
        """What a state is worth to each player: the mean of some games played by chance."""
        name = state.state.game.name
        if name not in self._players:
            self._players[name] = rollouts.RandomGames(name, self.seed)
        return self._players[name].worth(state.state, self.n_rollouts)

    def prior(self, state: SpielState) -> list[tuple[int, float]]:
        """All moves are as likely."""
        legal = state.legal_actions()
        return [(action, 1 / len(legal)) for action in legal]


# Registering


def _game_type(game: Game) -> Any:
    defaults = {option.name: _parameter(option) for option in game.options}
    return pyspiel.GameType(
        short_name=f"{PREFIX}{game.name}",
        long_name=f"Kibitz: {game.title}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=game.players.stop - 1,
        min_num_players=game.players.start,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification={"players": game.players.start, **defaults},
    )


def _parameter(option: Option) -> Any:
    """Its default. OpenSpiel has no null and no mixed kinds: such values are the numbers in records."""
    return option.code(option.default) if option.codes else option.default


def _value(option: Option, parameter: Any) -> Any:
    return option.value(parameter) if option.codes else parameter


def register() -> None:
    """Make every game known to OpenSpiel."""
    for name in registry.games():
        game = registry.game(name)
        game_type = _game_type(game)
        # A class for each: OpenSpiel lets go of what it was given only after Python has ended.
        kind = type(
            f"Spiel_{name}", (SpielGame,), {"game": game, "game_type": game_type, "__module__": __name__}
        )
        globals()[kind.__name__] = kind  # where a pickle looks for it
        pyspiel.register_game(game_type, kind)


register()
