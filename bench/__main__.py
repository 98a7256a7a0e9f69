"""Measure Kibitz: `python -m bench`, or only some of it: `python -m bench playouts edge`."""

import signal
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import click
from rich.console import Console
from rich.markdown import Markdown
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

import kibitz
from bench.machine import facts
from bench.measure import Measurement, Skipped, use_one_core
from bench.report import as_json, save, table

NAMES = (
    "playouts",
    "playouts_kazink",
    "playouts_cash",
    "playouts_cards",
    "edge",
    "views",
    "batches",
    "bots",
    "load",
    "first_move",
    "server_moves",
    "server_memory",
    "restart",
    "rows",
    "cluster",
    "growth",
    "crowds",
    "faults",
    "evening",
    "reviews",
    "page",
)
ROUNDS = 9
ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "bench" / "results"

console = Console(stderr=True)


@click.command(help=f"Measure all, or some of: {', '.join(NAMES)}. Results of a whole run are kept.")
@click.argument("names", nargs=-1, type=click.Choice(NAMES), metavar="[NAMES]...")
@click.option("--rounds", default=ROUNDS, show_default=True, type=click.IntRange(2), help="Samples of each.")
@click.option("--json", "json_wanted", is_flag=True, help="Print JSON instead of tables.")
@click.option(
    "--into", type=click.Path(path_type=Path), help="Keep the results in this folder, beside others."
)
def main(names: tuple[str, ...], rounds: int, json_wanted: bool, into: Path | None) -> None:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("Stopped."))  # so that what was started is ended, too
    run = facts(" ".join(["python -m bench", *names, f"--rounds {rounds}"]))
    use_one_core()
    if games := compiled_for(names or NAMES):
        with console.status("Compiling what isn't compiled yet"):
            subprocess.run([sys.executable, "-m", "bench.warm_up", *games], cwd=ROOT, check=True)
    measurements = measure(names or NAMES, rounds)
    results = [(measurement, run) for measurement in measurements]
    if json_wanted:
        click.echo(as_json(results))
    else:
        show(measurements)
    folder = into or (None if names else RESULTS)
    if folder:
        save(results, folder)
        console.print(f"Tables, charts and JSON are in {folder}/", highlight=False)


def compiled_for(names: tuple[str, ...]) -> list[str]:
    """The games that have to be compiled: all, unless a measurement says which."""
    measured = [import_module(f"bench.{name}") for name in names]
    wanted = {game for module in measured for game in getattr(module, "COMPILED", kibitz.games())}
    return [game for game in kibitz.games() if game in wanted]


def measure(names: tuple[str, ...], rounds: int) -> list[Measurement]:
    """Each measurement in turn, with a bar that shows how far it is."""
    columns = (TextColumn("{task.description:<15}"), BarColumn(), TimeElapsedColumn())
    measurements: list[Measurement] = []
    with Progress(*columns, console=console) as progress:
        tasks = {name: progress.add_task(name, total=1.0, start=False) for name in names}
        for name, task in tasks.items():
            progress.start_task(task)
            module = import_module(f"bench.{name}")
            try:
                measured = module.measure(
                    rounds, lambda done, task=task: progress.update(task, completed=done)
                )
            except Skipped as reason:
                progress.console.print(f"{name} is left out: {reason}.", highlight=False)
                continue
            measurements += measured if isinstance(measured, tuple) else (measured,)
    return measurements


def show(measurements: list[Measurement]) -> None:
    """The tables, in the terminal."""
    for measurement in measurements:
        Console().print(Markdown(f"## {measurement.title}\n\n{table(measurement)}\n\n{measurement.method}"))


if __name__ == "__main__":
    main(prog_name="python -m bench")
