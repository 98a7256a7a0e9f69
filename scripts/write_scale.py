"""Write the tables of docs/scale.md: what so many players at once need, from unit costs; `--check` compares.

What is measured is read from bench/results/cluster.md and rounded up; how players behave and some costs are
assumed: each says which. Everything else is the arithmetic below.
"""

import math
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
TARGET = ROOT / "docs" / "scale.md"
RESULTS = ROOT / "bench" / "results" / "cluster.md"
BEGIN, END = "<!-- worked out by scripts/write_scale.py -->", "<!-- end -->"


def measured(line: str) -> float:
    """The last figure of a line of the results, rounded up to two digits."""
    for row in RESULTS.read_text().splitlines():
        name, *cells = [cell.strip() for cell in row.strip("|").split("|")]
        if name == line:
            value = float(cells[-1].split()[0].replace(",", ""))
            step = 10.0 ** (math.floor(math.log10(value)) - 1)
            return round(math.ceil(value / step) * step, 6)
    sys.exit(f"{RESULTS.name} has no line “{line}”")


# Measured; of the nodes' columns the last: three nodes, the players of a table at different ones
NODE_MICROSECONDS = measured("processor time a move, µs: nodes")
DATABASE_MICROSECONDS = measured("… database")
ROW_BYTES = measured("on disk, PostgreSQL")  # with indexes and all that belongs to its table
LOG_BYTES = measured("written to PostgreSQL's log")
MOVE_WIRE_BYTES = measured("on the wire, both players, both directions")
SOCKET_KILOBYTES = measured("memory of each of 10,000 idle sockets")

# Assumed
NODE_MEGABYTES = 400  # before anybody comes
NEWS_MICROSECONDS = 6  # of every node's processor, for news of a move at any other
SECONDS_A_MOVE = 8  # that a player at a table with another thinks, so each table makes a move in that time
PLAYERS_A_TABLE = 2
MOVES_A_DAY_FACTOR = 0.25  # of the peak's rate, over a day
DAYS = 90  # for which logs are kept
BUSY = 0.5  # of a core at most, so that a peak or a dead neighbour finds room
SOCKETS_A_NODE = 10_000
ONE_POSTGRES = 20_000  # rows a second: where one well-built primary with a synchronous standby is held to end

PLAYERS = (1_000, 100_000, 1_000_000)


def needs(players: int) -> dict[str, str]:
    """What so many players at once come to, line by line."""
    moves = players / PLAYERS_A_TABLE / SECONDS_A_MOVE
    hearing = moves * NEWS_MICROSECONDS / 1e6  # of a core, at each node
    by_processor = moves * NODE_MICROSECONDS / 1e6 / (BUSY - hearing)
    by_sockets = players / SOCKETS_A_NODE
    nodes = max(1, math.ceil(max(by_processor, by_sockets)))
    rows_a_day = moves * 86400 * MOVES_A_DAY_FACTOR
    return {
        "moves a second": figure(moves),
        "nodes by their processors (cores)": figure(math.ceil(by_processor)),
        "of which each hears news for, % of a core": figure(100 * hearing),
        "nodes by sockets": figure(math.ceil(by_sockets)),
        "**nodes**, and one to spare": f"**{figure(nodes + 1)}**",
        "memory of a node, MB": figure(NODE_MEGABYTES + SOCKET_KILOBYTES * players / nodes / 1000),
        "to and from players, Mbit/s": figure(moves * MOVE_WIRE_BYTES * 8 / 1e6),
        "PostgreSQL's processors (cores)": figure(math.ceil(moves * DATABASE_MICROSECONDS / 1e6 / BUSY)),
        "PostgreSQL's log, MB/s": figure(moves * LOG_BYTES / 1e6),
        f"logs on disk after {DAYS} days, GB": figure(rows_a_day * DAYS * ROW_BYTES / 1e9),
        "**PostgreSQLs**": f"**{math.ceil(moves / ONE_POSTGRES)}**",
    }


def figure(value: float) -> str:
    """A number with its thousands apart; small ones with a digit or two behind the point."""
    if 0 < value < 0.1:
        return f"{value:.2f}"
    return f"{value:,.1f}" if value < 10 and value != int(value) else f"{round(value):,}"


def table() -> str:
    """All of it side by side."""
    columns = [needs(players) for players in PLAYERS]
    lines = [
        "| players at once | " + " | ".join(figure(players) for players in PLAYERS) + " |",
        "|---" * (1 + len(PLAYERS)) + "|",
    ]
    lines += [f"| {name} | " + " | ".join(column[name] for column in columns) + " |" for name in columns[0]]
    return "\n".join(lines)


def written(text: str) -> str:
    """The document with the table as it comes out now."""
    head, rest = text.split(BEGIN)
    return f"{head}{BEGIN}\n\n{table()}\n\n{END}{rest.split(END)[1]}"


def main() -> None:
    text = TARGET.read_text()
    if "--check" in sys.argv:
        if text != written(text):
            sys.exit(f"{TARGET.name} is not what scripts/write_scale.py makes: run it")
    else:
        TARGET.write_text(written(text))


if __name__ == "__main__":
    main()
