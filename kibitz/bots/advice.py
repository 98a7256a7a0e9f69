"""Advice for whoever decides: the best moves, how likely each wins, and why, in sentences of the game's log.

A reason is something that happens in most of the states that fit what the seat knows, and happens much less
often after the move it is compared with. It is found by playing both on until the seat has moved once more.
"""

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from kibitz.bots import search
from kibitz.bots.analysis import Analysis, analyse, chance_of, sum_of
from kibitz.bots.lookahead import analysing_kernels, heuristics_of
from kibitz.core.move import Move
from kibitz.core.secret import bot_generator
from kibitz.core.sentences import HIDDEN_CARD, Card, Seat, Sentence
from kibitz.core.state import Observation, State

MOVES = 3  # advised at most
WORLDS = 48  # in which reasons are looked for
MOST = 0.5  # of the worlds: a reason holds in more
DIFFERENCE = 0.25  # by so much less it holds after the move compared with
REASONS = 2  # told at most
CHANCE_WORLDS, CHANCE_GAMES = 100, 4  # states in which everybody's chances are counted, games in each
FAR = 40  # moves until the seat's own next one at most


class Kind(StrEnum):
    """What speaks for a move."""

    BRINGS = "brings"  # then this likely happens, by the seat
    PREVENTS = "prevents"  # else this likely happens, to the seat


@dataclass(frozen=True)
class Reason:
    """What likely happens after a move, or is likely prevented by it."""

    kind: Kind
    sentence: Sentence
    share: float  # of the states that fit what the seat knows


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
    found = analyse(observation, seconds, nodes, threads, seed)
    return explain(observation, found, seed)


def explain(observation: Observation, found: Analysis, seed: int | None = None) -> tuple[Advice, ...]:
    """What speaks for the best moves that an analysis found."""
    best = found.prospects[:MOVES]
    likely = [what_follows(observation, prospect.move, seed) for prospect in best]
    advice = []
    for number, prospect in enumerate(best):
        told = tuple(observation.game.sentences(observation.preview(prospect.move)))
        reasons: tuple[Reason, ...] = ()
        if len(best) > 1:
            reasons = _reasons(found.seat, told, likely[number], likely[1 if number == 0 else 0])
        advice.append(Advice(prospect.move, told, prospect.chance, prospect.error, reasons))
    return tuple(advice)


def chances(observation: Observation, seed: int | None = None) -> tuple[float, ...]:
    """Each seat's chance to win, by what one seat knows: states that fit are played on."""
    kernels = analysing_kernels(observation.game.name)
    rng = bot_generator(seed, observation.game.name, "chances")
    room = np.zeros(1, observation.game.rules.STATE), np.zeros(observation.game.num_moves, np.int16)
    total = np.zeros(int(observation.fields().players), search.FIND)
    for number in range(CHANCE_WORLDS):
        world = observation.imagine(None if seed is None else seed * CHANCE_WORLDS + number)
        finds = np.zeros_like(total)
        kernels.look_on(world.fields(), search.NO_MOVE, *room, rng, CHANCE_GAMES, finds)
        total = sum_of([total, finds])
    return tuple(chance_of(find) for find in total)


def compare(
    observation: Observation, one: Move, other: Move, seed: int | None = None
) -> tuple[tuple[tuple[Sentence, ...], tuple[Reason, ...]], ...]:
    """Two moves in words, each with what speaks for it and not for the other."""
    likely = [what_follows(observation, move, seed) for move in (one, other)]
    told = [tuple(observation.game.sentences(observation.preview(move))) for move in (one, other)]
    assert observation.seat is not None
    return tuple(
        (told[number], _reasons(observation.seat, told[number], likely[number], likely[1 - number]))
        for number in (0, 1)
    )


class LikelyLines:
    """How many of some imagined states a sentence is said in."""

    def __init__(self) -> None:
        self.lines: dict[str, Sentence] = {}
        self.counts: Counter[str] = Counter()

    def add(self, lines: list[Sentence]) -> None:
        """Count what is said in one more of them."""
        said = {repr(line): line for line in lines}
        self.lines |= said
        self.counts.update(said.keys())

    def share(self, line: Sentence) -> float:
        """In which part of them a sentence is said."""
        return self.counts[repr(line)] / WORLDS

    def likely(self) -> list[Sentence]:
        """What is said in most."""
        return [line for line in self.lines.values() if self.share(line) > MOST]


def what_follows(observation: Observation, move: Move, seed: int | None = None) -> LikelyLines:
    """What is said after a move, until its seat has moved once more."""
    said = LikelyLines()
    for number in range(WORLDS):
        world = observation.imagine(None if seed is None else seed * WORLDS + number)
        world.play(move)
        _play_on(world, observation.seat)
        lines = observation.game.sentences(world.log(observation.seat))
        said.add([line for line in lines if not _tells_nothing(line)])
    return said


def _play_on(state: State, seat: int | None) -> None:
    """By the heuristic, until a seat has moved once more."""
    rate = heuristics_of(state.game.name).rate
    for _ in range(FAR):
        if state.turn is None:
            return
        mine = state.turn == seat
        fields = state.fields()
        state.play(max(state.legal_moves, key=lambda move: float(rate(fields, move.id))))
        if mine and state.turn != seat:
            return


def _reasons(
    seat: int, told: tuple[Sentence, ...], mine: LikelyLines, others: LikelyLines
) -> tuple[Reason, ...]:
    """What the seat then likely does, and what it likely isn't done, unlike after another move."""
    me = Seat(seat)
    brings = [
        Reason(Kind.BRINGS, line, mine.share(line))
        for line in mine.likely()
        if line.data["seat"] == me
        and line not in told
        and others.share(line) <= mine.share(line) - DIFFERENCE
    ]
    prevents = [
        Reason(Kind.PREVENTS, line, others.share(line))
        for line in others.likely()
        if line.data["seat"] != me
        and me in line.data.values()
        and mine.share(line) <= others.share(line) - DIFFERENCE
    ]
    return tuple(sorted([*prevents, *brings], key=lambda reason: -reason.share)[:REASONS])


def _tells_nothing(line: Sentence) -> bool:
    """Whether a sentence names nobody, or a card that isn't known."""
    values = line.data.values()
    hidden = Card(HIDDEN_CARD)
    return "seat" not in line.data or any(
        value == hidden or (isinstance(value, tuple) and hidden in value) for value in values
    )
