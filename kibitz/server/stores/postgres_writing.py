"""Rows for logs in PostgreSQL: all that has come in while the last commit was synced goes in one transaction.

Any number of nodes do this at once. A row is taken if the one before it is there with the hash it names, and
nobody has that number or that command in that log: the database's unique keys decide, not the nodes.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from kibitz.server.people import ratings
from kibitz.server.stores.postgres_connections import AsyncConnection
from kibitz.server.stores.postgres_opening import sql
from kibitz.server.stores.store import Addition, Conflict, Row, Standing, lasting_settings

ROW = {  # a Row's columns, each with its type
    "log": "text",
    "number": "bigint",
    "kind": "text",
    "actor": "text",
    "time": "float8",
    "command": "text",
    "fingerprint": "bytea",
    "body": "bytea",
    "previous": "bytea",
    "hash": "bytea",
}
COLUMNS = ", ".join(ROW)
NO_TURN, NEVER = -1, 0  # in arrays, which hold no NULL
ADDED = {**ROW, "turn": "smallint"}
TIMED = {**ADDED, "due": "float8"}
TOLD = {  # what lists then tell of a table
    "log": "text",
    "game": "text",
    "creator": "text",
    "begun": "bool",
    "over": "bool",
    "listed": "bool",
    "counts": "bool",
    "standing": "bytea",
}
TAKEN = {"log": "text", "seat": "smallint", "guest": "text"}


def arrays(name: str, columns: Mapping[str, str]) -> str:
    """Rows that come as an array a column."""
    of_columns = ", ".join(f"%({name}_{column})b::{kind}[]" for column, kind in columns.items())
    return f"unnest({of_columns}) {name} ({', '.join(columns)})"


# What grows is asked for by its keys, however little of it there was when the statement was planned: rows one
# by one (`LIMIT 1`, in the order of their numbers), tables and seats by `= ANY (array)`.
FOLLOWS = """JOIN LATERAL (
    SELECT number, hash FROM rows WHERE log = new.log AND number < new.number ORDER BY number DESC LIMIT 1
) last ON last.number = new.number - 1 AND last.hash = new.previous"""
VALUES = f"{', '.join('new.' + column for column in ROW)}, nullif(new.turn, {NO_TURN})"
ADD = sql(f"""
INSERT INTO rows ({COLUMNS}, turn)
SELECT {VALUES} FROM {arrays("new", ADDED)} {FOLLOWS}
ORDER BY new.log
ON CONFLICT DO NOTHING RETURNING log
""")  # in order, so that two nodes never wait for each other
ADD_AND_TELL = sql(f"""
WITH new AS (SELECT * FROM {arrays("new", TIMED)}),
told AS (SELECT * FROM {arrays("told", TOLD)}),
taken AS (SELECT * FROM {arrays("taken", TAKEN)}),
opened AS (
    INSERT INTO tables
    SELECT log, game, creator, time, begun, over, NULL, standing, nullif(due, {NEVER}), listed
    FROM new JOIN told USING (log) WHERE number = 0
    ORDER BY log
    ON CONFLICT DO NOTHING RETURNING log
),
added AS (
    INSERT INTO rows ({COLUMNS}, turn)
    SELECT {VALUES} FROM new LEFT {FOLLOWS}
    WHERE last.hash IS NOT NULL OR new.log IN (SELECT log FROM opened)
    ORDER BY new.log
    ON CONFLICT DO NOTHING RETURNING log
),
listed AS (
    UPDATE tables SET begun = told.begun, over = told.over, standing = told.standing, listed = told.listed,
        due = nullif(new.due, {NEVER})
    FROM added JOIN told USING (log) JOIN new USING (log)
    WHERE tables.log = ANY (%(told_log)b::text[]) AND tables.log = told.log AND new.number > 0
),
timed AS (
    UPDATE tables SET due = new.due FROM added JOIN new USING (log)
    WHERE tables.log = ANY (%(new_log)b::text[]) AND tables.log = new.log
    AND new.due <> {NEVER} AND tables.due IS DISTINCT FROM new.due AND new.log NOT IN (SELECT log FROM told)
),
seated AS (
    INSERT INTO seats SELECT log, seat, guest FROM added JOIN taken USING (log)
    ON CONFLICT (log, seat) DO UPDATE SET guest = excluded.guest WHERE seats.guest <> excluded.guest
),
left_empty AS (
    DELETE FROM seats USING added WHERE seats.log = ANY (%(told_log)b::text[]) AND seats.log = added.log
    AND NOT EXISTS (SELECT FROM taken WHERE taken.log = seats.log AND taken.seat = seats.seat)
),
ended AS (
    INSERT INTO results
    SELECT log, seat, guest, time, standing
    FROM added JOIN new USING (log) JOIN told USING (log) JOIN taken USING (log) WHERE counts
    ON CONFLICT DO NOTHING
)
SELECT log FROM added
""")
FILED = sql("""
INSERT INTO filed SELECT name, %s FROM unnest(%s::text[]) name
WHERE EXISTS (SELECT FROM rows WHERE log = %s AND number = %s AND hash = %b)
ON CONFLICT DO NOTHING
""")
RATING = 0x726174696E67  # the lock of whoever changes ratings: one game after the other
UNRATED = sql("""
SELECT EXISTS (SELECT FROM rows WHERE log = %s AND number = %s AND hash = %b)
AND NOT EXISTS (SELECT FROM rating_changes WHERE id = %s)
""")
SKILLS = sql("SELECT guest, mu, sigma FROM ratings WHERE pool = %s AND guest = ANY (%s)")
RATED = sql("INSERT INTO rating_changes VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)")
KEEP = sql("""
INSERT INTO ratings VALUES (%s, %s, %s, %s, 1) ON CONFLICT (pool, guest)
DO UPDATE SET mu = excluded.mu, sigma = excluded.sigma, games = ratings.games + 1
""")
REGULAR = sql("""
INSERT INTO regulars SELECT %s, %s, %b
WHERE EXISTS (SELECT FROM rows WHERE log = %s AND number = 0 AND hash = %b)
ON CONFLICT (name) DO UPDATE SET id = excluded.id, created = excluded.created
""")
KNOWN = sql(f"SELECT {COLUMNS} FROM rows WHERE log = %s AND command = %s")


async def written(connection: AsyncConnection, batch: Sequence[Addition]) -> list[Row | Exception]:
    """Add each row that is the next one of its log; the command that has a row already gets that one."""
    together = rounds(batch)
    if len(together) == 1 and not any(map(_files, batch)):
        added = await _add(connection, batch)  # a transaction by itself: a third of the work
        taken = {index for index, addition in enumerate(batch) if addition.row.table in added}
    else:
        taken = await _add_in_order(connection, batch, together)
    return [
        addition.row if index in taken else await _known(connection, addition.row)
        for index, addition in enumerate(batch)
    ]


async def _add_in_order(
    connection: AsyncConnection, batch: Sequence[Addition], together: Sequence[Sequence[int]]
) -> set[int]:
    """Rows of which some follow each other, or are filed; returns which were added."""
    taken: set[int] = set()
    async with connection.transaction():
        for indexes in together:
            added = await _add(connection, [batch[index] for index in indexes])
            taken |= {index for index in indexes if batch[index].row.table in added}
        for addition in sorted(filter(_files, batch), key=lambda addition: addition.row.table):
            assert addition.standing is not None
            await _file(connection, addition.row, addition.standing)
    return taken


def rounds(batch: Sequence[Addition]) -> list[list[int]]:
    """Which of a batch can be added together: of each log only one, for the next has to see it."""
    made: list[list[int]] = []
    seen: dict[str, int] = {}
    for index, addition in enumerate(batch):
        turn = seen[addition.row.table] = seen.get(addition.row.table, -1) + 1
        if turn == len(made):
            made.append([])
        made[turn].append(index)
    return made


async def _add(connection: AsyncConnection, additions: Sequence[Addition]) -> set[str]:
    """Rows of different logs, with one statement; returns which logs have them now."""
    values = _columns("new", TIMED, map(_values, additions))
    if all(addition.standing is None and addition.due is None for addition in additions):
        added = await connection.fetch(ADD, values)
    else:
        added = await connection.fetch(ADD_AND_TELL, values | _lists(additions))
    return {log for (log,) in added}


def _lists(additions: Sequence[Addition]) -> dict[str, list[Any]]:
    """What lists then tell of tables, and who sits there."""
    told, taken = [], []
    for row, _, standing, _ in additions:
        if standing is None:
            continue
        counts = standing.over and not standing.closed
        facts = standing.game, standing.creator, standing.begun, standing.over, standing.listed, counts
        told.append((row.table, *facts, msgspec.json.encode(standing)))
        sitting = (seat.guest or seat.left for seat in standing.seats)
        taken += [(row.table, seat, guest) for seat, guest in enumerate(sitting) if guest]
    return _columns("told", TOLD, told) | _columns("taken", TAKEN, taken)


def _columns(name: str, columns: Iterable[str], rows: Iterable[tuple[Any, ...]]) -> dict[str, list[Any]]:
    """Rows as an array a column."""
    values = list(zip(*rows)) or [()] * len(TIMED)
    return {f"{name}_{column}": list(value) for column, value in zip(columns, values)}


def _files(addition: Addition) -> bool:
    """Whether a row changes more than its log and lists: regular tables, results that are filed, ratings."""
    row, standing = addition.row, addition.standing
    if standing is None:
        return False
    ends = standing.over and not standing.closed
    opens = bool(standing.regular) and row.number == 0
    return opens or (ends and (bool(standing.filed) or ratings.counts(standing)))


async def _file(connection: AsyncConnection, row: Row, standing: Standing) -> None:
    """That, if the row was taken."""
    if standing.regular and row.number == 0:
        latest = standing.regular, row.table, lasting_settings(row.body), row.table, row.hash
        await connection.execute(REGULAR, latest)
    if standing.over and not standing.closed:
        if standing.filed:
            filed = row.table, list(standing.filed), row.table, row.number, row.hash
            await connection.execute(FILED, filed)
        if ratings.counts(standing):
            await _rate(connection, row, standing)


async def _rate(connection: AsyncConnection, row: Row, standing: Standing) -> None:
    """What the game changes, with the row that ends it; a later row of the table changes nothing more."""
    await connection.execute("SELECT pg_advisory_xact_lock(%s)", (RATING,))
    ends = await connection.fetch(UNRATED, (row.table, row.number, row.hash, row.table))
    if ends != [(True,)]:
        return
    pool = ratings.pool_of(standing.game, len(standing.seats))
    people = list(ratings.people_of(standing).values())
    found = await connection.fetch(SKILLS, (pool, people))
    before = {guest: ratings.Skill(*skill) for guest, *skill in found}
    for seat, guest, was, now in ratings.changes(standing, before):
        await connection.execute(RATED, (row.table, seat, guest, pool, row.time, *was, *now))
        await connection.execute(KEEP, (guest, pool, *now))


def _values(addition: Addition) -> tuple[Any, ...]:
    turn = NO_TURN if addition.turn is None else addition.turn
    return (*msgspec.structs.astuple(addition.row), turn, addition.due or float(NEVER))


async def _known(connection: AsyncConnection, row: Row) -> Row | Exception:
    """The row that the command has made before: this one, if its answer was lost."""
    found = await connection.fetch(KNOWN, (row.table, row.command))
    if not found:
        return Conflict(row.table, row.number)
    known = Row(*found[0])
    return row if known == row else known
