"""Games of bots against each other, kept as data to learn from. See docs/selfplay.md.

Games are written in chunks: a chunk's file appears when it is whole, so that whatever ends the work, it goes
on with the next chunk. The same settings give the same files.
"""

import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from kibitz.bots.crews import Crew, Stop, crew
from kibitz.bots.entrants import listed, name_of, seated, try_programs
from kibitz.bots.kept import path_of, write_whole
from kibitz.bots.lookahead import kernels
from kibitz.core import registry
from kibitz.core.errors import BadOptions, KibitzError
from kibitz.core.extras import needing
from kibitz.core.game import Game
from kibitz.core.numbers import at_least, checked_seed
from kibitz.core.record import Record

CHUNK = 100  # games
RUN, CARD, RECORDS, TABLES = "run.json", "README.md", "records", "decisions"

Report = Callable[[int, int], None]
Line = dict[str, Any]


class SelfplayRun(msgspec.Struct, frozen=True, kw_only=True):
    """What a folder of games was made by: with the same, the same games come again."""

    kibitz: str
    game: str
    rules: int
    bots: tuple[str, ...]
    games: int
    seed: int
    nodes: int | None
    options: dict[str, Any]


@dataclass(frozen=True)
class GameData:
    """One game, and its decisions."""

    number: int
    record: Record
    decisions: list[Line]


def selfplay(
    game: Game | str,
    bots: Sequence[str],
    games: int,
    out: str | Path,
    seed: int = 1,
    nodes: int | None = None,
    jobs: int | None = None,
    ray: str | None = None,
    report: Report | None = None,
    **options: Any,
) -> SelfplayRun:
    """Let bots play, one seat each; keep records and a table of decisions in a folder, or go on with it.

    `jobs`: so many processes; else threads; `ray`: the address of a Ray cluster.
    """
    with needing("parquet"):
        import pyarrow as _  # noqa: F401  (told before the first game, not after it)
    game = registry.game_of(game)
    if len(listed(bots)) not in game.players:
        raise BadOptions("bots", f"as many as the players of {game.title}", len(bots))
    for bot in bots:
        seated(bot, game)
    run = SelfplayRun(
        kibitz=kibitz_version(),
        game=game.name,
        rules=game.rules_version,
        bots=tuple(map(name_of, bots)),
        games=at_least(1, "games", games),
        seed=checked_seed(seed),
        nodes=nodes,
        options=game.checked_options(options, len(bots)),
    )
    workers = crew(jobs, ray)
    if ray is None:  # a cluster's machines may have other programs than this one
        try_programs(bots)
    folder = path_of("out", out)
    _begin(folder, run, game)
    kernels(game.name)  # compiled once, before the threads start
    _play_missing(folder, run, game, workers, report)
    return run


def _play_missing(
    folder: Path, run: SelfplayRun, game: Game, workers: Crew[GameData], report: Report | None
) -> None:
    """Play what isn't in the folder yet, and keep each chunk when all its games are played."""
    chunks = [range(first, min(first + CHUNK, run.games)) for first in range(0, run.games, CHUNK)]
    missing = {number: chunk for number, chunk in enumerate(chunks) if not _table(folder, number).exists()}
    done = run.games - sum(map(len, missing.values()))
    unwritten: dict[int, list[GameData]] = {number: [] for number in missing}
    wanted = [number for chunk in missing.values() for number in chunk]
    with closing(workers(partial(_play, game, run), wanted)) as results:
        for game_number, played in results:
            chunk = game_number // CHUNK
            unwritten[chunk].append(played)
            if len(unwritten[chunk]) == len(missing[chunk]):
                in_order = sorted(unwritten.pop(chunk), key=lambda one: one.number)
                _keep(folder, chunk, in_order, game)
            done += 1
            if report:
                report(done, run.games)


def kibitz_version() -> str:
    """Which Kibitz this is."""
    try:
        return version("kibitz")
    except PackageNotFoundError:  # run from a source tree that isn't installed
        return "0"


def _begin(folder: Path, run: SelfplayRun, game: Game) -> None:
    """Make the folder, or see that it was made by the same settings; more games may be asked for."""
    for part in (RECORDS, TABLES):
        (folder / part).mkdir(parents=True, exist_ok=True)
    file = folder / RUN
    if file.exists():
        try:
            before = msgspec.json.decode(file.read_bytes(), type=SelfplayRun)
        except msgspec.DecodeError as error:
            raise BadOptions("out", "a folder that selfplay has made, or a new one", str(file)) from error
        if msgspec.structs.replace(before, games=run.games) != run:
            raise BadOptions("out", f"a folder of the same settings; {folder} was made by others", str(file))
        if before.games != run.games and before.games % CHUNK:
            raise BadOptions("games", f"{before.games}, as many as {folder} was made with", run.games)
        if before.games > run.games:
            raise BadOptions("games", f"{before.games} or more: {folder} has so many", run.games)
    write_whole(file, msgspec.json.format(msgspec.json.encode(run), indent=1) + b"\n")
    write_whole(folder / CARD, card(run, game).encode())


def _play(game: Game, run: SelfplayRun, number: int, stop: Stop) -> GameData:
    """One game, for a crew."""
    return play(game, run, number)


def play(game: Game, run: SelfplayRun, number: int) -> GameData:
    """One game; every deal comes once in each rotation of the seats."""
    deal, rotation = divmod(number, len(run.bots))
    sitting = [run.bots[(seat + rotation) % len(run.bots)] for seat in range(len(run.bots))]
    state = game.deal(len(run.bots), seed=run.seed * 1_000_003 + deal, **run.options)
    luck = [(run.seed * 1_000_003 + number) * 16 + seat for seat in range(len(run.bots))]
    players = [seated(bot, game, seed, run.nodes) for bot, seed in zip(sitting, luck, strict=True)]
    decisions: list[Line] = []
    while (turn := state.turn) is not None:
        observation = state.observation(turn)
        move = state.check(players[turn](observation))
        decisions.append(
            {
                "game": number,
                "decision": len(decisions),
                "seat": turn,
                "bot": sitting[turn],
                "observation": observation.tensor,
                "mask": observation.mask,
                "move": move.id,
                "visits": _visits(players[turn], observation.mask),
            }
        )
        state.play(move)
    for line in decisions:
        line["result"] = state.returns[line["seat"]]
    return GameData(number, msgspec.structs.replace(state.record(), seats=tuple(sitting)), decisions)


def _visits(chooser: Any, mask: Any) -> Any:
    """How often a searching bot tried each move; None for one that doesn't search."""
    visits = getattr(getattr(chooser, "__self__", None), "visits", None)
    if visits is None:
        return None
    counts = np.zeros(len(mask), np.int32)
    counts[list(visits)] = list(visits.values())
    return counts


# Files


def _keep(folder: Path, number: int, played: Sequence[GameData], game: Game) -> None:
    """The records first: the table says that the chunk is whole."""
    lines = b"".join(msgspec.json.encode(one.record) + b"\n" for one in played)
    write_whole(folder / RECORDS / f"{number:05}.jsonl", lines)
    import pyarrow as arrow
    import pyarrow.parquet as parquet

    told = [line for one in played for line in one.decisions]
    table = arrow.Table.from_pylist(told, schema=_schema(game))
    unfinished = _table(folder, number).with_suffix(".part")
    parquet.write_table(table, unfinished, compression="zstd")
    unfinished.replace(_table(folder, number))


def _schema(game: Game) -> Any:
    import pyarrow as arrow

    return arrow.schema(
        [
            ("game", arrow.int32()),
            ("decision", arrow.int32()),
            ("seat", arrow.int8()),
            ("bot", arrow.string()),
            ("observation", arrow.list_(arrow.int32(), game.tensor.size)),
            ("mask", arrow.list_(arrow.int8(), game.num_moves)),
            ("move", arrow.int16()),
            ("visits", arrow.list_(arrow.int32())),  # may be null, which pyarrow writes only without a length
            ("result", arrow.float32()),
        ]
    )


def _table(folder: Path, number: int) -> Path:
    return folder / TABLES / f"{number:05}.parquet"


def load(folder: str | Path) -> Iterator[dict[str, Any]]:
    """What `selfplay` kept, a chunk at a time, as NumPy arrays by column: `torch.from_numpy` takes them."""
    with needing("parquet"):
        import pyarrow.parquet as parquet

    files = sorted((Path(folder) / TABLES).glob("*.parquet"))
    if not files:
        raise KibitzError("no-games", f"There are no games in {folder}: `kibitz selfplay` makes some.")
    for file in files:
        table = parquet.read_table(file)
        columns = {name: table.column(name).combine_chunks() for name in table.column_names}
        yield {
            name: column.flatten().to_numpy().reshape(len(table), -1)
            if name in ("observation", "mask")
            else column.to_numpy(zero_copy_only=False)
            for name, column in columns.items()
        }


def _arguments(run: SelfplayRun) -> list[str]:
    """What the command line has to be told to make the same games."""
    told = [run.game, f"--games={run.games}", f"--seed={run.seed}", *(f"--bot={bot}" for bot in run.bots)]
    nodes = [] if run.nodes is None else [f"--nodes={run.nodes}"]
    options = [f"--option={key}={_word(value)}" for key, value in run.options.items()]
    return [*told, *nodes, *options]


def _word(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def card(run: SelfplayRun, game: Game) -> str:
    """What the data is, how it was made, and what it is not: for whoever finds the folder."""
    bots = "".join(f"- {bot}\n" for bot in run.bots)
    again = shlex.join(_arguments(run))
    return f"""# {run.games} games of {game.title}, played by bots

Made by Kibitz {run.kibitz}, rules version {run.rules}, seed {run.seed}. The bots, in turns on all seats:

{bots}
Options: `{msgspec.json.encode(run.options).decode()}`. Nodes: {run.nodes or "each level's own"}.

The same again: `kibitz selfplay {again} --out DIR`

- `{RECORDS}/`: a game a line, as Kibitz replays it.
- `{TABLES}/`: a row a decision. `observation` has {game.tensor.size} numbers, what the seat could see; `mask`
  {game.num_moves}, 1 for a legal move; `move` what was chosen; `visits` how often a search tried each move,
  null for bots that don't search; `result` what the game was worth to the seat in the end, from -1 to 1.
- `{RUN}`: the settings.

No person's games are in it. The bots see what a seat sees, and play no better than their level: what is
learned from them has their habits.
"""
