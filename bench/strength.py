"""How strong the bots are: `python -m bench.strength`, which goes on where it was stopped.

Each line is a match between one bot, or a team of it, and others, played until it is clear who is stronger
and, where a share is aimed at, whether it is reached (sequential tests), or the games run out. All lines are
played for some games first, the most telling before the others. Every game is kept in
`bench/results/strength.jsonl`; `--write` puts the tables of what was played into `docs/bots.md`. Whoever
changes a bot removes the lines it has played.

The frozen opponent is `hard` as of commit 334848a (`bench/frozen.py`). An `expert` has a tenth of its nodes
here, on one thread: some 0.2 seconds a move. A `patient` one has all of them. `hard×16` has sixteen times the
nodes of `hard`.
"""

import json
import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

import click

import kibitz
from bench import frozen
from bench.anchors import line_up
from kibitz.bots.arena import Contest, play_one
from kibitz.bots.entrants import Chooser, Entrant, seated
from kibitz.bots.outcomes import interval
from kibitz.bots.player import Bot, nodes_of
from kibitz.bots.programs import ProgramBot
from kibitz.core.game import Game
from kibitz.core.state import Observation

RESULTS = Path(__file__).parent / "results" / "strength.jsonl"
DOCUMENT = Path(__file__).parents[1] / "docs" / "bots.md"
BEGIN, END = "<!-- {}: written by bench/strength.py -->", "<!-- end -->"
HEAD = (
    "| game | bots | share of the points | interval (95 %) | even | aim | games | ms a move |\n"
    "|---|---|---:|---:|---:|---:|---:|---:|"
)
SIMULATIONS = 2000  # of OpenSpiel's bot, and of ours against it
SEED = 1
SURE = math.log(19)  # odds at which a sequential test is decided: one error in twenty
EDGE = 0.1  # beyond an equal share: what a test tells apart from it
AIMS_EDGE = 0.05  # beyond a share that is aimed at
TOLD = 10  # games, before a match is a line of the document
EXPERTS_SHARE = 10  # an expert's nodes are divided by
GAMES = ("kaching", "kazink", "assets", "match", "cash")


@dataclass(frozen=True)
class Match:
    """One bot, in a team game a team of it, against others that are all alike."""

    table: str  # of the document
    game: str
    bot: str
    rival: str
    players: int = 2
    aim: float | None = None  # the share that is hoped for
    rounds: int | None = None  # None: a whole game

    @property
    def name(self) -> str:
        """What it is called in the results."""
        short = f" rounds={self.rounds}" if self.rounds else ""
        return f"{self.game} {self.players} {self.bot} {self.rival}{short}"

    @property
    def options(self) -> dict[str, Any]:
        """What the game is played with."""
        return {"rounds": self.rounds} if self.rounds else {}

    @property
    def title(self) -> str:
        """The game in words."""
        short = f", {self.rounds} round" if self.rounds else ""
        return f"{kibitz.game(self.game).title}{short}"

    @property
    def line_up(self) -> list[str]:
        """Who sits there."""
        return line_up(kibitz.game(self.game), self.players, self.bot, self.rival)

    @property
    def even(self) -> float:
        """The share of equals."""
        return self.line_up.count(self.bot) / self.players

    def shown(self, seat_of: str) -> str:
        """A side in words: the bot, or how many of them."""
        count = self.line_up.count(seat_of)
        return f"`{seat_of}`" if count == 1 else f"{count} `{seat_of}`"


def ladder(*steps: tuple[str, str], players: Callable[[Game], Sequence[int]]) -> Iterator[Match]:
    """Every level against the one below."""
    for better, worse in steps:
        for name in GAMES:
            for count in players(kibitz.game(name)):
                yield Match("levels", name, better, worse, count)


LEVELS = (("easy", "random"), ("medium", "easy"), ("hard", "medium"), ("expert", "hard"))
FROM_SPIEL: dict[str, Any] = {  # what is aimed at with two players, and how many rounds are played
    "kaching": (0.9,),
    "kazink": (0.9,),
    "match": (0.7,),
    "assets": (0.7,),
    "cash": (0.7, 1),  # a game of chance goes on for 46,000 moves: 2,000 of them take eight seconds
}
FROM_FROZEN = {"kaching": 0.85, "kazink": 0.75, "match": 0.75, "assets": 0.75, "cash": 0.6}
OF_FOUR, OF_EIGHT = 0.4, 0.25  # … and one against three, and seven, of the former bots
MATCHES = (
    *(Match("openspiel", game, "search", "ismcts", 2, *rest) for game, rest in FROM_SPIEL.items()),
    *(Match("former", game, "expert", "frozen", 2, aim) for game, aim in FROM_FROZEN.items()),
    *(Match("former", game, "expert", "frozen", 4, OF_FOUR) for game in ("kazink", "assets", "match")),
    Match("former", "cash", "expert", "frozen", 4, OF_FOUR, rounds=1),  # a whole game takes minutes
    Match("former", "cash", "expert", "frozen", 8, OF_EIGHT, rounds=1),
    *(Match("former", game, "patient", "frozen", 2, FROM_FROZEN[game]) for game in ("kaching", "kazink")),
    *ladder(*LEVELS[:3], players=lambda _: (2,)),
    *(Match("time", game, f"hard×{times}", "hard") for times in (4, 16) for game in GAMES),
    *ladder(*LEVELS[:3], players=lambda game: game.players[1:]),
    *ladder(LEVELS[3], players=lambda game: game.players),
)


def entrant(name: str) -> Entrant:
    """A level, or one of those that only measurements know."""
    level, _, times = name.partition("×")
    others: dict[str, Entrant] = {
        "expert": expert,
        "frozen": frozen.player,
        "ismcts": ismcts,
        "patient": patient,
        "search": search,
    }
    return partial(longer, level, int(times)) if times else others.get(name, name)


def expert(game: Game, seed: int | None) -> Bot:
    """An expert in a hurry."""
    return kibitz.bot("hard", game, seed, nodes_of("expert", game) // EXPERTS_SHARE)


def patient(game: Game, seed: int | None) -> Bot:
    """An expert with all its nodes, on one thread: some two seconds a move."""
    return kibitz.bot("hard", game, seed, nodes_of("expert", game))


def longer(level: str, times: int, game: Game, seed: int | None) -> Bot:
    """A level with so many times its nodes."""
    return kibitz.bot(level, game, seed, times * nodes_of(level, game))


def search(game: Game, seed: int | None) -> Bot:
    """`hard`, with as many simulations as OpenSpiel's bot has."""
    return kibitz.bot("hard", game, seed, SIMULATIONS)


def ismcts(game: Game, seed: int | None) -> Any:
    """OpenSpiel's own information-set search with random rollouts, in states that we imagine for it."""
    from bench.ismcts import player

    return player(game, seed, SIMULATIONS)


# Playing


class Clock:
    """How long the players of one name think about a move, on average: processor time of this process."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.moves, self.seconds, self.timed = 0, 0.0, True

    def player(self, game: Game, seed: int | None) -> Chooser:
        """One that is timed, unless it is a program: that has a processor time of its own."""
        choose = seated(entrant(self.name), game, seed)
        self.timed = not isinstance(getattr(choose, "__self__", None), ProgramBot)

        def timed(observation: Observation) -> Any:
            began = time.process_time()
            try:
                return choose(observation)
            finally:
                self.moves += 1
                self.seconds += time.process_time() - began

        return timed

    @property
    def milliseconds(self) -> float | None:
        """A move's; None if it wasn't measured."""
        return round(1000 * self.seconds / max(1, self.moves), 1) if self.timed else None


def kept(match: Match) -> list[dict[str, Any]]:
    """The games of a match that were played before."""
    rows = [json.loads(line) for line in RESULTS.read_text().splitlines()] if RESULTS.exists() else []
    return [row for row in rows if row["match"] == match.name]


def decided(shares: Sequence[float], at: float, edge: float) -> bool:
    """Wald's sequential test between a share that is an edge above a given one and one that is below."""
    better, worse = min(0.99, at + edge), max(0.01, at - edge)
    odds = sum(
        share * math.log(better / worse) + (1 - share) * math.log((1 - better) / (1 - worse))
        for share in shares
    )
    return abs(odds) > SURE


def enough(match: Match, rows: Sequence[dict[str, Any]], games: int, least: int) -> bool:
    """Whether the games run out, or all is clear; every deal is played from all seats."""
    if len(rows) >= games:
        return True
    shares = [row["share"] for row in rows]
    whole = len(rows) >= least and len(rows) % match.players == 0
    reached = match.aim is None or decided(shares, match.aim, AIMS_EDGE)
    return whole and reached and decided(shares, match.even, EDGE)


def play(match: Match, number: int) -> dict[str, Any]:
    """One game: what the first bot, or its team, has got of it."""
    clocks = {name: Clock(name) for name in (match.bot, match.rival)}
    sitting = [clocks[name].player for name in match.line_up]
    contest = Contest(kibitz.game(match.game), sitting, match.players, SEED, None, match.options)
    found = play_one(contest, number)
    assert found is not None
    if found.failures:
        raise SystemExit(f"{match.name}: {found.failures}")
    share = sum(found.share(bot) for bot, name in enumerate(match.line_up) if name == match.bot)
    times = [clocks[name].milliseconds for name in (match.bot, match.rival)]
    return {"match": match.name, "game": number, "share": share, "ms": times}


# Telling


def mean(times: Iterable[float | None]) -> str:
    """Of the milliseconds that were measured."""
    known = [each for each in times if each is not None]
    return f"{sum(known) / len(known):.0f}" if known else "?"


def line(match: Match, rows: Sequence[dict[str, Any]]) -> str:
    """A row of a table in `docs/bots.md`."""
    share = sum(row["share"] for row in rows) / len(rows)
    low, high = interval(share, len(rows))
    times = " to ".join(mean(row["ms"][side] for row in rows) for side in (0, 1))
    sides = f"{match.shown(match.bot)} against {match.shown(match.rival)}"
    between = f"{percent(low)} to {percent(high)} %"
    aim = f"{percent(match.aim)} %" if match.aim else ""
    return (
        f"| {match.title} | {sides} | {percent(share)} % | {between} "
        f"| {percent(match.even)} % | {aim} | {len(rows)} | {times} |"
    )


def percent(share: float) -> int:
    """In whole ones."""
    return round(100 * share)


def tables() -> dict[str, str]:
    """What was played so far, by table; the lines of a game stand together."""
    order = sorted(MATCHES, key=lambda match: (match.table, GAMES.index(match.game), match.players))
    found = {}
    for table, matches in groupby(order, key=lambda match: match.table):
        lines = [line(match, rows) for match in matches if len(rows := kept(match)) >= TOLD]
        found[table] = "\n".join([HEAD, *lines]) if lines else "Nothing of this was played yet."
    return found


def written(text: str) -> str:
    """The document with its tables as they come out now."""
    for name, table in tables().items():
        begin = BEGIN.format(name)
        if begin in text:
            head, rest = text.split(begin, 1)
            text = f"{head}{begin}\n\n{table}\n\n{END}{rest.split(END, 1)[1]}"
    return text


@click.command()
@click.option("--only", multiple=True, help="Matches whose names contain this, such as `kaching 2 expert`.")
@click.option("--games", default=400, show_default=True, help="Of a match at most.")
@click.option("--least", default=20, show_default=True, help="Of a match before it can be decided.")
@click.option("--minutes", default=math.inf, help="Stop after so long; the next run goes on.")
@click.option("--write", is_flag=True, help="Play nothing: put what was played into docs/bots.md.")
def main(only: Sequence[str], games: int, least: int, minutes: float, write: bool) -> None:
    """Play the matches one after the other, and print their lines."""
    if write:
        DOCUMENT.write_text(written(DOCUMENT.read_text()))
        return
    deadline = time.monotonic() + 60 * minutes
    chosen = [match for match in MATCHES if any(part in match.name for part in only or ("",))]
    for most in sorted({min(least, games), games}):
        for match in chosen:
            play_on(match, most, least, deadline)


def play_on(match: Match, games: int, least: int, deadline: float) -> None:
    """Play what a match lacks, and print its line."""
    rows = kept(match)
    while not enough(match, rows, games, least) and time.monotonic() < deadline:
        rows.append(play(match, len(rows)))
        with RESULTS.open("a") as file:
            file.write(json.dumps(rows[-1]) + "\n")
    if rows:
        print(line(match, rows), flush=True)


if __name__ == "__main__":
    main()
