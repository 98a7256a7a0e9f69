"""A game looked at again: how the chances went, what each decision cost, what was luck and what was play.

V is a seat's chance to win with all hands open and the undrawn cards shuffled anew, if everybody played like
the bots' rollouts from there on; where the game has a solver, if both played their best. It begins before the
deal and ends with the result; where a game was broken off, with the chance there was then. A move changes V
by its choice (play) and by what is drawn then (luck), so that for every seat, exactly:

    result - V before the deal = luck + own play + others' play
"""

import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from kibitz.bots import search
from kibitz.bots.analysis import chance_of, error_of
from kibitz.bots.lookahead import Budget, analysing_kernels, look_ahead, solved_chances
from kibitz.core.errors import KibitzError
from kibitz.core.events import Took, events
from kibitz.core.game import Game
from kibitz.core.journal import KIND
from kibitz.core.move import Move
from kibitz.core.numbers import at_least
from kibitz.core.preview import UNKNOWN_BEFORE
from kibitz.core.record import Record
from kibitz.core.secret import bot_generator
from kibitz.core.state import Observation, State

GAMES = 512  # played from each moment
NODES = 1000  # descents for each decision
BATCHES, BATCH = 16, 16  # of worlds in which a decision is compared with the best one
CERTAIN = 1 << 30

Report = Callable[[int, int], None]
Chances = tuple[float, ...]  # by seat


@dataclass(frozen=True)
class Moment:
    """The game after a move: everybody's chance, and what the move and what was drawn changed of it."""

    number: int  # of the move, from 1; 0 is the deal
    seat: int | None
    move: str | None
    chances: Chances
    play: Chances  # what the choice changed
    luck: Chances  # what was drawn, dealt or shuffled then


@dataclass(frozen=True)
class Decision:
    """What a seat chose, and what was best by what it knew then."""

    number: int
    seat: int
    move: str
    best: str
    loss: float  # of the chance to win; 0 where the best move was made
    error: float  # its standard error
    line: tuple[str, ...]  # the better move, and what would most likely have followed


@dataclass(frozen=True)
class Share:
    """A part of a result, and its standard error."""

    value: float
    error: float


@dataclass(frozen=True)
class Reckoning:
    """Where a seat's result came from: `before` and the other three add up to it."""

    before: Share  # V before the deal
    luck: Share
    own: Share
    others: Share
    result: float


@dataclass(frozen=True)
class Review:
    """A whole game looked at again."""

    game: str
    players: int
    moments: tuple[Moment, ...]
    decisions: tuple[Decision, ...]
    reckonings: tuple[Reckoning, ...]  # by seat
    over: bool = True  # False: it was broken off, and `result` is the chance there was then

    def costliest(self, seat: int, most: int = 3) -> tuple[Decision, ...]:
        """A seat's decisions that cost most and surely something, the worst first."""
        sure = [one for one in self.decisions if one.seat == seat and one.loss > 2 * one.error]
        return tuple(sorted(sure, key=lambda one: -one.loss)[:most])


@dataclass(frozen=True)
class Steal:
    """Cards that a seat took from another, and how the thief's chance has changed since it set out to."""

    number: int
    seat: int
    source: int
    cards: tuple[str, ...]
    worth: float


class Stopped(Exception):
    """Whoever asked for a review doesn't want more of it now; `so_far` is what it can go on with."""

    so_far: "SoFar | None" = None


def review(
    record: Record,
    seats: Sequence[int] | None = None,
    games: int = GAMES,
    nodes: int = NODES,
    threads: int = 1,
    seed: int = 1,
    report: Report | None = None,
    so_far: "SoFar | None" = None,
) -> Review:
    """Look at a game again that is over or was broken off.

    `report(done, all)` hears of every move, and may raise Stopped; its `so_far` lets another call go on.
    `seats`: whose decisions are looked into; all, unless told.
    """
    games, nodes = at_least(2, "games", games), at_least(1, "nodes", nodes)
    threads = at_least(1, "threads", threads)
    end = record.verify()
    if not record.moves:
        raise KibitzError("nothing-played", "Nothing was played in this game: there is nothing to review.")
    chosen = range(end.players) if seats is None else sorted(set(seats))
    for seat in chosen:
        end.view(seat)  # raises for a seat that isn't there
    reader = _Reader(end.game, games, nodes, seed)
    total = len(record.moves) + 1
    before = reader.before_the_deal(record) if so_far is None else so_far.before
    looked = [] if so_far is None else list(so_far.looked)
    with ThreadPoolExecutor(threads) as pool:
        try:
            for one in _in_order(pool, reader, record, chosen, threads, len(looked)):
                looked.append(one)
                if report:
                    report(len(looked), total)
        except Stopped as stopped:
            pool.shutdown(cancel_futures=True)
            stopped.so_far = SoFar(before, tuple(looked))
            raise
    return _put_together(end, before, looked)


@dataclass(frozen=True)
class _Looked:
    """What was found about the state after so many moves, and about the move made there."""

    seat: int | None
    move: str | None
    now: search.Finds  # a find a seat
    chosen: search.Finds | None  # the same, after the move; None if nothing was left to chance then
    decision: Decision | None


@dataclass(frozen=True)
class SoFar:
    """What was found of a review that was stopped: before the deal, and about the first states."""

    before: search.Finds
    looked: tuple[_Looked, ...]


def _in_order(
    pool: ThreadPoolExecutor,
    reader: "_Reader",
    record: Record,
    seats: Sequence[int],
    threads: int,
    first: int,
) -> Iterator[_Looked]:
    """Look at every state of a game from one on, a few at a time."""
    waiting: list[Future[_Looked]] = []
    state = record.begin()
    for number, move in enumerate((*record.moves, None)):
        before = state.copy()
        by_chance = False
        if move is not None:
            state.play(move)
            by_chance = not UNKNOWN_BEFORE.isdisjoint(state.news[:, KIND].tolist())
        if number < first:
            continue
        waiting.append(pool.submit(reader.look, number, before, move, by_chance, seats))
        if len(waiting) > 2 * threads:
            yield waiting.pop(0).result()
    for one in waiting:
        yield one.result()


class _Reader:
    """Looks at single states; each has luck of its own, so that the order doesn't matter."""

    def __init__(self, game: Game, games: int, nodes: int, seed: int) -> None:
        self._game = game
        self._games = games
        self._nodes = nodes
        self._seed = seed
        self._kernels = analysing_kernels(game.name)

    def before_the_deal(self, record: Record) -> search.Finds:
        """What each seat may expect of a fresh deal."""
        state = record.begin()
        if state.start is not None:  # it began with a position: that is the deal
            return self._look_on(state, search.NO_MOVE, bot_generator(self._seed, "deal"))
        template = np.zeros(1, self._game.rules.STATE)[0]
        template.players = state.players
        options = self._game.checked_options(record.options, state.players)
        self._game.write_options(options, state.rules_version, template)
        finds = np.zeros(state.players, search.FIND)
        rng = bot_generator(self._seed, "deal")
        self._kernels.deal_and_look_on(template, *self._room(1), rng, self._games, finds)
        return finds

    def look(
        self, number: int, state: State, move: str | None, by_chance: bool, seats: Sequence[int]
    ) -> _Looked:
        """The chances in a state, those after the move made there, and whether there was a better one."""
        if state.turn is None:
            return _Looked(None, None, _result(state), None, None)
        rng = bot_generator(self._seed, "moment", number)
        now = self._solved(state, rng)
        if now is None:
            now = self._look_on(state, search.NO_MOVE, rng)
        if move is None:  # it was broken off here
            return _Looked(None, None, now, None, None)
        made = self._game.move(move)
        chosen = self._look_on(state, made.id, rng) if by_chance else None
        decision = None
        if state.turn in seats and len(state.legal_moves) > 1:
            decision = self._decide(number, state.observation(state.turn), made)
        return _Looked(state.turn, move, now, chosen, decision)

    def _solved(self, state: State, rng: Any) -> search.Finds | None:
        """The chances in a state by the game's solver, if it can tell; they count as so many games."""
        chances = solved_chances(state.observation(state.turn), self._nodes, rng)
        if chances is None:
            return None
        finds = np.zeros(state.players, search.FIND)
        finds["games"] = self._games
        finds["wins"] = [self._games * chance for chance in chances]
        return finds

    def _look_on(self, state: State, move: int, rng: Any) -> search.Finds:
        finds = np.zeros(state.players, search.FIND)
        self._kernels.look_on(state.fields(), move, *self._room(1), rng, self._games, finds)
        return finds

    def _decide(self, number: int, seen: Observation, made: Move) -> Decision:
        """The best move that a search finds, and how much better it does than the one made.

        What a solver has weighed can be compared as it is. Else both are compared by playing on, where others
        err: nobody loses more than the chance there was.
        """
        assert seen.seat is not None
        rng = bot_generator(self._seed, "decision", number)
        finds = np.zeros(self._game.num_moves, search.FIND)
        look = look_ahead(seen, list(seen.legal_moves), Budget(self._nodes, math.inf), rng, finds)
        best = self._game.moves[look.ranking[0]]
        line = tuple(str(self._game.moves[move]) for move in look.line)
        if best == made:
            loss, error = 0.0, 0.0
        elif look.weighed:
            loss = chance_of(finds[best.id]) - chance_of(finds[made.id])
            error = math.hypot(error_of(finds[best.id]), error_of(finds[made.id]))
        else:
            loss, error = self._compare(seen, best, made, rng)
            loss = min(loss, chance_of(finds[best.id]))
        if loss <= 0:
            return Decision(number, seen.seat, str(made), str(made), 0.0, error, ())
        return Decision(number, seen.seat, str(made), str(best), loss, error, line)

    def _compare(self, seen: Observation, best: Move, made: Move, rng: Any) -> tuple[float, float]:
        """How much more often one move wins than another in the same imagined states, and its error."""
        gains = np.zeros(BATCHES)
        chosen = np.array([best.id, made.id], np.int16)
        for batch in range(BATCHES):
            finds = np.zeros(self._game.num_moves, search.FIND)
            self._kernels.compare(seen.fields(), chosen, np.zeros(2), *self._room(2), rng, BATCH, finds)
            gains[batch] = (finds["wins"][best.id] - finds["wins"][made.id]) / BATCH
        return float(gains.mean()), float(gains.std(ddof=1)) / math.sqrt(BATCHES)

    def _room(self, states: int) -> tuple[Any, Any]:
        return np.zeros(states, self._game.rules.STATE), np.zeros(self._game.num_moves, np.int16)


def _result(state: State) -> search.Finds:
    """The end is certain: it counts as very many games."""
    finds = np.zeros(state.players, search.FIND)
    finds["games"] = CERTAIN
    finds["wins"][list(state.winners)] = CERTAIN
    return finds


def _put_together(end: State, before: search.Finds, looked: list[_Looked]) -> Review:
    """Each move's share of play and luck, and the sums."""
    seats = range(end.players)
    chances = [_chances(one.now) for one in looked]
    deal = tuple(chances[0][seat] - chance_of(before[seat]) for seat in seats)
    moments = [Moment(0, None, None, chances[0], (0.0,) * end.players, deal)]
    for number, one in enumerate(looked[:-1], 1):
        after = chances[number] if one.chosen is None else _chances(one.chosen)
        play = tuple(after[seat] - chances[number - 1][seat] for seat in seats)
        luck = tuple(chances[number][seat] - after[seat] for seat in seats)
        moments.append(Moment(number, one.seat, one.move, chances[number], play, luck))
    decisions = tuple(one.decision for one in looked if one.decision is not None)
    reckonings = tuple(_reckoning(seat, before, looked) for seat in seats)
    return Review(end.game.name, end.players, tuple(moments), decisions, reckonings, end.over)


def _reckoning(seat: int, before: search.Finds, looked: list[_Looked]) -> Reckoning:
    """Every part is a sum of estimates, some of which cancel out; what is left tells its error."""
    luck, own, others = _Sum(seat), _Sum(seat), _Sum(seat)
    luck.add(looked[0].now, +1)
    luck.add(before, -1)
    for one, following in pairwise(looked):
        after = following.now if one.chosen is None else one.chosen
        play = own if one.seat == seat else others
        play.add(after, +1)
        play.add(one.now, -1)
        luck.add(following.now, +1)
        luck.add(after, -1)
    start = _Sum(seat)
    start.add(before, +1)
    return Reckoning(
        start.share(), luck.share(), own.share(), others.share(), chance_of(looked[-1].now[seat])
    )


class _Sum:
    """Some of the estimates for a seat, each added and taken away so many times."""

    def __init__(self, seat: int) -> None:
        self._seat = seat
        self._times: dict[int, int] = {}
        self._finds: dict[int, Any] = {}

    def add(self, finds: search.Finds, times: int) -> None:
        """Count an estimate once more, or once less."""
        self._finds[id(finds)] = finds[self._seat]
        self._times[id(finds)] = self._times.get(id(finds), 0) + times

    def share(self) -> Share:
        """The sum and its standard error."""
        value = sum(times * chance_of(self._finds[key]) for key, times in self._times.items())
        squares = sum((times * error_of(self._finds[key])) ** 2 for key, times in self._times.items())
        return Share(value, math.sqrt(squares))


def _chances(finds: search.Finds) -> Chances:
    return tuple(chance_of(find) for find in finds)


# Who took what from whom


def steals(record: Record, found: Review) -> tuple[Steal, ...]:
    """The steals of a game that was reviewed, in order."""
    state, listed = record.begin(), []
    for number, move in enumerate(record.moves, 1):
        state.play(move)
        taken: dict[tuple[int, int], list[str]] = {}
        for event in events(state.news, state.game.text):  # the game is over: all may be known
            if isinstance(event, Took) and event.source is not None:
                taken.setdefault((event.seat, event.source), []).append(event.card)
        for (seat, source), cards in taken.items():
            worth = found.moments[number].chances[seat] - _when_set_out(found, number, seat)
            listed.append(Steal(number, seat, source, tuple(cards), worth))
    return tuple(listed)


def _when_set_out(found: Review, number: int, seat: int) -> float:
    """A thief's chance before its last move up to here."""
    own = [one.number for one in found.moments[: number + 1] if one.seat == seat]
    return found.moments[(own[-1] if own else number) - 1].chances[seat]
