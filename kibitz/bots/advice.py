"""Advice for whoever decides: the best moves, how likely each wins, and why, in sentences.

A reason is a fact that holds in most of the states that fit what the seat knows, and holds much less often
after the move it is compared with. Both moves are made in the same states: the game's merits say how the
table then stands. They are played on until the seat has moved once more; what was said meanwhile, who has
won, how the scores stand and what can be chosen then are compared.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from itertools import islice
from math import hypot
from secrets import randbits
from statistics import mean, median

import numpy as np

from kibitz.bots import search
from kibitz.bots.analysis import Analysis, Prospect, analyse, chance_of, sum_of
from kibitz.bots.lookahead import analysing_kernels, heuristics_of, solved_chances
from kibitz.bots.merits import merits_of
from kibitz.bots.player import bot
from kibitz.core.events import Drew
from kibitz.core.game import Game
from kibitz.core.move import Move
from kibitz.core.secret import bot_generator
from kibitz.core.sentences import HIDDEN_CARD, Card, Money, Seat, Sentence, Value, seat_named
from kibitz.core.state import Observation, State
from kibitz.core.words import LANGUAGES

MOVES = 3  # advised at most
WORLDS = 48  # in which reasons are looked for
MOST = 0.5  # of the worlds: a reason holds in more
DIFFERENCE = 0.25  # by so much less it holds after the move compared with
REASONS = 2  # told at most, each of another kind
SURE = 0.9  # of the worlds: it is said without a number
CHANCE_WORLDS, CHANCE_GAMES = 100, 4  # states in which everybody's chances are counted, games in each
END_GAMES = 8  # played to their end from each world, to compare how they end
FEW = 8  # worlds that tell whether something is drawn
MANY = 3  # moves more to choose from are worth telling
FURTHER = 5  # moves that strong bots play on at most
SEAT_NAMED = re.compile(r"p\d")  # in a move
STEP = "move."  # keys of what the log doesn't tell of: a step of a longer move, the end of a turn
FAR = 40  # moves until the seat's own next one at most


class Kind(StrEnum):
    """What speaks for a move; those that come first are told first."""

    WINS = "wins"  # then the game is won
    SAVES = "saves"  # else it is lost
    PREVENTS = "prevents"  # else this is done to the seat
    BRINGS = "brings"  # then the seat does this
    DENIES = "denies"  # else a rival does this
    ENDS = "ends"  # then the round ends, and the seat is ahead
    CONTINUES = "continues"  # else the round ends
    STANDS = "stands"  # then this can be said for the seat
    LEAVES = "leaves"  # else it can be said for a rival
    SCORES = "scores"  # then the seat has more
    COSTS = "costs"  # then the best rival has less
    AGAIN = "again"  # then the seat moves once more at once
    CHOICES = "choices"  # then the seat has more to choose from at its next turn
    MARGIN = "margin"  # in the end the seat is further ahead
    EVEN = "even"  # nothing else speaks for it, and it wins about as often
    LATER = "later"  # … and it wins more often
    ONLY = "only"  # nothing else was worth a look


# What the other move leads to
OTHERWISE = frozenset({Kind.SAVES, Kind.PREVENTS, Kind.DENIES, Kind.CONTINUES, Kind.LEAVES})
PLAIN = frozenset({Kind.WINS, Kind.BRINGS, Kind.ENDS, Kind.STANDS, Kind.AGAIN})  # said of the move alone
AMOUNTS = frozenset({Kind.SCORES, Kind.COSTS, Kind.MARGIN})  # of which less can be said of the other move
TABLE = frozenset({Kind.STANDS, Kind.LEAVES})  # as it stands right after the move
BARE = frozenset({Kind.EVEN, Kind.LATER, Kind.ONLY})  # sentences that need no opening


@dataclass(frozen=True)
class Reason:
    """What likely happens after a move, or else is likely to."""

    kind: Kind
    sentence: Sentence
    share: float  # of the states that fit what the seat knows
    against: bool = False  # it speaks for the other move

    @property
    def otherwise(self) -> bool:
        """Whether it happens after the other move."""
        return self.kind in OTHERWISE and not self.against

    @property
    def opening(self) -> str:
        """Which words it begins with: then, otherwise or but then, and how likely that is; or none."""
        if self.kind in BARE:
            return ""
        after = "but" if self.against else "otherwise" if self.otherwise else "then"
        if self.kind in TABLE and self.share == 1:
            return after
        return f"{after}.sure" if self.share >= SURE else f"{after}.likely"


@dataclass(frozen=True)
class Advice:
    """A move, and what speaks for it."""

    move: Move
    told: tuple[Sentence, ...]  # the move in words, with all that it surely does
    chance: float  # to be among the winners
    error: float
    reasons: tuple[Reason, ...]


def advise(
    observation: Observation,
    seconds: float | None = None,
    nodes: int | None = None,
    threads: int = 1,
    seed: int | None = None,
) -> tuple[Advice, ...]:
    """The best moves of an analysis, best first, each compared with the best of the others."""
    found = analyse(observation, seconds, nodes, threads, seed, sensible=True)
    return explain(observation, found, seed)


def explain(observation: Observation, found: Analysis, seed: int | None = None) -> tuple[Advice, ...]:
    """What speaks for the best moves that an analysis found; and against those that aren't the best."""
    best, worst = found.prospects[:MOVES], found.prospects[-1]
    worlds = _seed_of_worlds(seed)
    after = [Prospects(observation, prospect.move, worlds) for prospect in best]
    least = Prospects(observation, worst.move, worlds) if worst not in best else after[-1]
    advice = []
    for number, prospect in enumerate(best):
        mine = after[number]
        planned = planned_reasons(mine)
        if len(best) == 1:
            reasons: tuple[Reason, ...] = planned or (_reason(Kind.ONLY, mine.seat),)
        elif number == 0:
            reasons = why(mine, after[1])
        else:
            reasons = (*nearest(mine, after[0])[:1], *drawbacks(mine, after[0])[:1])
        if not reasons:
            reasons = plain_reasons(mine, least) or _at_last(mine.seat, prospect, best[not number])
        reasons = (*planned, *(reason for reason in reasons if reason not in planned))[:REASONS]
        advice.append(Advice(prospect.move, mine.told, prospect.chance, prospect.error, reasons))
    return tuple(advice)


def _at_last(seat: int, prospect: Prospect, other: Prospect) -> tuple[Reason, ...]:
    """What is said where nothing near sets two moves apart: how often they win."""
    ahead = prospect.chance - other.chance
    if abs(ahead) <= hypot(prospect.error, other.error):
        return (_reason(Kind.EVEN, seat),)
    return (_reason(Kind.LATER, seat, against=ahead < 0),)


def worded(observation: Observation, move: str) -> tuple[Sentence, ...]:
    """A move of the seat in turn in words, with all that it surely does."""
    return Prospects(observation, observation.game.move(move), worlds=0).told


@dataclass(frozen=True)
class Compared:
    """A move and a worse one in words, what speaks for the better one, and what against the other."""

    better: tuple[Sentence, ...]
    worse: tuple[Sentence, ...]
    reasons: tuple[Reason, ...]
    drawbacks: tuple[Reason, ...]


def compare(observation: Observation, better: Move, worse: Move, seed: int | None = None) -> Compared:
    """Two moves, one of which is known to be better."""
    worlds = _seed_of_worlds(seed)
    one, other = (Prospects(observation, move, worlds) for move in (better, worse))
    later = (_reason(Kind.LATER, one.seat),)
    less = (_reason(Kind.LATER, one.seat, against=True),)
    return Compared(one.told, other.told, why(one, other) or later, drawbacks(other, one) or less)


def chances(observation: Observation, seed: int | None = None) -> tuple[float, ...]:
    """Each seat's chance to win, by what one seat knows: by a solver, or states that fit are played on."""
    rng = bot_generator(seed, observation.game.name, "chances")
    solved = solved_chances(observation, CHANCE_WORLDS * CHANCE_GAMES, rng)
    if solved is not None:
        return solved
    kernels = analysing_kernels(observation.game.name)
    room = np.zeros(1, observation.game.rules.STATE), np.zeros(observation.game.num_moves, np.int16)
    total = np.zeros(int(observation.fields().players), search.FIND)
    for number in range(CHANCE_WORLDS):
        world = observation.imagine(None if seed is None else seed * CHANCE_WORLDS + number)
        finds = np.zeros_like(total)
        kernels.look_on(world.fields(), search.NO_MOVE, *room, rng, CHANCE_GAMES, finds)
        total = sum_of([total, finds])
    return tuple(chance_of(find) for find in total)


def played_on(state: State, move: str) -> tuple[str, ...]:
    """A move and what strong bots do then, with the cards as they lie, until its seat has moved once more."""
    state, seat, player = state.copy(), state.turn, bot("hard", state.game, seed=1)
    moves = [move]
    state.play(move)
    while state.turn is not None and len(moves) <= FURTHER:
        mine = state.turn == seat
        moves.append(str(player.choose(state.observation(state.turn))))
        state.play(moves[-1])
        if mine and state.turn != seat:
            break
    return tuple(moves)


def _seed_of_worlds(seed: int | None) -> int:
    """All moves are tried in the same worlds."""
    return WORLDS * (randbits(32) if seed is None else seed)


# A move in words


def in_words(game: Game, seat: int, move: str, lines: Sequence[Sentence]) -> tuple[Sentence, ...]:
    """A move with what it caused, as the log tells it.

    What the log leaves out, a step of a longer move, say, is put first, if the game has words for it.
    """
    if lines and lines[0].data.get("seat") == Seat(seat):
        return tuple(lines)
    verb, *rest = move.split()
    key = f"{STEP}{verb}"
    data: dict[str, Value] = {"seat": Seat(seat)}
    for word in rest:
        data |= {"rival": seat_named(word)} if SEAT_NAMED.fullmatch(word) else {"card": Card(word)}
    return (Sentence(key, data), *lines) if key in game.words(LANGUAGES[0]) else tuple(lines)


# What follows a move


@dataclass(frozen=True)
class Followed:
    """A move played on in one of the worlds, until its seat has moved once more."""

    first: Sentence | None  # that is said after the move
    said: dict[str, Sentence]
    stands: dict[str, Sentence]  # the merits of the table right after the move
    goes_on: bool  # the round, after the move
    won: bool
    lost: bool
    round_over: bool
    again: bool
    points: int
    rivals: int  # the best of theirs
    choices: int  # at the seat's next turn

    @property
    def lead(self) -> int:
        """How far ahead the seat is then."""
        return self.points - self.rivals


class Prospects:
    """A move of a seat, played on in the worlds that fit what the seat knows."""

    def __init__(self, observation: Observation, move: Move, worlds: int) -> None:
        assert observation.seat is not None
        self.observation = observation
        self.seat = observation.seat
        self.move = move
        self._worlds = worlds
        teams = observation.game.teams(int(observation.fields().players))
        self.team = [Seat(seat) for team in teams if self.seat in team for seat in team]

    @cached_property
    def told(self) -> tuple[Sentence, ...]:
        """The move in words, with all that it surely does; which card it draws isn't sure."""
        sure = self.observation.preview(self.move)
        draws = all(self._draws_after(world, len(sure)) for world in islice(self._imagined(), FEW))
        draw = (Drew(self.seat, HIDDEN_CARD),) if draws else ()
        game = self.observation.game
        return in_words(game, self.seat, str(self.move), game.sentences([*sure, *draw]))

    def _draws_after(self, world: State, number: int) -> bool:
        """Whether the seat itself draws a card after so many events."""
        world.play(self.move)
        following = next(iter(world.log(self.seat)[number:]), None)
        return isinstance(following, Drew) and following.seat == self.seat

    @cached_property
    def followed(self) -> list[Followed]:
        """What followed in each world."""
        return [self._follow(world) for world in self._imagined()]

    @cached_property
    def margins(self) -> list[float]:
        """By how much the seat was ahead in the end, on average, in each world."""
        kernels = analysing_kernels(self.observation.game.name)
        rng = bot_generator(self._worlds, self.observation.game.name, "margins")
        room = (
            np.zeros(1, self.observation.game.rules.STATE),
            np.zeros(self.observation.game.num_moves, np.int16),
        )
        margins = []
        for world in self._imagined():
            finds = np.zeros(world.players, search.FIND)
            kernels.look_on(world.fields(), self.move.id, *room, rng, END_GAMES, finds)
            margins.append(float(finds["margins"][self.seat]) / END_GAMES)
        return margins

    @cached_property
    def said(self) -> dict[str, Sentence]:
        """All that was said in any world."""
        return {key: line for one in self.followed for key, line in one.said.items()}

    @cached_property
    def counts(self) -> Counter[str]:
        """In how many worlds each of them holds."""
        return Counter(key for one in self.followed for key in {**one.stands, **one.said})

    @cached_property
    def merits(self) -> tuple[Sentence, ...]:
        """The merits of the table in any world, the most telling first."""
        return tuple({key: line for one in self.followed for key, line in one.stands.items()}.values())

    def share(self, line: Sentence) -> float:
        """In which part of the worlds a sentence holds."""
        return self.counts[repr(line)] / WORLDS

    def _imagined(self) -> Iterator[State]:
        for number in range(WORLDS):
            yield self.observation.imagine(self._worlds + number)

    def _follow(self, state: State) -> Followed:
        seat, round_number = self.seat, state.round
        state.play(self.move)
        again = state.turn == seat
        known = merits_of(state.game.name)
        goes_on = not state.over and state.round == round_number
        merits = known.merits(state.position()) if goes_on else iter(())
        stands = {repr(line): line for line in merits}
        choices = _play_on(state, seat)
        lines = state.game.sentences(state.log(seat))
        points = _points(state)
        return Followed(
            first=lines[0] if lines else None,
            said={
                repr(line): line
                for line in lines
                if line.key not in known.chores and not _tells_nothing(line)
            },
            stands=stands,
            goes_on=goes_on,
            won=state.over and seat in state.winners,
            lost=state.over and seat not in state.winners,
            round_over=state.over or state.round != round_number,
            again=again,
            points=points.pop(seat),
            rivals=max(points),
            choices=choices,
        )


def _play_on(state: State, seat: int) -> int:
    """By the heuristic, until a seat has moved once more; how much it then had to choose from."""
    rate = heuristics_of(state.game.name).rate
    choices = 0
    away = state.turn != seat
    for _ in range(FAR):
        if state.turn is None:
            break
        mine = state.turn == seat
        if mine and away and not choices:
            choices = len(state.legal_moves)
        fields = state.fields()
        state.play(max(state.legal_moves, key=lambda move: float(rate(fields, move.id))))
        away = away or state.turn != seat
        if mine and choices and state.turn != seat:
            break
    return choices


def _points(state: State) -> list[int]:
    """What all have: finished rounds, and this one as it stands."""
    points = np.zeros(state.players, np.int32)
    if not state.over:
        state.game.rules.score(state.fields(), points)
    return [int(now) + before for now, before in zip(points, state.scores, strict=True)]


def _tells_nothing(line: Sentence) -> bool:
    """Whether a sentence names nobody, or a card that isn't known."""
    values = line.data.values()
    hidden = Card(HIDDEN_CARD)
    return "seat" not in line.data or any(
        value == hidden or (isinstance(value, tuple) and hidden in value) for value in values
    )


# Reasons


def why(mine: Prospects, others: Prospects) -> tuple[Reason, ...]:
    """What speaks for a move and not for another; how games end only where nothing nearer does."""
    return nearest(mine, others) or final_reasons(mine, others)


def nearest(mine: Prospects, others: Prospects) -> tuple[Reason, ...]:
    """The most important of what is near, each of another kind."""
    told: dict[Kind, Reason] = {}
    for reason in nearer_reasons(mine, others):
        if not (reason.kind in TABLE and any(_says_less(reason, other) for other in told.values())):
            told.setdefault(reason.kind, reason)
    if Kind.WINS in told:
        return (told[Kind.WINS],)
    if Kind.SAVES in told:
        told.pop(Kind.CONTINUES, None)  # the game is lost because the round ends
    return tuple(told.values())[:REASONS]


def _says_less(reason: Reason, other: Reason) -> bool:
    """Whether a reason only names cards and spaces of one seat that another one names as well."""
    named, already = (
        {value for value in each.sentence.data.values() if isinstance(value, Card | Seat | str)}
        for each in (reason, other)
    )
    return reason.otherwise is other.otherwise and len(named) > 1 and named <= already


def drawbacks(mine: Prospects, better: Prospects) -> tuple[Reason, ...]:
    """What speaks for a better move, told of this one: what is done then, or what there is less of."""
    against = []
    for reason in (*nearer_reasons(better, mine), *final_reasons(better, mine)):
        if reason.otherwise:
            against.append(replace(reason, against=True))
        elif reason.kind in AMOUNTS:
            less = Sentence(f"{reason.sentence.key}.less", reason.sentence.data)
            against.append(replace(reason, sentence=less, against=True))
    return tuple(against[:REASONS])


def planned_reasons(mine: Prospects) -> tuple[Reason, ...]:
    """What a step of a longer move is a step to: an offer, say."""
    if not mine.told or not mine.told[0].key.startswith(STEP):
        return ()
    said = [one.first for one in mine.followed if one.again and one.first is not None]
    likeliest = max(said, key=said.count, default=None)
    if likeliest is None or likeliest.data.get("seat") != Seat(mine.seat):
        return ()
    share = said.count(likeliest) / WORLDS
    return (Reason(Kind.BRINGS, likeliest, share),) if share > MOST else ()


def plain_reasons(mine: Prospects, least: Prospects) -> tuple[Reason, ...]:
    """What a move leads to, where nothing sets it apart from the next best: not so after the least of all."""
    if mine is least:
        return ()
    return tuple(reason for reason in nearer_reasons(mine, least) if reason.kind in PLAIN)[:1]


def nearer_reasons(mine: Prospects, others: Prospects) -> tuple[Reason, ...]:
    """All that happens until the seat has moved once more, the most important first."""
    found = [*_said(mine, others), *_merits(mine, others), *_facts(mine, others)]
    return tuple(sorted(found, key=_importance))


def final_reasons(mine: Prospects, others: Prospects) -> tuple[Reason, ...]:
    """How games end."""
    gains = [one - other for one, other in zip(mine.margins, others.margins, strict=True)]
    return tuple(_gained(Kind.MARGIN, mine.seat, gains))


def _importance(reason: Reason) -> tuple[int, float]:
    """By kind; deeds by how likely they are, merits as the game tells them."""
    return list(Kind).index(reason.kind), 0.0 if reason.kind in TABLE else -reason.share


def _merits(mine: Prospects, others: Prospects) -> Iterator[Reason]:
    """How the table then stands for the seat and its partners, and else for rivals; of one deal only."""
    if not all(one.goes_on for each in (mine, others) for one in each.followed):
        return
    for kind, then, instead in ((Kind.STANDS, mine, others), (Kind.LEAVES, others, mine)):
        for line in then.merits:
            ours = line.data["seat"] in mine.team
            share = then.share(line)
            if (
                ours is (kind is Kind.STANDS)
                and line not in mine.told
                and _much_more(share, instead.share(line))
            ):
                yield Reason(kind, line, share)


def _said(mine: Prospects, others: Prospects) -> Iterator[Reason]:
    """What the seat then does; what isn't done to it, and what rivals don't get to do."""
    me = Seat(mine.seat)
    for line in mine.said.values():
        if line.data["seat"] == me and line not in mine.told and _speaks_for(line, mine, others, mine):
            yield Reason(Kind.BRINGS, line, mine.share(line))
    for line in others.said.values():
        if line.data["seat"] != me and _speaks_for(line, mine, others, others):
            kind = Kind.PREVENTS if me in line.data.values() else Kind.DENIES
            yield Reason(kind, line, others.share(line))


def _speaks_for(line: Sentence, mine: Prospects, others: Prospects, said: Prospects) -> bool:
    """Whether a sentence is said much more often after one of the moves, and the seat is glad of that.

    What a move brings goes with a greater lead than there is without it; what it spares, with a smaller one.
    """
    instead, good = (others, 1) if said is mine else (mine, -1)
    if not _much_more(said.share(line), instead.share(line)):
        return False
    leads: dict[bool, list[int]] = {True: [], False: []}  # where it is said, and where not
    for one in said.followed:
        leads[repr(line) in one.said].append(one.lead)
    without = leads[False] or [one.lead for one in instead.followed]
    return good * (mean(leads[True]) - mean(without)) >= 0


def _facts(mine: Prospects, others: Prospects) -> Iterator[Reason]:
    """How the table then is, unlike after the other move."""
    facts: dict[Kind, Callable[[Followed], bool]] = {
        Kind.WINS: lambda one: one.won,
        Kind.SAVES: lambda one: one.lost,
        Kind.ENDS: lambda one: one.round_over and one.points > one.rivals,
        Kind.CONTINUES: lambda one: one.round_over and one.points < one.rivals,
        Kind.AGAIN: lambda one: one.again,
    }
    for kind, holds in facts.items():
        then, instead = (others, mine) if kind in OTHERWISE else (mine, others)
        share, less = (sum(map(holds, each.followed)) / WORLDS for each in (then, instead))
        if _much_more(share, less):
            yield Reason(kind, _fact(kind, mine.seat), share)
    amounts: dict[Kind, Callable[[Followed], int]] = {
        Kind.SCORES: lambda one: one.points,
        Kind.COSTS: lambda one: -one.rivals,
        Kind.CHOICES: lambda one: one.choices,
    }
    for kind, amount in amounts.items():
        gains = [
            float(amount(one) - amount(other))
            for one, other in zip(mine.followed, others.followed, strict=True)
        ]
        yield from _gained(kind, mine.seat, gains)


def _gained(kind: Kind, seat: int, gains: list[float]) -> Iterator[Reason]:
    """A reason, if the seat gains in most worlds and seldom loses."""
    share, less = (sum(sign * gain > 0 for gain in gains) / WORLDS for sign in (1, -1))
    typical = _about(median(gains)) if kind is Kind.MARGIN else round(median(gains))
    if typical >= (MANY if kind is Kind.CHOICES else 1) and _much_more(share, less):
        yield Reason(kind, _fact(kind, seat, typical), share)


def _about(amount: float) -> int:
    """To two figures: how games end is an estimate."""
    return round(float(f"{amount:.2g}"))


def _much_more(share: float, less: float) -> bool:
    return share > MOST and less <= share - DIFFERENCE


def _reason(kind: Kind, seat: int, against: bool = False) -> Reason:
    """One that needs no worlds to look into."""
    key = f"reason.{kind}.less" if against else f"reason.{kind}"
    return Reason(kind, Sentence(key, {"seat": Seat(seat)}), 1.0, against)


def _fact(kind: Kind, seat: int, count: int | None = None) -> Sentence:
    """In the words of `reason.…`; a game of dollars names its amounts as money."""
    amounts: dict[str, Value] = {} if count is None else {"count": count, "amount": Money(count)}
    return Sentence(f"reason.{kind}", {"seat": Seat(seat), **amounts})
