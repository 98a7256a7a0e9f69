"""Puzzles: moments of games between bots in which one move is clearly best, and easy bots don't see it.

A game's puzzles are `puzzles.json` beside its rules. Each is the beginning of a game that the rules replay,
so that whoever solves it knows what the seat knew: its view and all that it was shown before.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib import resources
from math import inf
from typing import Any

import msgspec
import numpy as np

from kibitz.bots import search
from kibitz.bots.advice import Reason, compare, played_on
from kibitz.bots.analysis import NODES, chance_of, sum_of
from kibitz.bots.lookahead import Budget, look_ahead
from kibitz.bots.player import bot
from kibitz.core import registry
from kibitz.core.errors import BadRecord, KibitzError
from kibitz.core.game import Game
from kibitz.core.move import Move
from kibitz.core.secret import bot_generator
from kibitz.core.sentences import Sentence
from kibitz.core.state import Observation, State

FILE = "puzzles.json"
SCREENED = NODES // 2  # descents for a first look at every decision
CLOSELY = 10 * NODES  # for each of the looks that have to agree
PROMISING = 0.08  # of the chance to win, by which the best move is ahead at first sight
AHEAD = 0.1  # … and surely
TRIED_ENOUGH = 24  # games after a move; the chance of one that was tried less is a guess
APART = 12  # moves between two puzzles of a game
SEEDS = (1, 2, 3)  # by which a level is asked whether it finds the move
GRADED_BY = ("medium", "hard")  # the levels that find puzzles of grade 1 and 2; nobody those of grade 3
STRIDE = 17  # from a game's puzzle of the day to its next: puzzles found in one game don't follow each other
MOST_ALIKE = 4  # no move answers more than one of so many
MOST_OF_A_GRADE = 0.6  # of all; the others are harder to find
PLAYERS = (2, 2, 4)  # at one table after the other, unless told, as far as the game allows


class Puzzle(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The beginning of a game, what is best then for the seat in turn, and how likely each move wins."""

    id: str
    rules: int
    players: int
    options: dict[str, Any]
    seed: int
    moves: tuple[str, ...]
    best: str
    chances: dict[str, float]  # of the moves that were looked into, the best first
    grade: int  # 1: medium finds it, 2: hard does, 3: neither


class Puzzles(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game's puzzles, and how many games were played to find them."""

    games: int
    puzzles: tuple[Puzzle, ...]


@cache
def puzzles(name: str) -> Puzzles:
    """A game's puzzles; none if it has no file of them."""
    file = _file(name)
    return read(file.read_bytes()) if file.is_file() else Puzzles(0, ())


def read(text: bytes) -> Puzzles:
    """Puzzles from a file's text."""
    try:
        return msgspec.json.decode(text, type=Puzzles)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadRecord("puzzles", f"the JSON of puzzles ({error})", text[:40]) from error


def written(found: Puzzles) -> bytes:
    """The text of a file: a line for each puzzle."""
    lines = ",\n".join(f"  {msgspec.json.encode(puzzle).decode()}" for puzzle in found.puzzles)
    return f'{{\n "games": {found.games},\n "puzzles": [\n{lines}\n ]\n}}\n'.encode()


def _file(name: str) -> Any:
    return resources.files(registry.game(name).package) / FILE


def puzzle(name: str, id: str) -> Puzzle:
    """One of a game's puzzles."""
    for each in puzzles(name).puzzles:
        if each.id == id:
            return each
    raise KibitzError("no-such-puzzle", f"There is no puzzle {id!r} of {registry.game(name).title}.")


def of_the_day(day: date) -> tuple[str, Puzzle]:
    """The puzzle of a day, and of which game: one game after the other, each of its puzzles in turn."""
    games = [name for name in registry.games() if puzzles(name).puzzles]
    turn, place = divmod(day.toordinal(), len(games))
    name = games[place]
    choice = puzzles(name).puzzles
    return name, choice[turn * STRIDE % len(choice)]


def begun(name: str, asked: Puzzle) -> State:
    """The game of a puzzle, dealt."""
    return registry.game(name).deal(asked.players, asked.seed, rules_version=asked.rules, **asked.options)


def set_up(name: str, asked: Puzzle) -> State:
    """The table at the moment of a puzzle."""
    state = begun(name, asked)
    for move in asked.moves:
        state.play(move)
    return state


# Answering them


@dataclass(frozen=True)
class TriedMove:
    """A move that was tried, how good it is, why, and how it goes on; the best is named only when found."""

    right: bool
    move: str
    told: tuple[Sentence, ...]
    chance: float | None  # None: it wasn't worth a look
    best_chance: float
    reasons: tuple[Reason, ...]  # that speak for it; or against a wrong one
    line: tuple[str, ...]


def answer(name: str, asked: Puzzle, typed: str) -> TriedMove:
    """What comes of a move."""
    state = set_up(name, asked)
    move, best = state.check(typed), state.game.move(asked.best)
    right = move == best
    next_best = next(other for other in asked.chances if other != asked.best)
    other = state.game.move(next_best) if right else move
    compared = compare(state.observation(state.turn), best, other, seed=1)
    return TriedMove(
        right=right,
        move=str(move),
        told=compared.better if right else compared.worse,
        chance=asked.chances.get(str(move)),
        best_chance=asked.chances[asked.best],
        reasons=compared.reasons if right else compared.drawbacks,
        line=played_on(state, str(move)),
    )


# Making them


def make(name: str, have: Puzzles, wanted: int, players: int | None = None) -> Iterator[Puzzles]:
    """Play games until there are so many puzzles; what there is by then is told after each game."""
    game = registry.game(name)
    while len(have.puzzles) < wanted:
        sitting = players or min(PLAYERS[have.games % len(PLAYERS)], game.players[-1])
        for found in _found_in(game, have.games, sitting, _full_grades(have, wanted)):
            if not _common(found, have, wanted) and found.grade not in _full_grades(have, wanted):
                have = Puzzles(have.games, (*have.puzzles, found))
        have = Puzzles(have.games + 1, have.puzzles)
        yield have


def _common(found: Puzzle, have: Puzzles, wanted: int) -> bool:
    """Whether the same move answers enough of them already: it could be guessed."""
    alike = sum(each.best == found.best for each in have.puzzles)
    return alike >= max(1, wanted // MOST_ALIKE)


def _full_grades(have: Puzzles, wanted: int) -> frozenset[int]:
    """The grades of which there are enough: they shouldn't all be easy."""
    grades = Counter(each.grade for each in have.puzzles)
    return frozenset(grade for grade, count in grades.items() if count >= MOST_OF_A_GRADE * wanted)


def looked_at_again(name: str, have: Puzzles) -> Iterator[Puzzles]:
    """Those that still are puzzles, by the bots of now; what is left is told after each."""
    for each in have.puzzles:
        found = _puzzle(set_up(name, each), each.seed, each.options)
        kept = (found if other.id == each.id else other for other in have.puzzles)
        have = Puzzles(have.games, tuple(other for other in kept if other))
        yield have


def _found_in(game: Game, number: int, players: int, full_grades: frozenset[int]) -> Iterator[Puzzle]:
    """The puzzles in one game between bots."""
    options: dict[str, Any] = {
        option.name: 1 for option in game.options if option.name == "rounds" and option.default is None
    }
    state = game.deal(players, number, **options)
    player = bot("medium", game, number)
    latest = -APART
    while state.turn is not None:
        far_enough = len(state.history) >= latest + APART
        if far_enough and (found := _puzzle(state, number, options, full_grades)):
            latest = len(state.history)
            yield found
        state.play(player.choose(state.observation(state.turn)))


def _puzzle(
    state: State, seed: int, options: dict[str, Any], full_grades: frozenset[int] = frozenset()
) -> Puzzle | None:
    """What there is to find at this moment of a game, dealt with that seed, if one move is clearly best."""
    seen = state.observation(state.turn)
    best = _promising(seen, seed)
    if best is None or _finds("easy", seen, best):
        return None
    grade = _grade(seen, best)
    chances = {} if grade in full_grades else _clearly_ahead(seen, best, seed)
    if not chances:
        return None
    return Puzzle(
        id=f"{seed}-{len(state.history)}",
        rules=state.rules_version,
        players=state.players,
        options=options,
        seed=seed,
        moves=tuple(map(str, state.history)),
        best=str(best),
        chances={str(move): round(chance, 3) for move, chance in chances.items()},
        grade=grade,
    )


def _promising(seen: Observation, seed: int) -> Move | None:
    """The move that seems far ahead at first sight, if there is one."""
    if len(seen.legal_moves) < 2:
        return None
    ranking, finds = _look(seen, SCREENED, seed)
    return seen.game.moves[ranking[0]] if _ahead(ranking, finds, PROMISING) else None


def _clearly_ahead(seen: Observation, best: Move, seed: int) -> dict[Move, float]:
    """The chances of the moves, if two close looks agree that this one is far ahead; else none."""
    looks = [_look(seen, CLOSELY, seed + number) for number in (1, 2)]
    if not all(ranking[0] == best.id and _ahead(ranking, finds, AHEAD) for ranking, finds in looks):
        return {}
    both = sum_of([finds for _, finds in looks])
    tried = [move for move in looks[0][0] if both["games"][move] >= TRIED_ENOUGH]
    chances = {seen.game.moves[move]: chance_of(both[move]) for move in tried}
    return dict(sorted(chances.items(), key=lambda item: (item[0] != best, -item[1])))


def _look(seen: Observation, nodes: int, seed: int) -> tuple[tuple[int, ...], search.Finds]:
    finds = np.zeros(seen.game.num_moves, search.FIND)
    rng = bot_generator(seed, seen.game.name, "puzzle", nodes)
    return look_ahead(seen, list(seen.legal_moves), Budget(nodes, inf), rng, finds).ranking, finds


def _ahead(ranking: tuple[int, ...], finds: search.Finds, by: float) -> bool:
    """Whether the first of some moves wins so much more often than any other that was tried."""
    others = [chance_of(finds[move]) for move in ranking[1:] if finds["games"][move] >= TRIED_ENOUGH]
    return bool(others) and chance_of(finds[ranking[0]]) >= max(others) + by


def _grade(seen: Observation, best: Move) -> int:
    found = [number for number, level in enumerate(GRADED_BY, 1) if _mostly_finds(level, seen, best)]
    return found[0] if found else len(GRADED_BY) + 1


def _finds(level: str, seen: Observation, best: Move) -> bool:
    return any(bot(level, seen.game, seed).choose(seen) == best for seed in SEEDS)


def _mostly_finds(level: str, seen: Observation, best: Move) -> bool:
    right = sum(bot(level, seen.game, seed).choose(seen) == best for seed in SEEDS)
    return 2 * right > len(SEEDS)
