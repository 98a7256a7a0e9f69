"""Thousands of games at once, as arrays: for learning programs, and for counting what comes of many games.

    batch = kibitz.batch("match", players=4, n=4096, seed=1)
    while learning:
        batch.step(policy(batch.observations, batch.masks))
        learn(batch.rewards, batch.done)

A game that ends is told in `rewards` and `done`, and a new one is dealt at once. Kernels do the work, on
several threads; no Python runs for a single game. See docs/batches.md.
"""

import hashlib
import os
import secrets
import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from queue import SimpleQueue
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.bots import stepping
from kibitz.bots.lookahead import heuristics_of
from kibitz.core import registry
from kibitz.core.errors import BadOptions, IllegalMove
from kibitz.core.game import Game
from kibitz.core.kernel import machine_code, specialise
from kibitz.core.numbers import at_least, seat_or_none, whole
from kibitz.core.state import State
from kibitz.core.tensors import OWN

POLICIES: dict[Any, int] = {"random": stepping.RANDOM, "heuristic": stepping.HEURISTIC}
POLICIES_EXPECTED = " or ".join(POLICIES)
NO_ACTIONS = np.zeros(0, np.int16)
GENERATOR_WORDS = 4
PIECE = 1024  # games that a thread takes at least at a time, if there are more of them than it takes at most
PIECES = 4  # … for each thread at most: the one whose core others use too takes fewer

Array = npt.NDArray[Any]


@cache
def stepping_kernels(name: str) -> SimpleNamespace:
    """What steps many games, compiled for a game."""
    rules = registry.game(name).rules
    known = heuristics_of(name)
    return specialise(
        stepping.TEMPLATES,
        name,
        stepping.PARTS,
        set_up=rules.set_up,
        legal_moves=rules.legal_moves,
        play=rules.play,
        is_over=rules.is_over,
        observe=rules.observe,
        imagine=known.imagine or rules.imagine,
        rate=known.rate,
    )


@dataclass(frozen=True)
class Playout:
    """What came of games that were played on inside the kernel."""

    decisions: int
    ended: Array  # games that ended, by place in the batch
    rewards: Array  # their sum, by place in the batch and seat

    @property
    def games(self) -> int:
        """How many games ended."""
        return int(self.ended.sum())


class GameBatch:
    """Many games of one kind. `kibitz.batch` makes one.

    All arrays have a row a game, are read only, and are written anew by each step. `observations`: what the
    seat in turn sees, as `State.tensor` has it; `masks`: 1 for each legal move; `turns`: whose turn it is;
    `rewards`: what the step was worth to each seat; `done`: whether it ended a game, so that all else is of
    the next one; `seats`: where the first player of `bots` sits; `own_rewards`: what the step
    was worth to that one.
    """

    def __init__(
        self,
        game: Game,
        players: int | None,
        n: int,
        seed: int | None,
        bots: Sequence[str | None] | None,
        seat: int | None,
        threads: int | None,
        observe: bool,
        keep_final: bool,
        rules_version: int | None,
        options: dict[str, Any],
    ) -> None:
        self.game = game
        self.players = game.checked_players(players)
        self.n = at_least(1, "n", n)
        self.rules_version = game.checked_version(rules_version)
        self.options: dict[str, Any] = game.checked_options(options, self.players, self.rules_version)
        self.threads = min(at_least(1, "threads", _cores() if threads is None else threads), self.n)
        self.policies = _checked_bots(bots, self.players)
        first = seat_or_none(seat, self.players)
        self._first_seat = stepping.NO_TABLE if first is None else first
        self._make_room(observe, keep_final)
        self._kernels = stepping_kernels(game.name)
        self._soonest: Callable[..., int] | None = None
        self._helpers: list[_Helper] = []
        self.reset(seed)

    def _make_room(self, observe: bool, keep_final: bool) -> None:
        game, n = self.game, self.n
        layout = game.tensor
        template = np.zeros(1, game.rules.STATE)
        template[0].players = self.players
        game.write_options(self.options, self.rules_version, template[0])
        own_spans = layout.spans[layout.spans[:, OWN] > 0]
        inked = stepping.ink(layout.spans, game.rules.VIEW.itemsize)
        self._plan = stepping.Plan(template, self._first_seat, layout.spans, own_spans, *inked)
        seen = n if observe else 0
        self._rows: dict[str, Array] = {
            "states": np.zeros(n, game.rules.STATE),
            "rngs": np.zeros((n, GENERATOR_WORDS), np.uint32),
            "legal": np.zeros((n, game.num_moves), np.int16),
            "counts": np.zeros(n, np.int32),
            "rewards": np.zeros((n, self.players), np.float32),
            "own_rewards": np.zeros(n, np.float32),
            "ended": np.zeros(n, np.int32),
            "done": np.zeros(n, bool),
            "seats": np.zeros(n, np.int8),
            "turns": np.zeros(seen, np.int8),
            "observations": np.zeros((seen, layout.size), np.int32),
            "masks": np.zeros((seen, game.num_moves), np.int8),
            "inks": np.zeros((seen, len(self._plan.inked)), np.int64),
            "finals": np.zeros((n if keep_final else 0, layout.size), np.int32),
        }
        self.observations, self.masks, self.turns = map(self._shown, ("observations", "masks", "turns"))
        self.rewards, self.seats, self.finals = map(self._shown, ("rewards", "seats", "finals"))
        self.own_rewards, self.done = map(self._shown, ("own_rewards", "done"))
        pieces = max(self.threads, min(n // PIECE, PIECES * self.threads)) if self.threads > 1 else 1
        self._places = [slice(n * piece // pieces, n * (piece + 1) // pieces) for piece in range(pieces)]
        self._parts = [self._part(place) for place in self._places]

    def _shown(self, name: str) -> Array:
        """An array as its readers get it: kernels count on what they have written."""
        view = self._rows[name].view()
        view.flags.writeable = False
        return view

    def _part(self, place: slice) -> stepping.Games:
        """Some games' rows of all arrays, and room for a thread to work on them."""
        words = np.zeros((2, len(self._plan.inked)), np.int64)
        view = self.game.rules.VIEW
        return stepping.Games(
            **{name: rows[place] for name, rows in self._rows.items()},
            views=np.zeros(1, view),
            imagined=np.zeros(1, self.game.rules.STATE),
            shown=np.ndarray(2, view, words, strides=words.strides[:1]),
            words=words,
            changed=np.zeros(words.shape, np.int32),
        )

    # Stepping

    def reset(self, seed: int | None = None) -> None:
        """Deal all games anew. The same seed gives the same games, whatever comes after them too."""
        self._rows["rngs"][:] = _generators(seed, self.game.name, self.n)
        for part in self._parts:
            self._kernels.begin(part, self._plan)
        self._advance(self.policies, NO_ACTIONS)
        self._soonest = machine_code(self._kernels.advance)

    def step(self, actions: npt.ArrayLike) -> None:
        """Make a move in every game; then the bots, if there are any, play until another is to decide.

        An illegal move is an IllegalMove that names its game, and no game has changed.
        """
        self._advance(self.policies, self._checked_actions(actions))

    def sample(self) -> npt.NDArray[np.int16]:
        """A legal move for every game, by chance: the batch's own, so that the seed decides."""
        actions = np.empty(self.n, np.int16)
        stepping.pick_each(self._rows["legal"], self._rows["counts"], self._rows["rngs"], actions)
        return actions

    def playout(self, policy: str = "random", steps: int | None = None) -> Playout:
        """Let a policy play on for all seats: each game to its end, or by so many decisions.

        `random`: any legal move; `heuristic`: what the game's bots think best at first sight. New games are
        dealt after those that end.
        """
        limit = stepping.MOST if steps is None else at_least(0, "steps", steps)
        everyone = np.full(self.players, _policy(policy, "policy"), np.int8)
        ends = 1 if steps is None else stepping.MOST
        decisions = self._advance(everyone, NO_ACTIONS, limit, ends, shown=False)
        played = Playout(decisions, self._rows["ended"].copy(), self.rewards.copy())
        self._advance(self.policies, NO_ACTIONS)
        return played

    def state(self, game: int) -> State:
        """One of the games by itself: a copy, with its future."""
        number = whole(game)
        if number is None or not 0 <= number < self.n:
            raise BadOptions("game", f"0 to {self.n - 1}", game)
        return self.game.from_bytes(self._rows["states"][number].tobytes())

    def close(self) -> None:
        """End the threads; a batch that is used again starts new ones."""
        for helper in self._helpers:
            helper.end()
        self._helpers = []

    def __len__(self) -> int:
        return self.n

    def __repr__(self) -> str:
        return f"kibitz.batch({self.game.name!r}, players={self.players}, n={self.n})"

    def __getstate__(self) -> dict[str, Any]:
        """A copy or pickle has the games, not the threads, and makes room of its own."""
        kept = ("game", "players", "n", "rules_version", "options", "threads", "policies", "_first_seat")
        sizes = {"observe": len(self.observations) > 0, "keep_final": len(self.finals) > 0}
        return {
            **{name: getattr(self, name) for name in kept},
            "sizes": sizes,
            "rows": self._rows,
        }

    def __setstate__(self, saved: dict[str, Any]) -> None:
        rows, sizes = saved.pop("rows"), saved.pop("sizes")
        vars(self).update(saved)
        self._make_room(**sizes)
        for name, values in rows.items():
            self._rows[name][:] = values
        self._kernels = stepping_kernels(self.game.name)
        self._soonest = machine_code(self._kernels.advance)
        self._helpers = []

    # Inside

    def _advance(
        self,
        policies: Array,
        actions: Array,
        limit: int = stepping.MOST,
        ends: int = stepping.MOST,
        shown: bool = True,
    ) -> int:
        """Play on in all games; without actions the bots play until another is to decide."""
        shown = shown and len(self.observations) > 0
        advance = self._soonest or self._kernels.advance

        def work(number: int) -> int:
            given = actions[self._places[number]]
            made: int = advance(self._parts[number], self._plan, policies, given, limit, ends, shown)
            return made

        return work(0) if len(self._parts) == 1 else self._each(work)

    def _each(self, work: Callable[[int], int]) -> int:
        """Do it for every part; kernels hold no lock. Returns the sum of what they count.

        Whoever is free takes the next part, and nobody waits for a thread that took none: on a busy machine
        it may be woken when all is done.
        """
        while len(self._helpers) < self.threads - 1:
            self._helpers.append(_Helper())
        numbers = iter(range(len(self._parts)))
        results: Results = SimpleQueue()
        for helper in self._helpers:
            helper.give(work, numbers, results)
        own = [work(number) for number in numbers]
        return sum(own) + sum(_result(results) for _ in range(len(self._parts) - len(own)))

    def _checked_actions(self, actions: npt.ArrayLike) -> Array:
        given = np.asarray(actions)
        if given.shape != (self.n,) or given.dtype.kind not in "iu":
            raise BadOptions("actions", f"{self.n} whole numbers, one for each game", _shape_of(given))
        moves = given.astype(np.int16)
        refused = int(stepping.first_refused(self._rows["legal"], self._rows["counts"], moves))
        if refused < 0 and given.dtype != np.int16 and (moves != given).any():
            refused = int(np.flatnonzero(moves != given)[0])
        if refused >= 0:
            raise self._refusal(refused, given)
        return moves

    def _refusal(self, game: int, actions: Array) -> IllegalMove:
        try:
            self.state(game).check(int(actions[game]))
        except IllegalMove as error:
            reason = f"actions[{game}]: {error.reason}"
            return type(error)(error.code, reason, {**error.data, "game": game}, error.rule)
        raise AssertionError(f"actions[{game}] is legal after all")


Results = SimpleQueue[tuple[int, BaseException | None]]


class _Helper:
    """A thread that works beside the caller's: Python's own pools take longer to hand work over."""

    def __init__(self) -> None:
        self._work: SimpleQueue[tuple[Callable[[int], int], Iterator[int], Results] | None] = SimpleQueue()
        self.thread = threading.Thread(target=_work_off, args=(self._work,), name="kibitz-batch", daemon=True)
        self.thread.start()
        self._let_go = weakref.finalize(self, self._work.put, None)

    def give(self, work: Callable[[int], int], numbers: Iterator[int], results: Results) -> None:
        """Have it done for all numbers that nobody else takes."""
        self._work.put((work, numbers, results))

    def end(self) -> None:
        """End the thread; one whose batch is gone ends by itself."""
        self._let_go()
        self.thread.join()


def _work_off(given: Any) -> None:
    while (task := given.get()) is not None:
        work, numbers, results = task
        for number in numbers:
            try:
                results.put((work(number), None))
            except BaseException as error:
                results.put((0, error))
        del task, work, results  # or a batch that nobody uses any more would stay


def _result(of: Results) -> int:
    made, error = of.get()
    if error is not None:
        raise error
    return made


def batch(
    game: Game | str,
    players: int | None = None,
    n: int = 1024,
    seed: int | None = None,
    *,
    bots: Sequence[str | None] | None = None,
    seat: int | None = 0,
    threads: int | None = None,
    observe: bool = True,
    keep_final: bool = False,
    rules_version: int | None = None,
    **options: Any,
) -> GameBatch:
    """Thousands of games, stepped in one call on arrays.

    `bots`: for each player None, who is asked by `step`, or what plays inside the kernel: `random` or
    `heuristic`; the first sits on `seat`, or with None somewhere else in each game, the others follow in
    their order. `threads`: as many as there are cores. `observe=False`: observations, masks and turns aren't
    written. `keep_final`: `finals` has what the first player saw at the end of a game.
    """
    found = registry.game_of(game)
    return GameBatch(
        found, players, n, seed, bots, seat, threads, observe, keep_final, rules_version, options
    )


def _generators(seed: int | None, game: str, n: int) -> Array:
    """A generator for each game; the first ones are the same for any number of games."""
    if seed is None:
        told = secrets.token_bytes(32)
    elif (number := whole(seed)) is not None:
        told = repr((number, game)).encode()
    else:
        raise BadOptions("seed", "a whole number or None", seed)
    stream = hashlib.shake_256(b"kibitz/batch/" + told).digest(4 * GENERATOR_WORDS * n)
    return np.frombuffer(stream, "<u4").reshape(n, GENERATOR_WORDS)


def _checked_bots(bots: Any, players: int) -> Array:
    if bots is None:
        return np.full(players, stepping.OUTSIDE, np.int8)
    if isinstance(bots, str) or not isinstance(bots, Sequence) or len(bots) != players:
        raise BadOptions("bots", f"{players} of None, {POLICIES_EXPECTED}", bots)
    chosen = [stepping.OUTSIDE if bot is None else _policy(bot, "bots") for bot in bots]
    if stepping.OUTSIDE not in chosen:
        raise BadOptions("bots", "one None at least, for whom `step` decides; or use `playout`", bots)
    return np.array(chosen, np.int8)


def _policy(name: Any, key: str) -> int:
    if not isinstance(name, str) or name not in POLICIES:
        raise BadOptions(key, POLICIES_EXPECTED, name)
    return POLICIES[name]


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _shape_of(given: Array) -> str:
    return f"an array of {given.dtype} with shape {given.shape}"
