"""Rows for logs in PostgreSQL: all that has come in while the last commit was synced goes in one transaction.

Any number of nodes do this at once. A row is taken if the one before it is there with the hash it names, and
nobody has that number or that command in that log: the database's unique keys decide, not the nodes.
"""

import asyncio
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, TypeVar

import msgspec

from kibitz.server.people import ratings
from kibitz.server.stores.postgres_connections import AsyncConnection, Connections
from kibitz.server.stores.postgres_opening import sql
from kibitz.server.stores.store import Conflict, Row, Standing, lasting_settings

T = TypeVar("T")

BATCH = 256  # rows of one transaction
COLUMNS = "log, number, kind, actor, time, command, fingerprint, body, previous, hash"  # of a Row
FOLLOWS = "JOIN rows last ON last.log = new.log AND last.number = new.number - 1 AND last.hash = new.previous"
NO_TURN = -1

ARRAYS = """unnest(
    %b::text[], %b::bigint[], %b::text[], %b::text[], %b::float8[], %b::text[], %b::bytea[], %b::bytea[],
    %b::bytea[], %b::bytea[], %b::smallint[]"""
ADD_FROM = f"""
INSERT INTO rows ({COLUMNS}, turn)
SELECT {", ".join("new." + column for column in COLUMNS.split(", "))}, nullif(new.turn, {NO_TURN})
FROM {{new}} {FOLLOWS}
ORDER BY new.log
ON CONFLICT DO NOTHING RETURNING log
"""  # in order, so that two nodes never wait for each other
ADD = sql(ADD_FROM.format(new=f"{ARRAYS}) new ({COLUMNS}, turn)"))
ADD_DUE = sql(f"""
WITH new ({COLUMNS}, turn, due) AS (SELECT * FROM {ARRAYS}, %b::float8[])),
added AS ({ADD_FROM.format(new="new")}),
timed AS (
    UPDATE tables SET due = new.due FROM added JOIN new USING (log)
    WHERE tables.log = new.log AND tables.due IS DISTINCT FROM new.due AND new.due IS NOT NULL
)
SELECT log FROM added
""")
NEW = sql(f"""
new ({COLUMNS}, turn) AS (VALUES (
    %s::text, %s::bigint, %s::text, %s::text, %s::float8, %s::text, %b::bytea, %b::bytea,
    %b::bytea, %b::bytea, %s::smallint
))
""")
OPEN = sql(f"""
WITH {NEW},
made AS (
    INSERT INTO tables SELECT log, %s, %s, time, %s, %s, NULL, %b, NULL, %s FROM new
    ON CONFLICT DO NOTHING RETURNING log
),
seated AS (
    INSERT INTO seats
    SELECT log, seat, guest FROM made, unnest(%s::smallint[], %s::text[]) taken (seat, guest)
)
INSERT INTO rows ({COLUMNS}, turn) SELECT new.* FROM new JOIN made USING (log) RETURNING log
""")
CHANGE = sql(f"""
WITH {NEW},
added AS (
    INSERT INTO rows ({COLUMNS}, turn) SELECT new.* FROM new {FOLLOWS} ON CONFLICT DO NOTHING RETURNING log
),
seated AS (
    INSERT INTO seats
    SELECT log, seat, guest FROM added, unnest(%s::smallint[], %s::text[]) taken (seat, guest)
    ON CONFLICT (log, seat) DO UPDATE SET guest = excluded.guest
),
left_empty AS (
    DELETE FROM seats USING added WHERE seats.log = added.log AND seats.seat <> ALL (%s::smallint[])
)
UPDATE tables SET begun = %s, over = %s, standing = %b, listed = %s FROM added WHERE tables.log = added.log
RETURNING tables.log
""")
DUE = sql("""
UPDATE tables SET due = %s WHERE log = %s AND due IS DISTINCT FROM %s
AND EXISTS (SELECT FROM rows WHERE log = %s AND number = %s AND hash = %b)
""")
ENDED = sql("""
INSERT INTO results SELECT %s, seat, guest, %s, %b FROM unnest(%s::smallint[], %s::text[]) taken (seat, guest)
WHERE EXISTS (SELECT FROM rows WHERE log = %s AND number = %s AND hash = %b)
ON CONFLICT DO NOTHING
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


class PendingRow(NamedTuple):
    """A row to add, what lists then tell, and who waits for it."""

    row: Row
    turn: int | None
    standing: Standing | None
    due: float | None
    answer: "asyncio.Future[Row]"


class RowWriter:
    """Adds rows to logs, a transaction at a time, on a connection of its own."""

    def __init__(self, address: str) -> None:
        self._connections = Connections(address, most=1)
        self._waiting: list[PendingRow] = []
        self._task: asyncio.Task[None] | None = None

    def add(
        self, row: Row, turn: int | None, standing: Standing | None, due: float | None
    ) -> "asyncio.Future[Row]":
        """Have a row added; the answer comes when it is synced."""
        answer: asyncio.Future[Row] = asyncio.get_running_loop().create_future()
        self._waiting.append(PendingRow(row, turn, standing, due, answer))
        if self._task is None:
            self._task = asyncio.create_task(self._write_all())
        return answer

    async def close(self) -> None:
        """Write all that was asked for, then let go."""
        if self._task is not None:
            await self._task
        await self._connections.close()

    async def _write_all(self) -> None:
        while self._waiting:
            await self._gather()
            batch, self._waiting = self._waiting[:BATCH], self._waiting[BATCH:]
            await self._write(batch)
        self._task = None

    async def _gather(self) -> None:
        """Go on when a moment brings nothing more: fewer syncs for more moves."""
        before = 0
        while before < len(self._waiting) < BATCH:
            before = len(self._waiting)
            await asyncio.sleep(0)

    async def _write(self, batch: Sequence[PendingRow]) -> None:
        outcomes: Sequence[Row | Exception]
        try:
            outcomes = await self._connections.ask(lambda connection: written(connection, batch))
        except Exception as error:
            outcomes = [error] * len(batch)
        give(zip((addition.answer for addition in batch), outcomes))


def give(answers: Iterable[tuple["asyncio.Future[T]", T | Exception]]) -> None:
    """Tell those who still wait what came of it."""
    for answer, outcome in answers:
        if answer.done():
            continue
        if isinstance(outcome, Exception):
            answer.set_exception(outcome)
        else:
            answer.set_result(outcome)


async def written(connection: AsyncConnection, batch: Sequence[PendingRow]) -> list[Row | Exception]:
    """Add each row that is the next one of its log; the command that has a row already gets that one."""
    together = rounds(batch)
    if len(together) == 1 and all(addition.standing is None for addition in batch):
        added = await _logs(await _add(connection, batch))  # a transaction by itself: half the work
        taken = {index for index, addition in enumerate(batch) if addition.row.table in added}
    else:
        taken = await _add_in_order(connection, batch, together)
    return [
        addition.row if index in taken else await _known(connection, addition.row)
        for index, addition in enumerate(batch)
    ]


async def _add_in_order(
    connection: AsyncConnection, batch: Sequence[PendingRow], together: Sequence[Sequence[int]]
) -> set[int]:
    """Rows of which some change lists, or follow each other; returns which were added."""
    asked: list[tuple[list[int], Any]] = []  # what was sent, all of it before an answer is waited for
    async with connection.pipeline(), connection.transaction():
        for indexes in together:
            asked += await _send(connection, batch, indexes)
        for addition in sorted(batch, key=lambda addition: addition.row.table):
            if addition.standing is not None:
                await _tell_lists(connection, addition.row, addition.standing, addition.due)
    taken: set[int] = set()
    for indexes, cursor in asked:
        added = await _logs(cursor)
        taken |= {index for index in indexes if batch[index].row.table in added}
    return taken


async def _logs(cursor: Any) -> set[str]:
    return {log for (log,) in await cursor.fetchall()}


async def _tell_lists(connection: AsyncConnection, row: Row, standing: Standing, due: float | None) -> None:
    """What else a row changes, if it was taken."""
    values = due, row.table, due, row.table, row.number, row.hash
    await connection.execute(DUE, values, prepare=True)
    if standing.regular and row.number == 0:
        latest = standing.regular, row.table, lasting_settings(row.body), row.table, row.hash
        await connection.execute(REGULAR, latest, prepare=True)
    if standing.over and not standing.closed:
        await connection.execute(ENDED, _result(row, standing), prepare=True)
        if standing.filed:
            filed = row.table, list(standing.filed), row.table, row.number, row.hash
            await connection.execute(FILED, filed, prepare=True)
        if ratings.counts(standing):
            await _rate(connection, row, standing)


def rounds(batch: Sequence[PendingRow]) -> list[list[int]]:
    """Which of a batch can be added together: of each log only one, for the next has to see it."""
    made: list[list[int]] = []
    seen: dict[str, int] = {}
    for index, addition in enumerate(batch):
        turn = seen[addition.row.table] = seen.get(addition.row.table, -1) + 1
        if turn == len(made):
            made.append([])
        made[turn].append(index)
    return made


async def _send(
    connection: AsyncConnection, batch: Sequence[PendingRow], indexes: Sequence[int]
) -> list[tuple[list[int], Any]]:
    """Have these added: with one statement for all that change no list."""
    plain = [index for index in indexes if batch[index].standing is None]
    others = sorted(set(indexes) - set(plain), key=lambda index: batch[index].row.table)
    sent = [([index], await _change(connection, batch[index])) for index in others]
    if plain:
        sent.append((plain, await _add(connection, [batch[index] for index in plain])))
    return sent


async def _add(connection: AsyncConnection, plain: Sequence[PendingRow]) -> Any:
    """Rows of different logs that change no list, with one statement."""
    columns = list(map(list, zip(*map(_values, plain))))
    times = [addition.due for addition in plain]
    if any(due is not None for due in times):
        return await connection.execute(ADD_DUE, [*columns, times], prepare=True)
    return await connection.execute(ADD, columns, prepare=True)


async def _change(connection: AsyncConnection, addition: PendingRow) -> Any:
    """A row with which lists tell something else."""
    standing = addition.standing
    assert standing is not None
    values = [None if value == NO_TURN else value for value in _values(addition)]
    told = msgspec.json.encode(standing)
    seated = [(seat, facts.guest or facts.left) for seat, facts in enumerate(standing.seats)]
    seats = [seat for seat, guest in seated if guest]
    guests = [guest for _, guest in seated if guest]
    if addition.row.number == 0:
        facts = (standing.game, standing.creator, standing.begun, standing.over, told, standing.listed)
        return await connection.execute(OPEN, (*values, *facts, seats, guests), prepare=True)
    facts_now = (standing.begun, standing.over, told, standing.listed)
    return await connection.execute(CHANGE, (*values, seats, guests, seats, *facts_now), prepare=True)


def _result(row: Row, standing: Standing) -> tuple[Any, ...]:
    sitting = [(seat, facts.guest or facts.left) for seat, facts in enumerate(standing.seats)]
    seats = [seat for seat, guest in sitting if guest]
    guests = [guest for _, guest in sitting if guest]
    told = msgspec.json.encode(standing)
    return row.table, row.time, told, seats, guests, row.table, row.number, row.hash


async def _rate(connection: AsyncConnection, row: Row, standing: Standing) -> None:
    """What the game changes, with the row that ends it; a later row of the table changes nothing more."""
    await connection.execute("SELECT pg_advisory_xact_lock(%s)", (RATING,))
    ends = await connection.execute(UNRATED, (row.table, row.number, row.hash, row.table))
    if await ends.fetchone() != (True,):
        return
    pool = ratings.pool_of(standing.game, len(standing.seats))
    people = list(ratings.people_of(standing).values())
    found = await (await connection.execute(SKILLS, (pool, people))).fetchall()
    before = {guest: ratings.Skill(*skill) for guest, *skill in found}
    for seat, guest, was, now in ratings.changes(standing, before):
        await connection.execute(RATED, (row.table, seat, guest, pool, row.time, *was, *now))
        await connection.execute(KEEP, (guest, pool, *now))


def _values(addition: PendingRow) -> tuple[Any, ...]:
    turn = NO_TURN if addition.turn is None else addition.turn
    return (*msgspec.structs.astuple(addition.row), turn)


async def _known(connection: AsyncConnection, row: Row) -> Row | Exception:
    """The row that the command has made before: this one, if its answer was lost."""
    found = await (await connection.execute(KNOWN, (row.table, row.command))).fetchone()
    if found is None:
        return Conflict(row.table, row.number)
    known = Row(*found)
    return row if known == row else known
