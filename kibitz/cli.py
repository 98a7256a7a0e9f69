"""The command `kibitz`. Each command gathers what was asked for and hands it on; the work is done elsewhere.

Heavy modules are imported by the commands that need them, so that `kibitz --help` answers at once.
"""

import sys
import time
from itertools import chain
from pathlib import Path
from typing import Any

import click

import kibitz
from kibitz.core.extras import needing
from kibitz.core.words import LANGUAGES, users_language


class Commands(click.Group):
    """A group in which an error that Kibitz raises on purpose is one clear line, without a traceback."""

    def invoke(self, context: click.Context) -> Any:
        """Run a command."""
        try:
            with needing("all"):
                return super().invoke(context)
        except kibitz.KibitzError as error:
            raise click.ClickException(error.reason) from error
        except OSError as error:
            if error.filename is None:  # a closed pipe, say, which click knows how to end
                raise
            raise click.ClickException(f"{error.filename}: {error.strerror}.") from error


def known_level(context: click.Context, parameter: click.Parameter, level: str) -> str:
    """A bot's level; the bots are loaded only when one is asked for."""
    from kibitz.bots.player import LEVELS

    if level not in LEVELS:
        raise click.BadParameter(f"{level!r} is not one of {', '.join(LEVELS)}.", context, parameter)
    return level


# What a shell completes (docs/commands.md)


def games_completed(context: click.Context, parameter: click.Parameter, typed: str) -> list[str]:
    """The names of the games."""
    return [name for name in kibitz.games() if name.startswith(typed)]


def bots_completed(context: click.Context, parameter: click.Parameter, typed: str) -> list[str]:
    """The levels of the bots."""
    from kibitz.bots.player import LEVELS

    return [level for level in LEVELS if level.startswith(typed)]


def options_completed(context: click.Context, parameter: click.Parameter, typed: str) -> list[str]:
    """`KEY=VALUE` for the options of the game that was typed before: its words and its default."""
    typed_before = (context.params.get("game"), *context.args)  # Click puts it there while a value is missing
    chosen = next((word for word in typed_before if word in kibitz.games()), None)
    if chosen is None:
        return []
    found = kibitz.game(chosen)
    shown = {f"{option.name}={value}" for option in found.options for value in option.named(found.players[0])}
    return sorted(text for text in shown if text.startswith(typed))


# What several commands take

FILE = click.Path(path_type=Path, dir_okay=False)
in_language = click.option(
    "--lang", type=click.Choice(LANGUAGES), default=users_language, help="Language; yours by default."
)
as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
with_options = click.option(
    "--option",
    "options",
    multiple=True,
    metavar="KEY=VALUE",
    help="An option of the game; may be repeated.",
    shell_complete=options_completed,
)
a_game = click.argument("game", shell_complete=games_completed)
maybe_a_game = click.argument("game", required=False, shell_complete=games_completed)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(kibitz.__version__, prog_name="kibitz")
def cli() -> None:
    """Tabletop games to play, replay and build bots for.

    Begin with: kibitz play
    """


@cli.command(short_help="List the games, or one game's options.")
@maybe_a_game
@in_language
@as_json
def games(game: str | None, lang: str, as_json: bool) -> None:
    """List the games; or tell of GAME, and which options it has."""
    from kibitz.terminal.reports import (
        game_facts,
        games_table,
        option_facts,
        options_table,
        print_json,
        words_for,
    )
    from kibitz.terminal.screen import new_console

    found = [kibitz.game(name) for name in ([game] if game else kibitz.games())]
    facts = [game_facts(each, lang) for each in found]
    options = option_facts(found[0], lang) if game else []
    if as_json:
        print_json({**facts[0], "options": options} if game else facts)
        return
    new_console().print(games_table(facts, words_for(lang)))
    if game:
        new_console().print("", options_table(options, words_for(lang)))


@cli.command(short_help="Serve the page: play in the browser, host friends.")
@click.option("--host", help="Where to listen: 127.0.0.1 unless told; 0.0.0.0: your whole network may join.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    help="8000 unless told. Taken? The next free one is used, but not with --store.",
)
@click.option("--data", type=click.Path(file_okay=False), help="The folder in which tables are kept.")
@click.option("--store", metavar="ADDRESS", help="Or a database for several nodes: postgresql://…")
@click.option("--bus", metavar="ADDRESS", help="How several nodes hear of each other: nats://…")
@click.option("--public-url", help="The address by which others reach it, if it stands behind a proxy.")
@click.option(
    "--proxies", metavar="ADDRESSES", help="Proxies on other machines that are believed: 10.0.0.5,10.1.0.0/16"
)
@click.option(
    "--drain-seconds", type=float, help="How long to go on after SIGTERM: a balancer has to notice."
)
@click.option("--log", type=click.Choice(["lines", "json"]), help="How complaints are written.")
@click.option("--config", type=FILE, metavar="FILE", help="Settings as TOML; flags and KIBITZ_… win over it.")
@click.option("--check", is_flag=True, help="Only look whether it could start.")
@click.option("--no-browser", is_flag=True, help="Don't open a browser.")
@click.option("--bot", "bots", multiple=True, metavar="NAME=COMMAND", help="A program that plays; see docs.")
def serve(config: Path | None, check: bool, no_browser: bool, bots: tuple[str, ...], **flags: Any) -> None:
    """Serve the page until you stop it with Ctrl-C."""
    from kibitz.server import serve as serving
    from kibitz.server.programs import PROGRAMS
    from kibitz.server.settings import gathered

    PROGRAMS.add(bots)
    PROGRAMS.check()
    settings = gathered(flags, config)
    if check:
        print(*serving.check(settings), "All is in order.", sep="\n")
    else:
        serving.serve(settings, open_browser=not no_browser)


def refuse_beside_resume(context: click.Context) -> None:
    """A saved game knows its own settings."""
    given = {
        name
        for name in context.params
        if context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
    }
    if "resume" in given and given - {"resume", "lang"}:
        raise click.UsageError("--resume takes everything but the language from the saved game.")


@cli.command(short_help="Play against bots.")
@maybe_a_game
@click.option(
    "--level",
    callback=known_level,
    shell_complete=bots_completed,
    default="medium",
    show_default=True,
    help="easy, medium, hard, expert, random.",
)
@click.option("--players", type=int, help="How many play; by default the fewest.")
@click.option("--seat", type=int, default=0, show_default=True, help="Where you sit, counted from 0.")
@click.option("--seed", type=int, help="A number to repeat a game by.")
@with_options
@click.option("--hotseat", is_flag=True, help="No bots: people play in turns at this terminal.")
@click.option("--resume", type=FILE, metavar="FILE", help="Go on with a saved game.")
@in_language
def play(game: str | None, resume: Path | None, lang: str, **choices: Any) -> None:
    """Play GAME against bots (by default the first in `kibitz games`)."""
    from kibitz.terminal.play import Sitting, with_line_editing
    from kibitz.terminal.reports import prepare
    from kibitz.terminal.saved import load, take_up
    from kibitz.terminal.screen import new_console
    from kibitz.terminal.setup import new_setup, setup_of
    from kibitz.warmup import meanwhile

    refuse_beside_resume(click.get_current_context())
    record = load(resume) if resume else None
    setup = setup_of(record) if record else new_setup(game or kibitz.games()[0], **choices)
    console = new_console()
    if setup.seed is not None or record is not None:
        prepare([setup.game.name], lang, console)  # so that a game repeats, bots and all
    with meanwhile(setup.game.name) as compiled:
        sitting = Sitting(setup, lang, console, compiled)
        sitting.begin(take_up(record) if record else setup.deal(), resume)
        with_line_editing()
        sitting.run()


@cli.command(short_help="Learn a game by playing.")
@maybe_a_game
@click.option("--step", default=1, show_default=True, help="The step to begin with.")
@in_language
def learn(game: str | None, step: int, lang: str) -> None:
    """Learn GAME (by default the first in `kibitz games`) by playing, then play it against an easy bot."""
    from kibitz.core.lessons import lesson
    from kibitz.terminal.learn import LEVEL, Learning
    from kibitz.terminal.play import Sitting, with_line_editing
    from kibitz.terminal.screen import new_console
    from kibitz.terminal.setup import new_setup
    from kibitz.warmup import meanwhile

    found = kibitz.game(game or kibitz.games()[0])
    lesson(found.name)
    console = new_console()
    with_line_editing()
    with meanwhile(found.name) as compiled:
        if Learning(found, step, lang, console).run():
            sitting = Sitting(new_setup(found.name, level=LEVEL), lang, console, compiled)
            sitting.begin(sitting.setup.deal())
            sitting.run()


@cli.command(short_help="Step through a recorded game.")
@click.argument("file", type=FILE)
@click.option("--seat", type=int, help="Show what this seat saw; by default everything, if the game is over.")
@in_language
def replay(file: Path, seat: int | None, lang: str) -> None:
    """Step through a recorded game; into a file or a pipe, print it in words."""
    from kibitz.terminal.replay import Replay
    from kibitz.terminal.reports import patience
    from kibitz.terminal.screen import new_console

    console = new_console()
    with patience(lang):
        recorded = Replay(file, seat, lang, console)
    if console.is_terminal:
        recorded.run()
    else:
        recorded.print_all()


@cli.command(short_help="Check a record.")
@click.argument("file", type=FILE)
@in_language
@as_json
def verify(file: Path, lang: str, as_json: bool) -> None:
    """Check a record: that its secret was the one promised, its moves legal, its result right."""
    from kibitz.terminal.checking import verified
    from kibitz.terminal.reports import patience, print_json, print_verdict, verdict_facts, words_for
    from kibitz.terminal.screen import new_console

    with patience(lang):
        verdict = verified(file)
    if as_json:
        print_json(verdict_facts(verdict))
    else:
        print_verdict(verdict, words_for(lang), new_console())
    sys.exit(0 if verdict.valid else 1)


@cli.command(short_help="Check the file in which a server keeps its tables.")
@click.option("--data", type=click.Path(path_type=Path, file_okay=False), help="Where tables are kept.")
@click.option("--store", metavar="ADDRESS", help="Or the database of several nodes: postgresql://…")
@in_language
@as_json
def verify_store(data: Path | None, store: str | None, lang: str, as_json: bool) -> None:
    """Check the file in which a server keeps its tables: every page, and the log of every table.

    Nothing is changed, and the server may be running.
    """
    from kibitz.server.serve import default_data
    from kibitz.server.stores.verifying import verify_store
    from kibitz.terminal.reports import late_bar, print_account, print_json, words_for
    from kibitz.terminal.screen import new_console

    words = words_for(lang)
    with late_bar(new_console(stderr=True), words("terminal.store.checking")) as advance:
        if store is not None:
            from kibitz.server.stores.postgres_verifying import verify_database

            account = verify_database(store, advance)
        else:
            account = verify_store(data or default_data(), advance)
    if as_json:
        print_json(account.facts())
    else:
        print_account(account.facts(), words, new_console())
    sys.exit(0 if account.sound else 1)


@cli.command(short_help="Copy a server's tables into a file, while people play.")
@click.argument("file", type=FILE)
@click.option("--data", type=click.Path(file_okay=False), help="The folder in which tables are kept.")
@click.option("--store", metavar="ADDRESS", help="Or the database: says which command makes the copy.")
@in_language
def backup(file: Path, data: str | None, store: str | None, lang: str) -> None:
    """Copy all tables and guests into FILE, as they are at this moment, and verify the copy.

    The server may be running, and isn't held up.
    """
    from kibitz.server.serve import default_data
    from kibitz.server.settings import gathered
    from kibitz.server.stores.backups import back_up, dump_command

    settings = gathered({"data": data, "store": store})
    if settings.store is not None:
        raise kibitz.KibitzError("not-a-file", dump_command(settings.store, file))
    folder = Path(settings.data) if settings.data else default_data()
    _print_found("backed-up", lang, lambda advance: back_up(folder, file, advance))


@cli.command(short_help="Put such a copy back.")
@click.argument("file", type=FILE)
@click.option("--data", type=click.Path(file_okay=False), help="The folder that is to have them.")
@click.option("--salvage", is_flag=True, help="Save what can be saved of a file that is damaged.")
@in_language
def restore(file: Path, data: str | None, salvage: bool, lang: str) -> None:
    """Put the tables and guests of FILE into a folder that has none, if all of it is as it was written."""
    from kibitz.server.serve import default_data
    from kibitz.server.settings import gathered
    from kibitz.server.stores.backups import restore

    settings = gathered({"data": data})
    folder = Path(settings.data) if settings.data else default_data()
    if salvage:
        _print_saved(file, folder, lang)
    else:
        _print_found("restored", lang, lambda advance: restore(file, folder, advance))


def _print_found(done: str, lang: str, work: Any) -> None:
    """What became of a copy: in a line, or precisely what is damaged."""
    from kibitz.terminal.reports import late_bar, print_account, words_for
    from kibitz.terminal.screen import new_console

    words, console = words_for(lang), new_console()
    with late_bar(new_console(stderr=True), words("terminal.store.checking")) as advance:
        account = work(advance)
    if not account.sound:
        print_account(account.facts(), words, console, f"terminal.store.not-{done}")
        sys.exit(1)
    told = words(f"terminal.store.{done}", file=account.file, tables=account.tables, rows=account.rows)
    console.print(told, highlight=False, soft_wrap=True)


def _print_saved(file: Path, folder: Path, lang: str) -> None:
    """What was saved of a damaged file, and each table that is cut or lost."""
    from kibitz.server.stores.salvage import salvage
    from kibitz.terminal.reports import late_bar, words_for
    from kibitz.terminal.screen import new_console

    words, console = words_for(lang), new_console()
    with late_bar(new_console(stderr=True), words("terminal.store.checking")) as advance:
        saved = salvage(file, folder, advance)
    counts = {"tables": saved.whole, "rows": saved.rows, "guests": saved.others["guests"]}
    console.print(words("terminal.store.saved", folder=folder, **counts), highlight=False, soft_wrap=True)
    for key, tables in (("cut", saved.cut), ("lost", saved.lost)):
        if tables:
            console.print(words(f"terminal.store.{key}"), highlight=False, soft_wrap=True)
        for table in tables:
            console.print(f"  {table}", markup=False, highlight=False, soft_wrap=True)
    sys.exit(1 if saved.cut or saved.lost else 0)


@cli.command(short_help="Move a server's tables to another engine.")
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
@in_language
def move_store(source: str, target: str, lang: str) -> None:
    """Copy all tables and guests FROM a folder or postgresql://… TO another, while no server runs.

    Every log is verified. What was interrupted goes on with the same command; nothing is overwritten.
    """
    from kibitz.server.stores.moving import move_store
    from kibitz.terminal.reports import late_bar, words_for
    from kibitz.terminal.screen import new_console

    with late_bar(new_console(stderr=True), words_for(lang)("terminal.store.checking")) as advance:
        moved = move_store(source, target, advance)
    print(f"{moved.tables} tables with {moved.rows} rows moved, {moved.already} were there already.")


@cli.command(short_help="Make a store in PostgreSQL ahead of its servers.")
@click.argument("address")
@click.option("--partitions", default=0, help="Divide the logs into so many hash partitions.")
@click.option("--for", "user", help="The servers' user, who is given what servers need.")
def prepare_store(address: str, partitions: int, user: str | None) -> None:
    """Make Kibitz's tables at ADDRESS, or bring them up to date: for servers whose user may not."""
    from kibitz.server.stores.postgres_opening import grant, open_store

    open_store(address, partitions)
    if user is not None:
        grant(address, user)
    print("The store is ready.")


@cli.command(short_help="Count the score of a game with real cards.")
@a_game
@click.option("--players", "names", metavar="NAMES", help="Who plays: names, separated by commas.")
@with_options
@in_language
def score(game: str, names: str | None, options: tuple[str, ...], lang: str) -> None:
    """Count the score of GAME played with real cards: asks what everybody has, round by round."""
    from importlib import import_module
    from importlib.util import find_spec

    from kibitz.terminal.reports import words_for
    from kibitz.terminal.screen import new_console
    from kibitz.terminal.setup import parsed_options

    found, module = kibitz.game(game), f"kibitz.terminal.calculators.{game}"
    if not find_spec(module):
        raise click.ClickException(f"{found.title} needs no calculator.")
    chosen = parsed_options(found, options, found.players.start)
    import_module(module).count(names, chosen, words_for(lang, found.package), new_console())


@cli.command(short_help="Look whether everything works, and say what to do if not.")
@as_json
def doctor(as_json: bool) -> None:
    """Look whether everything is there that Kibitz needs, and say what to do if not."""
    from dataclasses import asdict

    from kibitz.terminal.doctor import examine, healthy
    from kibitz.terminal.reports import print_findings, print_json
    from kibitz.terminal.screen import new_console

    console = new_console()
    findings = list(examine(console))
    if as_json:
        print_json({"healthy": healthy(findings), "findings": [asdict(finding) for finding in findings]})
    else:
        print_findings(findings, console)
    sys.exit(0 if healthy(findings) else 1)


@cli.command(short_help="Compile games ahead of time.")
@click.argument("games", nargs=-1, shell_complete=games_completed)
@click.option("--programs", is_flag=True, help="Also what only programs call: playouts and batches.")
@in_language
@as_json
def warmup(games: tuple[str, ...], programs: bool, lang: str, as_json: bool) -> None:
    """Compile GAMES (by default all) for this machine ahead of the first game."""
    from kibitz.terminal.reports import prepare, print_json, words_for
    from kibitz.terminal.screen import new_console

    compiled = []
    for name in games or kibitz.games():
        title, started = kibitz.game(name).title, time.monotonic()
        groups = prepare([name], lang, new_console(stderr=True), programs).get(name, {})
        processor = {"processor_seconds": round(sum(groups.values()), 2), "groups": groups}
        compiled.append({"game": name, "seconds": round(time.monotonic() - started, 3), **processor})
        if not as_json:
            print(words_for(lang)("terminal.ready", game=title))
    if as_json:
        print_json(compiled)


@cli.command(short_help="Look at a finished game again: chances, costly decisions, luck and play.")
@click.argument("file", type=FILE)
@click.option("--seat", type=click.IntRange(0), help="Only this seat's decisions.")
@click.option(
    "--games", default=1024, show_default=True, type=click.IntRange(2), help="Played from a moment at most."
)
@click.option("--nodes", default=1000, show_default=True, type=click.IntRange(1), help="Looks at a decision.")
@click.option("--seed", default=1, show_default=True, help="A number to repeat it by.")
@click.option("--every", is_flag=True, help="List every decision, not only the costliest.")
@in_language
@as_json
def review(file: Path, seat: int | None, every: bool, lang: str, as_json: bool, **settings: int) -> None:
    """Look at the finished game in FILE again: how the chances went, luck and play, and costly decisions."""
    from kibitz.terminal.reports import print_json
    from kibitz.terminal.reviewing import print_review, review_facts, run_review
    from kibitz.terminal.screen import new_console

    record, found = run_review(file, seat, lang, **settings)
    if as_json:
        print_json(review_facts(found))
    else:
        print_review(record, found, lang, new_console(), every)


class PuzzleCommands(Commands):
    """`kibitz puzzles GAME` is the usual one: its name needn't be typed."""

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        """Solve, unless another command is named."""
        asked = args[0] if args else ""
        usual = asked not in self.commands and asked not in context.help_option_names
        return super().parse_args(context, ["solve", *args] if usual else args)


@cli.group(
    cls=PuzzleCommands, short_help="Find the best move: moments of a game in which one is clearly best."
)
def puzzles() -> None:
    """Find the best move: `kibitz puzzles GAME` asks for it in one moment of GAME after the other.

    `kibitz puzzles make GAME` looks for more such moments.
    """


@puzzles.command(name="solve", short_help="Solve puzzles: the same as `kibitz puzzles GAME`.")
@click.argument("game", required=False)
@click.option("--grade", type=click.IntRange(1, 3), help="Only those of this grade, from 1 to 3.")
@click.option("--puzzle", metavar="ID", help="Only this one.")
@in_language
def solve_puzzles(game: str | None, grade: int | None, puzzle: str | None, lang: str) -> None:
    """Solve the puzzles of GAME (by default the first in `kibitz games`), one after the other."""
    from kibitz.terminal.play import with_line_editing
    from kibitz.terminal.puzzling import Puzzling, chosen_puzzles
    from kibitz.terminal.reports import prepare
    from kibitz.terminal.screen import new_console

    found, console = kibitz.game(game or kibitz.games()[0]), new_console()
    chosen = chosen_puzzles(found, grade, puzzle)
    prepare([found.name], lang, console)
    with_line_editing()
    Puzzling(found, chosen, lang, console).run()


@puzzles.command(name="make", short_help="Look for puzzles in games between bots.")
@click.argument("game")
@click.option(
    "--wanted", default=50, show_default=True, type=click.IntRange(1), help="How many there are to be."
)
@click.option("--players", type=int, help="At every table; by default two or four in turn.")
@click.option("--again", is_flag=True, help="First drop those that, by the bots of now, are none any more.")
@click.option("--file", type=FILE, help="Where they are kept; by default beside the game's rules.")
@in_language
def make_puzzles(
    game: str, wanted: int, players: int | None, again: bool, file: Path | None, lang: str
) -> None:
    """Look for puzzles in games of GAME between bots; what was stopped goes on where it was.

    In each one move is clearly best: two analyses of ten times the usual length agree that it wins at least
    10 points more often than any other, and easy bots don't play it. No more than three of five are of the
    same grade, so that long after the easy ones harder ones are looked for.
    """
    from importlib.resources import files

    from kibitz.bots.puzzles import FILE as BESIDE_THE_RULES
    from kibitz.terminal.puzzling import make_puzzles
    from kibitz.terminal.reports import prepare
    from kibitz.terminal.screen import new_console

    found, console = kibitz.game(game), new_console(stderr=True)
    prepare([game], lang, console)
    kept = file or Path(str(files(found.package))) / BESIDE_THE_RULES
    print(f"{make_puzzles(found, kept, wanted, players, again, console)} puzzles are in {kept}")


@cli.command(short_help="Solve a position of a game that hides nothing: the best moves, for certain.")
@a_game
@click.argument("position", type=click.Path(path_type=Path, dir_okay=False, allow_dash=True))
@click.option(
    "--seconds",
    default=60.0,
    show_default=True,
    type=click.FloatRange(0, min_open=True),
    help="How long to try at most.",
)
@in_language
@as_json
def solve(game: str, position: Path, seconds: float, lang: str, as_json: bool) -> None:
    """Solve a position of GAME for its round: who will be ahead with best play of both, and by which moves.

    POSITION is a file with a position as JSON, as `State.position()` gives it; `-` is the standard input.
    """
    from kibitz.terminal.reports import print_json, words_for
    from kibitz.terminal.screen import new_console
    from kibitz.terminal.solving import print_solution, run_solver, solution_facts

    found = run_solver(game, position, seconds, lang)
    if as_json:
        print_json(solution_facts(found))
    else:
        print_solution(found, words_for(lang), new_console())


with_jobs = click.option(
    "--jobs", type=click.IntRange(1), help="How many processes play; by default as many as there are cores."
)
with_ray = click.option(
    "--ray", metavar="ADDRESS", help="Play on a Ray cluster: its head's address, auto or local."
)


@cli.command(short_help="Let bots play against each other.")
@a_game
@click.argument("bots", nargs=-1, required=True, metavar="BOT BOT...", shell_complete=bots_completed)
@click.option("--games", default=200, show_default=True, type=click.IntRange(1), help="How many games.")
@click.option("--players", type=int, help="At one table; if there are more bots, all choices of them play.")
@click.option("--seed", default=1, show_default=True, help="A number to repeat it by.")
@click.option("--nodes", type=click.IntRange(1), help="How far searching bots look.")
@click.option("--file", type=FILE, help="Keep every game in it, and go on with those that are there.")
@click.option("--plot", type=FILE, metavar="FILE", help="Draw points and ratings: a name with .svg or .png.")
@with_jobs
@with_ray
@with_options
@in_language
@as_json
def arena(
    game: str,
    bots: tuple[str, ...],
    options: tuple[str, ...],
    lang: str,
    as_json: bool,
    plot: Path | None,
    **settings: Any,
) -> None:
    """Let bots play GAME against each other, and tell who takes which share of the points."""
    from kibitz.terminal import reports
    from kibitz.terminal.plots import checked_plot, draw_outcome
    from kibitz.terminal.screen import new_console
    from kibitz.terminal.setup import parsed_options

    chart = checked_plot(plot) if plot else None
    outcome, seconds = reports.run_arena(game, bots, options, lang, **settings)
    if chart:
        draw_outcome(outcome, kibitz.game(game).title, chart)
    if as_json:
        found, players = kibitz.game(game), settings["players"] or len(bots)
        played = found.checked_options(parsed_options(found, options, players), players)
        asked = {"game": game, "players": players, "seed": settings["seed"], "options": played}
        reports.print_json(reports.outcome_facts(outcome, seconds, **asked))
        return
    console = new_console()
    console.print(reports.outcome_table(outcome, seconds))
    if len(bots) > 2:
        console.print("", reports.pairs_table(outcome))
    if outcome.failures:
        console.print("", reports.failures_table(outcome))


def one_a_seat(context: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
    """Bots for the seats: levels may be named together, as in `hard,medium`."""
    from kibitz.bots.programs import is_command

    return tuple(chain.from_iterable([each] if is_command(each) else each.split(",") for each in given))


@cli.command(short_help="Let bots play, and keep their games as data to learn from.")
@a_game
@click.option("--games", default=1000, show_default=True, type=click.IntRange(1), help="How many games.")
@click.option(
    "--bots",
    "--bot",
    "bots",
    multiple=True,
    required=True,
    callback=one_a_seat,
    shell_complete=bots_completed,
    help="One a seat: levels, as in hard,medium; or a command line, and the option again for the next.",
)
@click.option("--out", required=True, type=click.Path(path_type=Path, file_okay=False), help="The folder.")
@click.option("--seed", default=1, show_default=True, help="A number to repeat it by.")
@click.option("--nodes", type=click.IntRange(1), help="How far searching bots look.")
@with_jobs
@with_ray
@with_options
@in_language
def selfplay(
    game: str, bots: tuple[str, ...], options: tuple[str, ...], out: Path, lang: str, **settings: Any
) -> None:
    """Let bots play GAME and keep records and a table of their decisions; a stopped run goes on."""
    from kibitz.bots.selfplay import selfplay
    from kibitz.terminal.reports import prepare, progress_bar, with_all_cores
    from kibitz.terminal.screen import new_console
    from kibitz.terminal.setup import parsed_options

    found, console = kibitz.game(game), new_console(stderr=True)
    chosen = parsed_options(found, options, len(bots))
    prepare([game], lang, console)
    with progress_bar(console, found.title) as advance:
        try:
            selfplay(found, bots, out=out, report=advance, **with_all_cores(settings), **chosen)
        except KeyboardInterrupt:
            console.print(f"Stopped. What is whole is in {out}; the same command goes on.")
            sys.exit(130)
    print(f"{settings['games']} games are in {out}")


def constants_completed(context: click.Context, parameter: click.Parameter, typed: str) -> list[str]:
    """The constants of the game that was typed before."""
    from kibitz.bots.tune import constants_of

    game = context.params.get("game")
    return [name for name in constants_of(game) if name.startswith(typed)] if game in kibitz.games() else []


@cli.command(short_help="Look for better constants of a game's bots, by self-play.")
@a_game
@click.argument("constants", nargs=-1, metavar="[CONSTANT]...", shell_complete=constants_completed)
@click.option("--generations", default=20, show_default=True, type=click.IntRange(1), help="How many.")
@click.option("--games", default=100, show_default=True, type=click.IntRange(1), help="Played by each trial.")
@click.option("--population", type=click.IntRange(4), help="Trials of a generation; by default 4 + 3 ln n.")
@click.option("--spread", default=0.2, show_default=True, help="By which part constants vary at first.")
@click.option("--level", default="medium", show_default=True, help="Who plays: easy, medium or hard.")
@click.option("--nodes", type=click.IntRange(1), help="How far they look.")
@click.option("--players", type=int, help="At one table; by default the fewest.")
@click.option("--check", default=1000, show_default=True, type=click.IntRange(1), help="Games at the end.")
@click.option("--seed", default=1, show_default=True, help="A number to repeat it by.")
@click.option("--file", type=FILE, help="Keep every trial in it, and go on with those that are there.")
@click.option("--list", "only_list", is_flag=True, help="Only tell which constants there are.")
@with_jobs
@with_ray
@with_options
@in_language
@as_json
def tune(
    game: str,
    constants: tuple[str, ...],
    options: tuple[str, ...],
    only_list: bool,
    lang: str,
    as_json: bool,
    **settings: Any,
) -> None:
    """Look for better CONSTANTs of the bots of GAME (by default all) by self-play: docs/tuning.md.

    Each trial is a set of constants that plays against the ones that are there; an evolution strategy
    (CMA-ES) proposes them. Ctrl-C ends it; with --file the same command goes on.
    """
    from kibitz.bots.tune import constants_of
    from kibitz.terminal import reports
    from kibitz.terminal.screen import new_console

    if only_list:
        known = constants_of(game)
        reports.print_json(known) if as_json else new_console().print(reports.constants_table(known))
        return
    tuning = reports.run_tuning(game, constants, options, lang, **settings)
    if as_json:
        reports.print_json(reports.tuning_facts(tuning))
    else:
        new_console().print(reports.tuning_table(tuning))
        reports.print_check(tuning, new_console())


@cli.command(short_help="Check a program that plays.")
@click.argument("command")
@click.argument("games", nargs=-1, shell_complete=games_completed)
@click.option(
    "--seconds",
    default=1.0,
    show_default=True,
    type=click.FloatRange(0, 3600, min_open=True),
    help="For each move.",
)
@as_json
def botcheck(command: str, games: tuple[str, ...], seconds: float, as_json: bool) -> None:
    """Check whether COMMAND, a program that plays, keeps to the protocol in GAMES (by default all)."""
    from dataclasses import asdict

    from kibitz.bots.botcheck import check_program
    from kibitz.terminal.reports import print_json, print_point
    from kibitz.terminal.screen import new_console

    console = new_console()
    points = []
    for point in check_program(command, [kibitz.game(name) for name in games or kibitz.games()], seconds):
        points.append(point)
        if not as_json:
            print_point(point, console)
    sound = all(point.complaint is None for point in points)
    if as_json:
        print_json({"sound": sound, "points": [asdict(point) for point in points]})
    sys.exit(0 if sound else 1)


@cli.command(short_help="Be a bot that other programs talk to, line by line.")
@click.argument("level", callback=known_level, shell_complete=bots_completed)
def speak(level: str) -> None:
    """Be a bot of LEVEL that another program talks to, line by line, by the protocol of docs/programs.md."""
    from kibitz.bots.speaking import speak_as

    speak_as(level)


def main() -> None:
    """Run the command line. A character that the terminal doesn't know is replaced, not an error."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    cli(prog_name="kibitz")
