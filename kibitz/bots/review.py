"""A game looked at again: how the chances went, what each decision cost, what was luck and what was play.

V is a seat's chance to win with all hands open and the undrawn cards shuffled anew, if everybody played like
who plays all whole games on to the end of the round, and totals then won as often as such totals do; where
the game has a solver, if both played their best. It begins before the deal and ends with the result; where a
game was broken off, with the chance there was then. A move changes V by its choice (play) and by what is
drawn then (luck), so that for every seat, exactly:

    result - V before the deal = luck + own play + others' play

What a choice changes is found by playing on from the same shuffles with the same luck, after the move that
was made and after the one that this player would have made: most of what chance does cancels out.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from kibitz.bots import search
from kibitz.bots.advice import Reason, compare
from kibitz.bots.analysis import chance_of, error_of
from kibitz.bots.lookahead import Budget, kernels, look_ahead, solved_chances, weigh_moves
from kibitz.bots.onward import ARMS, FIRST, GAINED, OUTCOME, Outcomes
from kibitz.bots.totals import not_dealt, onward_kernels, weights_of
from kibitz.core.errors import KibitzError, of_kind
from kibitz.core.events import Took, events
from kibitz.core.journal import KIND
from kibitz.core.move import Move
from kibitz.core.numbers import at_least
from kibitz.core.preview import UNKNOWN_BEFORE
from kibitz.core.record import Record
from kibitz.core.secret import bot_generator
from kibitz.core.state import Observation, State

GAMES = 1024  # played from each moment at most
NODES = 1000  # descents for each decision
AT_ONCE = 64  # games, before it is asked whether more are needed
COSTLY = 0.01  # what a decision costs at least to be pointed out
CLOSE, CLOSER = 0.015, 0.005  # standard errors that need no more: of a chance, of what a choice changes

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
        """A seat's decisions that cost most and surely a point at least, the worst first."""
        sure = [one for one in self.decisions if one.seat == seat and one.loss >= max(COSTLY, 2 * one.error)]
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
    of_kind(Record, "record", "a Record, as `State.record()` gives it", record)
    games, nodes = at_least(2, "games", games), at_least(1, "nodes", nodes)
    threads = at_least(1, "threads", threads)
    end = record.verify()
    if not record.moves:
        raise KibitzError("nothing-played", "Nothing was played in this game: there is nothing to review.")
    chosen = range(end.players) if seats is None else sorted(set(seats))
    for seat in chosen:
        end.view(seat)  # raises for a seat that isn't there
    begun = record.begin()
    reader = _Reader(begun, games, nodes, seed)
    total = len(record.moves) + 1
    before = reader.before_the_deal(begun) if so_far is None else so_far.before
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


Shares = tuple[Share, ...]  # by seat


@dataclass(frozen=True)
class _Looked:
    """What was found about the state after so many moves, and about the move made there."""

    seat: int | None
    move: str | None
    now: Shares  # everybody's chance
    gained: Shares | None = None  # what the choice changed of it, if that was tried beside the usual choice
    by_chance: bool = False  # whether something was drawn, dealt or shuffled then
    known: bool = False  # by a solver, or the game is over: no games were played
    decision: Decision | None = None


@dataclass(frozen=True)
class SoFar:
    """What was found of a review that was stopped: before the deal, and about the first states."""

    before: Shares
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

    def __init__(self, begun: State, games: int, nodes: int, seed: int) -> None:
        self._game = begun.game
        self._players = begun.players
        self._games = games
        self._nodes = nodes
        self._seed = seed
        self._kernels = onward_kernels(begun.game.name)
        self._weights = weights_of(begun)

    def before_the_deal(self, begun: State) -> Shares:
        """What each seat may expect of a fresh deal."""
        rng = bot_generator(self._seed, "deal")
        if begun.start is not None:  # it began with a position: that is the deal
            return _chances_of(self._look_both(begun, search.NO_MOVE, rng)[FIRST])
        finds = np.zeros(self._players, search.FIND)
        room = np.zeros(1, self._game.rules.STATE), np.zeros(self._game.num_moves, np.int16)
        kernels(self._game.name).deal_and_look_on(not_dealt(begun), *room, rng, self._games, finds)
        return tuple(Share(chance_of(find), error_of(find)) for find in finds)

    def look(
        self, number: int, state: State, move: str | None, by_chance: bool, seats: Sequence[int]
    ) -> _Looked:
        """The chances in a state, what the move made there changed of them, and whether one was better."""
        if state.turn is None:
            return _Looked(None, None, _result(state), known=True)
        made = None if move is None else self._game.move(move)
        rng = bot_generator(self._seed, "moment", number)
        solved = None if by_chance else self._solved(state, rng)
        now, gained = solved, None
        if now is None:
            outcomes = self._look_both(state, search.NO_MOVE if made is None else made.id, rng)
            now, gained = _chances_of(outcomes[FIRST]), _shares(outcomes[GAINED])
        if made is None:  # it was broken off here
            return _Looked(None, None, now, known=solved is not None)
        decision = None
        if state.turn in seats and len(state.legal_moves) > 1:
            decision = self._decide(number, state.observation(state.turn), made)
        return _Looked(state.turn, move, now, gained, by_chance, solved is not None, decision)

    def _solved(self, state: State, rng: Any) -> Shares | None:
        """The chances in a state by the game's solver, if it can tell; as sure as those of so many games."""
        chances = solved_chances(state.observation(state.turn), self._nodes, rng)
        if chances is None:
            return None
        return tuple(Share(chance, math.sqrt(chance * (1 - chance) / self._games)) for chance in chances)

    def _decide(self, number: int, seen: Observation, made: Move) -> Decision:
        """The best move that a search finds, and how much better it does than the one made.

        What a solver has weighed can be compared as it is. Else both are compared by playing on.
        """
        assert seen.seat is not None
        rng = bot_generator(self._seed, "decision", number)
        budget, moves = Budget(self._nodes, math.inf), list(seen.legal_moves)
        finds = np.zeros(self._game.num_moves, search.FIND)
        weighed = weigh_moves(seen, moves, budget, rng, finds)
        look = weighed or look_ahead(seen, moves, budget, rng)
        best = self._game.moves[look.ranking[0]]
        line = tuple(str(self._game.moves[move]) for move in look.line)
        if best == made:
            loss, error = 0.0, 0.0
        elif weighed:
            loss = chance_of(finds[best.id]) - chance_of(finds[made.id])
            error = math.hypot(error_of(finds[best.id]), error_of(finds[made.id]))
        else:
            outcomes = self._imagine_both(seen, made, best, rng)
            gained = _shares(outcomes[GAINED])[seen.seat]
            loss, error = gained.value, gained.error
        if loss <= 0:
            return Decision(number, seen.seat, str(made), str(made), 0.0, error, ())
        return Decision(number, seen.seat, str(made), str(best), loss, error, line)

    def _look_both(self, state: State, made: int, rng: Any) -> Outcomes:
        kernel = self._kernels.look_both
        return self._played_on(kernel, state.fields(), made, rng=rng, games=self._games, chances=True)

    def _imagine_both(self, seen: Observation, made: Move, best: Move, rng: Any) -> Outcomes:
        kernel, games = self._kernels.imagine_both, self._games
        return self._played_on(kernel, seen.fields(), made.id, best.id, rng=rng, games=games, chances=False)

    def _played_on(self, kernel: Any, *beginning: Any, rng: Any, games: int, chances: bool) -> Outcomes:
        """Play so many games, or until what the second move changes is close (and the chances)."""
        outcomes = np.zeros((ARMS, self._players), OUTCOME)
        worths = np.zeros(outcomes.shape)
        room = np.zeros(2, self._game.rules.STATE), np.zeros(self._game.num_moves, np.int16)
        while games > 0:
            more = min(games, AT_ONCE)
            kernel(*beginning, *room, rng, more, self._weights, worths, outcomes)
            games -= more
            if _within(CLOSER, _shares(outcomes[GAINED])) and (
                not chances or _within(CLOSE, _chances_of(outcomes[FIRST]))
            ):
                break
        return outcomes


def _within(error: float, shares: Shares) -> bool:
    return all(share.error <= error for share in shares)


def _chances_of(outcomes: Outcomes) -> Shares:
    """Everybody's chance; what came of every game so far is no certainty."""
    return _shares(outcomes, doubt=1.0)


def _shares(outcomes: Outcomes, doubt: float = 0.0) -> Shares:
    """Means of what came of the games, each with its standard error."""
    shares = []
    for one in outcomes:
        games, mean = int(one["games"]), float(one["sum"] / one["games"])
        spread = max(0.0, float(one["squares"]) / games - mean**2)
        shares.append(Share(mean, math.sqrt((spread + doubt / games) / games)))
    return tuple(shares)


def _result(state: State) -> Shares:
    """The end is certain."""
    return tuple(Share(float(seat in state.winners), 0.0) for seat in range(state.players))


def _put_together(end: State, before: Shares, looked: list[_Looked]) -> Review:
    """Each move's share of play and luck, and the sums.

    After a move that leaves nothing to chance, the chance is the one before and what the choice changed.
    """
    seats = range(end.players)
    now = _values(looked[0].now)
    deal = tuple(now[seat] - before[seat].value for seat in seats)
    moments = [Moment(0, None, None, now, (0.0,) * end.players, deal)]
    for number, (one, following) in enumerate(pairwise(looked), 1):
        after = _values(following.now)
        if one.gained is not None and not _ends(one, following):
            after = tuple(min(1.0, max(0.0, now[seat] + one.gained[seat].value)) for seat in seats)
        then = _values(following.now) if one.by_chance else after
        play = tuple(after[seat] - now[seat] for seat in seats)
        luck = tuple(then[seat] - after[seat] for seat in seats)
        moments.append(Moment(number, one.seat, one.move, then, play, luck))
        now = then
    decisions = tuple(one.decision for one in looked if one.decision is not None)
    reckonings = tuple(_reckoning(seat, before, looked, moments) for seat in seats)
    return Review(end.game.name, end.players, tuple(moments), decisions, reckonings, end.over)


def _ends(one: _Looked, following: _Looked) -> bool:
    """Whether what follows a choice is known, and nothing was left to chance."""
    return following.known and not one.by_chance


def _reckoning(seat: int, before: Shares, looked: list[_Looked], moments: list[Moment]) -> Reckoning:
    """Sums of what the moves changed; their errors are those of the choices, and luck is all that is left."""
    own, others, luck = 0.0, 0.0, moments[0].luck[seat]
    unsure = {True: 0.0, False: 0.0}  # of the own choices, and the others': squares
    for moment, (one, following) in zip(moments[1:], pairwise(looked), strict=True):
        mine = one.seat == seat
        own += moment.play[seat] if mine else 0.0
        others += 0.0 if mine else moment.play[seat]
        luck += moment.luck[seat]
        if one.gained is None or _ends(one, following):
            unsure[mine] += one.now[seat].error ** 2 + following.now[seat].error ** 2
        else:
            unsure[mine] += one.gained[seat].error ** 2
    ends = before[seat].error ** 2 + looked[-1].now[seat].error ** 2
    return Reckoning(
        before[seat],
        Share(luck, math.sqrt(ends + sum(unsure.values()))),
        Share(own, math.sqrt(unsure[True])),
        Share(others, math.sqrt(unsure[False])),
        moments[-1].chances[seat],
    )


def _values(shares: Shares) -> Chances:
    return tuple(share.value for share in shares)


def why_better(seen: Observation, decision: Decision) -> tuple[Reason, ...]:
    """What speaks for the better move and not for the one made, by what the seat knew then."""
    game = seen.game
    return compare(seen, game.move(decision.best), game.move(decision.move), seed=decision.number).reasons


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
