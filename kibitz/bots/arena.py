"""Bots against each other: who takes which share of the points. See docs/arena.md."""

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec

from kibitz.bots.crews import Stop, crew
from kibitz.bots.entrants import Entrant, listed, name_of, seated, tell_the_end, try_programs
from kibitz.bots.forgiving import forgiving
from kibitz.bots.kept import KeptLines
from kibitz.bots.lookahead import kernels
from kibitz.bots.outcomes import ArenaGame, Outcome
from kibitz.bots.player import Bot
from kibitz.core import registry
from kibitz.core.errors import BadOptions
from kibitz.core.game import Game
from kibitz.core.numbers import at_least, checked_seed

Report = Callable[[int, int], None]


class ArenaRun(msgspec.Struct, frozen=True, kw_only=True):
    """What an arena was asked: the first line of its file."""

    game: str
    rules: int
    bots: tuple[str, ...]
    players: int
    seed: int
    nodes: int | None
    options: dict[str, Any]


@dataclass(frozen=True)
class Contest:
    """Who plays, and by what: all that one game needs to know but its number."""

    game: Game
    bots: Sequence[Entrant]
    players: int
    seed: int
    nodes: int | None
    options: dict[str, Any]

    def sitting(self, number: int) -> tuple[int, tuple[int, ...]]:
        """A game's deal, and which of the listed bots sits on each seat.

        Every deal is played by each choice of bots, and by each in every rotation of the seats.
        """
        choices = list(combinations(range(len(self.bots)), self.players))
        deal, turn = divmod(number, len(choices) * self.players)
        choice, rotation = divmod(turn, self.players)
        chosen = choices[choice]
        return deal, tuple(chosen[(seat + rotation) % self.players] for seat in range(self.players))


def arena(
    game: Game | str,
    bots: Sequence[Entrant],
    games: int = 200,
    seed: int = 1,
    nodes: int | None = None,
    players: int | None = None,
    jobs: int | None = None,
    ray: str | None = None,
    file: str | Path | None = None,
    report: Report | None = None,
    **options: Any,
) -> Outcome:
    """Play games among the bots. Every deal is played once in each rotation of the seats.

    A bot is a level, a `Bot`, a function from an observation to a move, or one that makes a player from a
    game and a seed, or a command line. One that fails is told in the outcome; chance moves in its place.
    `players`: at one table; if there are more bots, every choice of them plays every deal. `jobs`: so many
    processes; else threads; `ray`: the address of a Ray cluster. `file`: each game is kept in it as it ends,
    and what is there is not played again. Ctrl-C ends it at once, with what was played so far.
    """
    game = registry.game_of(game)
    contest = _contest(game, bots, seed, nodes, players, options)
    games = at_least(1, "games", games)
    lent = any(isinstance(entrant, Bot) for entrant in bots)  # it has one generator, which the games share
    workers = crew(jobs, ray, alone=lent)
    if ray is None:  # a cluster's machines may have other programs than this one
        try_programs(bots)
    kernels(game.name)  # compiled once, before the work is shared
    work = partial(play_one, contest)
    with closing(KeptLines(file, _run(contest), ArenaGame)) as kept:
        played = {each.number: each for each in kept.before if each.number < games}
        left = [number for number in range(games) if number not in played]
        try:
            with closing(workers(work, left)) as results:
                for number, found in results:
                    if found is not None:
                        played[number] = found
                        kept.add(found)
                    if report:
                        report(len(played), games)
        except KeyboardInterrupt:
            if not played:
                raise
    return Outcome(tuple(map(name_of, bots)), tuple(played[number] for number in sorted(played)))


def _contest(
    game: Game,
    bots: Sequence[Entrant],
    seed: int,
    nodes: int | None,
    players: int | None,
    options: dict[str, Any],
) -> Contest:
    """What is asked, checked."""
    bots = listed(bots)
    if players is None and len(bots) not in game.players:
        raise BadOptions("bots", f"as many as the players of {game.title}, or `players` said", len(bots))
    seats = game.checked_players(len(bots) if players is None else players)
    if len(bots) < seats:
        raise BadOptions("bots", f"{seats} or more, as `players` asks", len(bots))
    for entrant in bots:
        seated(entrant, game, nodes=nodes)
    return Contest(game, bots, seats, checked_seed(seed), nodes, game.checked_options(options, seats))


def _run(contest: Contest) -> ArenaRun:
    return ArenaRun(
        game=contest.game.name,
        rules=contest.game.rules_version,
        bots=tuple(map(name_of, contest.bots)),
        players=contest.players,
        seed=contest.seed,
        nodes=contest.nodes,
        options=contest.options,
    )


def play_one(contest: Contest, number: int, stop: Stop | None = None) -> ArenaGame | None:
    """One game, or None if it was stopped."""
    deal, sitting = contest.sitting(number)
    state = contest.game.deal(contest.players, seed=_game_seed(contest.seed, deal), **contest.options)
    failures: Counter[str] = Counter()

    luck = [_game_seed(contest.seed, number, seat) for seat in range(contest.players)]
    choosers = [
        seated(contest.bots[bot], contest.game, luck[seat], contest.nodes) for seat, bot in enumerate(sitting)
    ]
    players = [
        forgiving(chooser, luck[seat], partial(_note, failures, sitting[seat]))
        for seat, chooser in enumerate(choosers)
    ]
    while state.turn is not None:
        if stop and stop.is_set():
            return None
        state.play(players[state.turn](state.observation(state.turn)))
    for seat, chooser in enumerate(choosers):
        tell_the_end(chooser, state.observation(seat))
    return ArenaGame(number, sitting, tuple(state.winners), tuple(state.scores), dict(failures))


def _note(failures: Counter[str], bot: int, what: str) -> None:
    failures[f"{bot}: {what}"] += 1


def _game_seed(*parts: int) -> int:
    seed = 0
    for part in parts:
        seed = seed * 1_000_003 + part
    return seed
