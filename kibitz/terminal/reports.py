"""What commands print: tables for people, JSON for programs."""

import json
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

import kibitz
from kibitz.core.words import catalogue

if TYPE_CHECKING:
    from kibitz.bots.botcheck import CheckedPoint
    from kibitz.bots.outcomes import Outcome
    from kibitz.bots.tune import Trial, Tuning
    from kibitz.core.game import Game
    from kibitz.core.words import Words
    from kibitz.terminal.checking import Verdict
    from kibitz.terminal.doctor import Finding

GOOD, BAD, SO_SO = "✓", "✗", "!"


def print_json(value: Any) -> None:
    """For programs: one JSON document."""
    print(json.dumps(value, ensure_ascii=False, indent=1))


def plain_table(*columns: str) -> Table:
    """A table with a line under its head and no frame."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for column in columns:
        table.add_column(column, justify="right" if column.startswith(">") else "left")
        table.columns[-1].header = column.removeprefix(">")
    return table


def words_for(language: str, *packages: str) -> "Words":
    """The terminal's words, with those of further packages."""
    return catalogue(language, "kibitz.terminal", *packages)


# The games


def game_facts(game: "Game", language: str) -> dict[str, Any]:
    """What a listing says about a game."""
    return {
        "name": game.name,
        "title": game.title,
        "players": [game.players.start, game.players.stop - 1],
        "minutes": game.minutes,
        "tagline": game.words(language)("tagline"),
    }


def games_table(facts: Sequence[dict[str, Any]], words: "Words") -> Table:
    """The games, a line each."""
    columns = ("name", "title", "players", "minutes", "tagline")
    table = plain_table(*(words(f"terminal.games.{column}") for column in columns))
    for fact in facts:
        fewest, most = fact["players"]
        players = str(fewest) if fewest == most else f"{fewest}-{most}"
        table.add_row(fact["name"], fact["title"], players, str(fact["minutes"]), fact["tagline"])
    return table


def option_facts(game: "Game", language: str) -> list[dict[str, Any]]:
    """What a listing says about a game's options, with as many players as there can be."""
    words = game.words(language)
    return [
        {
            "option": option.name,
            "accepts": option.expected(game.players[-1], language),
            "default": option.default,
            "meaning": words(f"option.{option.name}"),
        }
        for option in game.options
    ]


def options_table(facts: Sequence[dict[str, Any]], words: "Words") -> Table:
    """A game's options, a line each."""
    columns = ("option", "accepts", "default", "meaning")
    table = plain_table(*(words(f"terminal.options.{column}") for column in columns))
    for fact in facts:
        default = fact["default"]
        shown = str(default).lower() if default is None or isinstance(default, bool) else str(default)
        table.add_row(fact["option"], fact["accepts"], shown, fact["meaning"])
    return table


# Progress


@contextmanager
def progress_bar(console: Console, title: str) -> Iterator[Callable[[int, int], None]]:
    """A bar to be told `(done, total)`, on a terminal; gone when it is done."""
    if not console.is_terminal:  # where older versions of Rich write an empty line
        yield lambda done, total: None
        return
    with _bar(console) as progress:
        task = progress.add_task(title, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)


def _bar(console: Console) -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=console, transient=True)


LATE = 2.0  # seconds after which a wait needs a sign of life


@contextmanager
def late_bar(console: Console, title: str) -> Iterator[Callable[[int, int | None], None]]:
    """A bar to be told `(done, total)` that comes only when it takes longer."""
    if not console.is_terminal:
        yield lambda done, total: None
        return
    started = time.monotonic()
    progress = _bar(console)
    task = progress.add_task(title, total=None)

    def advance(done: int, total: int | None) -> None:
        if time.monotonic() - started > LATE:
            progress.start()
            progress.update(task, completed=done, total=total)

    try:
        yield advance
    finally:
        progress.stop()


def patience(language: str) -> AbstractContextManager[object]:
    """A sign of life while a record is played through: its game's kernels may have to be compiled first."""
    from kibitz.terminal.screen import new_console

    return new_console(stderr=True).status(words_for(language)("terminal.replaying"))


def prepare(
    games: Sequence[str], language: str, console: Console, programs: bool = False
) -> dict[str, dict[str, float]]:
    """Compile what isn't compiled yet, with a bar a game; returns what groups of kernels took."""
    from kibitz.warmup import is_warm, warm_up

    words = words_for(language)
    taken: dict[str, dict[str, float]] = {}
    for name in games:
        if not is_warm(name, programs):
            title = words("terminal.preparing", game=kibitz.game(name).title)
            with progress_bar(console, title) as advance:
                taken |= warm_up([name], lambda _, done, total: advance(done, total), programs) or {}
    return taken


# Verdicts and findings


def print_verdict(verdict: "Verdict", words: "Words", console: Console) -> None:
    """Each check with its mark; the one that failed with its reason."""
    for check in verdict.passed:
        console.print(f"[green]{GOOD}[/] {words(f'terminal.check.{check}')}")
    if verdict.failed is not None:
        console.print(f"[red]{BAD}[/] {words(f'terminal.check.{verdict.failed}')}")
        console.print(f"  {verdict.reason}", markup=False)


def print_account(
    facts: Mapping[str, Any], words: "Words", console: Console, advice: str = "terminal.store.advice"
) -> None:
    """Each check of a server's store with its mark, what is wrong, and what to do."""
    console.print(facts["file"], markup=False, highlight=False, soft_wrap=True)
    for check in facts["checks"]:
        mark = f"[red]{BAD}[/]" if check["problems"] else f"[green]{GOOD}[/]"
        told = words(f"terminal.store.{check['name']}", tables=facts["tables"], rows=facts["rows"])
        console.print(f"{mark} {told}", highlight=False, soft_wrap=True)
        for problem in check["problems"]:
            console.print(f"  {problem}", markup=False, highlight=False, soft_wrap=True)
    if not facts["sound"]:
        console.print(words(advice), highlight=False, soft_wrap=True)


def print_findings(findings: Sequence["Finding"], console: Console) -> None:
    """What the doctor found, and what to do."""
    for finding in findings:
        colour = "green" if finding.ok else "red" if finding.necessary else "yellow"
        mark = GOOD if finding.ok else BAD if finding.necessary else SO_SO
        console.print(f"[{colour}]{mark}[/] {finding.name:<20} {finding.found}", soft_wrap=True)
        if finding.advice:
            console.print(f"  {'':<20} {finding.advice}", style="dim", soft_wrap=True)


def verdict_facts(verdict: "Verdict") -> dict[str, Any]:
    """A verdict, for programs."""
    return {
        "file": verdict.file,
        "valid": verdict.valid,
        "checks": [{"check": check, "ok": True} for check in verdict.passed]
        + [{"check": check, "ok": False} for check in (verdict.failed,) if check],
        "reason": verdict.reason,
    }


# The arena


def run_arena(
    name: str, bots: Sequence[str], options: Sequence[str], language: str, **settings: Any
) -> tuple["Outcome", float]:
    """Let bots play, with a progress bar; returns what came out and the seconds it took."""
    from kibitz.terminal.screen import new_console
    from kibitz.terminal.setup import parsed_options

    game = kibitz.game(name)
    chosen = parsed_options(game, options, settings["players"] or len(bots))
    console = new_console(stderr=True)
    prepare([name], language, console)
    started = time.monotonic()
    with progress_bar(console, game.title) as advance:
        outcome = kibitz.arena(name, bots, report=advance, **with_all_cores(settings), **chosen)
    if outcome.games < settings["games"]:
        console.print(f"Stopped after {outcome.games} of {settings['games']} games.")
    return outcome, time.monotonic() - started


def with_all_cores(settings: dict[str, Any]) -> dict[str, Any]:
    """A command plays in as many processes as there are cores, unless it is told otherwise."""
    return settings if settings["ray"] else {**settings, "jobs": settings["jobs"] or os.cpu_count() or 1}


def outcome_facts(outcome: "Outcome", seconds: float, **asked: Any) -> dict[str, Any]:
    """What an arena was asked and found, for programs."""
    found = zip(outcome.bots, outcome.points, outcome.intervals, outcome.games_of, outcome.ratings)
    return {
        **asked,
        "games": outcome.games,
        "seconds": round(seconds, 3),
        "bots": [
            {
                "bot": bot,
                "games": games,
                "points": points,
                "interval": list(interval),
                "rating": rating.mu,
                "rating_interval": list(rating.interval),
            }
            for bot, points, interval, games, rating in found
        ],
        "pairs": [asdict(pair) for pair in outcome.pairs],
        "failures": [{"bot": bot, "what": what, "times": times} for bot, what, times in outcome.failures],
    }


def print_point(point: "CheckedPoint", console: Console) -> None:
    """One thing that `botcheck` looked at, as soon as it has, and what is wrong."""
    sign = GOOD if point.complaint is None else BAD
    console.print(f"{sign} {point.what}", markup=False, highlight=False)
    if point.complaint is not None:
        console.print(f"  {point.complaint}", markup=False, highlight=False)
    console.file.flush()


def failures_table(outcome: "Outcome") -> Table:
    """Which bots failed, and how: a line each."""
    table = plain_table("failed", "how", ">times")
    for bot, what, times in outcome.failures:
        table.add_row(bot, what, str(times))
    return table


def outcome_table(outcome: "Outcome", seconds: float) -> Table:
    """What an arena found, a line a bot."""
    table = plain_table("bot", ">points", ">95 % interval", ">rating", ">95 % interval", ">games", ">seconds")
    found = zip(outcome.bots, outcome.points, outcome.intervals, outcome.ratings, outcome.games_of)
    for number, (bot, points, (low, high), rating, games) in enumerate(found):
        least, most = rating.interval
        table.add_row(
            bot,
            f"{points:.1%}",
            f"{low:.1%} to {high:.1%}",
            f"{rating.mu:.1f}",
            f"{least:.1f} to {most:.1f}",
            str(games),
            f"{seconds:.1f}" if number == 0 else "",
        )
    return table


def run_tuning(
    name: str, constants: Sequence[str], options: Sequence[str], language: str, **settings: Any
) -> "Tuning":
    """Tune a game's constants, with a progress bar of trials."""
    from kibitz.bots.tune import constants_of, usual_population
    from kibitz.terminal.screen import new_console
    from kibitz.terminal.setup import parsed_options

    game = kibitz.game(name)
    players = game.checked_players(settings["players"])
    chosen = parsed_options(game, options, players)
    console = new_console(stderr=True)
    prepare([name], language, console)
    population = settings["population"] or usual_population(len(constants or constants_of(game)))
    total, done = settings["generations"] * population + 1, 0
    with progress_bar(console, game.title) as advance:

        def count(trial: "Trial") -> None:
            nonlocal done
            done = total if trial.number is None else trial.generation * population + trial.number + 1
            advance(done, total)

        advance(done, total)
        settings = {**with_all_cores(settings), "players": players}
        return kibitz.tune(name, constants or None, report=count, **settings, **chosen)


def tuning_facts(tuning: "Tuning") -> dict[str, Any]:
    """What tuning was asked and found, for programs: what its file has."""
    return {"run": msgspec.to_builtins(tuning.run), "trials": msgspec.to_builtins(tuning.trials)}


def constants_table(constants: dict[str, float]) -> Table:
    """What can be tuned."""
    table = plain_table("constant", ">is")
    for name, value in constants.items():
        table.add_row(name, f"{value:g}")
    return table


def tuning_table(tuning: "Tuning") -> Table:
    """The constants as they were, and as tuning has left them."""
    table = plain_table("constant", ">was", ">tuned")
    for name, value in tuning.run.constants.items():
        table.add_row(name, f"{value:g}", f"{tuning.constants[name]:.4g}" if tuning.check else "")
    return table


def print_check(tuning: "Tuning", console: Console) -> None:
    """Whether they are any better."""
    check = tuning.check
    if check is None:
        console.print(f"\nStopped after {len(tuning.trials)} trials; nothing was measured yet.")
        return
    low, high = check.interval
    even = 1 / tuning.run.players
    told = "better" if low > even else "worse" if high < even else "not clearly better or worse"
    console.print(
        f"\nIn {check.games} new games they take {check.points:.1%} of the points, {low:.1%} to {high:.1%}; "
        f"{even:.1%} is even: {told}.",
        highlight=False,
    )


def pairs_table(outcome: "Outcome") -> Table:
    """Who beats whom: of the points that went to either, the share of the bot on the left."""
    table = plain_table("against", *(f">{bot}" for bot in outcome.bots))
    known = {(pair.first, pair.second): pair for pair in outcome.pairs}
    for number, bot in enumerate(outcome.bots):
        cells = []
        for rival_number, rival in enumerate(outcome.bots):
            pair = known.get((bot, rival) if number < rival_number else (rival, bot))
            if number == rival_number or pair is None:
                cells.append("")
                continue
            share, (low, high) = pair.share, pair.interval
            if rival_number < number:
                share, low, high = 1 - share, 1 - high, 1 - low
            cells.append(f"{share:.0%} ± {(high - low) / 2:.0%}")
        table.add_row(bot, *cells)
    return table
