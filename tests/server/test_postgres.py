"""The store in PostgreSQL: what it refuses and how, which index each question takes. (Failover: `faults`.)"""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest

from kibitz.core.errors import KibitzError
from kibitz.server.stores.people import PeopleStore, Statement
from kibitz.server.stores.store import Conflict, Lasting, Row, StoreFailed, chained
from scripts.engines import Postgres, free_port
from tests.server.engines import needs_postgres, new_database
from tests.server.serving import in_loop
from tests.server.test_store import STANDING, row

psycopg = pytest.importorskip("psycopg")
from psycopg.generators import notifies  # noqa: E402

from kibitz.server.stores import postgres as queries  # noqa: E402
from kibitz.server.stores import (  # noqa: E402
    postgres_connections,
    postgres_opening,
    postgres_reading,
    postgres_schema,
    postgres_writing,
)
from kibitz.server.stores.postgres import PostgresStore  # noqa: E402

pytestmark = needs_postgres


@asynccontextmanager
async def opened(*addresses: str) -> AsyncIterator[Any]:
    """A store for each address."""
    stores = [PostgresStore(address) for address in addresses]
    try:
        yield stores if len(stores) > 1 else stores[0]
    finally:
        for store in stores:
            await store.close()


# Several nodes


@in_loop
async def test_of_two_nodes_one_wins_and_both_know_the_row(database: str) -> None:
    async with opened(database, database) as (here, there):
        last = await here.append(row(None, "a"), None, STANDING)
        for number in range(20):
            tries = [
                store.append(row(last, f"{number}/{who}/{each}"), None)
                for who, store in (("here", here), ("there", there))
                for each in range(5)
            ]
            outcomes = await asyncio.gather(*tries, return_exceptions=True)
            won = [one for one in outcomes if isinstance(one, Row)]
            assert len(won) == 1
            assert sum(isinstance(one, Conflict) for one in outcomes) == 9
            last = won[0]
            assert await there.append(row(last, last.command, 9.0), None) == last
        assert chained(await there.rows("T"))


@in_loop
async def test_two_nodes_that_open_one_table_make_one(database: str) -> None:
    async with opened(database, database) as (here, there):
        for number in range(10):
            tries = [
                store.append(row(None, who, table=f"T{number}"), None, STANDING)
                for who, store in (("x", here), ("y", there))
            ]
            outcomes = await asyncio.gather(*tries, return_exceptions=True)
            assert sum(isinstance(one, Row) for one in outcomes) == 1
        assert await here.open_tables("ann") == 10


@in_loop
async def test_cut_connections_are_no_more_than_a_pause(postgres: Postgres, database: str) -> None:
    async with opened(database) as store:
        last = await store.append(row(None, "a"), None, STANDING)
        for number in range(5):
            cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'kibitz'"
            asked = asyncio.gather(store.append(row(last, f"c{number}"), None), store.rows("T"))
            await asyncio.to_thread(postgres.psql, cut)
            last, _ = await asked
        assert len(await store.rows("T")) == 6
        assert await store.tables_of("ann", 5)


@in_loop
async def test_a_database_that_stays_away_is_told(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres_connections, "PATIENCE", 0.3)
    monkeypatch.setattr(postgres_connections, "CONNECT_SECONDS", 0.3)
    async with opened(database) as store:
        store._connections._servers[0]["port"] = str(free_port())
        with pytest.raises(StoreFailed, match="doesn't answer"):
            await store.append(row(None, "a"), None, STANDING)
        with pytest.raises(StoreFailed, match="doesn't answer"):
            await store.rows("T")


@in_loop
async def test_a_question_is_asked_again_only_if_nobody_works_on_it(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_connections, "OVERDUE_SECONDS", 0.1)
    connections = postgres_connections.Connections(database)
    times = {"slow": 0, "many": 0, "lost": 0}

    async def slow(connection: postgres_connections.AsyncConnection) -> None:
        times["slow"] += 1
        await connection.execute("SELECT pg_sleep(1.5)")

    async def many(connection: postgres_connections.AsyncConnection) -> None:
        times["many"] += 1
        for _ in range(20):
            await connection.execute("SELECT")
            await asyncio.sleep(0.05)  # a busy node

    async def lost(connection: postgres_connections.AsyncConnection) -> None:
        times["lost"] += 1
        if times["lost"] == 1:
            await connection.wait(notifies(connection.pgconn))  # as if a question had never arrived
        await connection.execute("SELECT")

    await asyncio.gather(*map(connections.ask, (slow, many, lost)))
    assert times == {"slow": 1, "many": 1, "lost": 2}
    await connections.close()


@in_loop
async def test_to_wait_for_an_answer_is_no_work(database: str) -> None:
    async def asleep(connection: postgres_connections.AsyncConnection) -> None:
        before = time.process_time()
        await connection.execute("SELECT pg_sleep(0.8)")
        async for _ in connection.notifies(timeout=0.8):
            pass
        assert time.process_time() - before < 0.3

    connections = postgres_connections.Connections(database)
    await connections.ask(asleep)
    await connections.close()


def test_an_address_may_name_several_servers() -> None:
    def named(address: str) -> list[tuple[str | None, ...]]:
        keys = "host", "port", "target_session_attrs"
        settings = postgres_opening.settings_of(f"postgresql://{address}")
        return [tuple(map(one.get, keys)) for one in postgres_connections.servers_of(settings)]

    assert named("a,b:6/k") == [("a", "", "read-write"), ("b", "6", "read-write")]
    assert named("a,b/k?port=7") == [("a", "7", "read-write"), ("b", "7", "read-write")]
    assert named("a/k?target_session_attrs=any") == [("a", None, "any")]
    assert named("/k") == [(None, None, "read-write")]


# What is refused


def test_a_wrong_address_is_told(postgres: Postgres) -> None:
    with pytest.raises(KibitzError, match=r"doesn't answer at .* \(Connection refused\)\. Is it running"):
        PostgresStore(f"postgresql://kibitz:secret@127.0.0.1:{free_port()}/kibitz")
    with pytest.raises(KibitzError, match=r'says: database "nowhere" does not exist\. Make it with createdb'):
        PostgresStore(postgres.database("nowhere"))
    with pytest.raises(KibitzError, match=r'says: role "nobody" does not exist\. Name another'):
        PostgresStore(postgres.database("postgres").replace("kibitz@", "nobody@"))
    with pytest.raises(KibitzError, match="no address of a PostgreSQL store"):
        PostgresStore("postgresql://127.0.0.1:5432/kibitz?nonsense=1")


def open_until_refused(address: str) -> None:
    """The server reads its settings in its own time."""
    while True:
        PostgresStore(address)


def test_a_password_is_asked_for_and_never_shown(postgres: Postgres, database: str) -> None:
    hba = postgres.folder / "pg_hba.conf"
    before = hba.read_text()
    postgres.psql("CREATE USER ann PASSWORD 'right'")
    hba.write_text("host all ann 127.0.0.1/32 scram-sha-256\n" + before)
    postgres.psql("SELECT pg_reload_conf()")
    address = database.replace("kibitz@", "ann:wrong@")
    try:
        with pytest.raises(KibitzError, match="refuses the user or the password") as refused:
            open_until_refused(address)
        assert "wrong" not in refused.value.reason
        right = address.replace("wrong", "right")
        with pytest.raises(KibitzError, match=r"may not .* \(permission denied.*prepare-store"):
            PostgresStore(right)
        PostgresStore(database)
        postgres_opening.grant(database, "ann")
        PostgresStore(right)
    finally:
        hba.write_text(before)
        postgres.psql("SELECT pg_reload_conf()")


def test_a_database_of_somebody_elses_is_left_alone(postgres: Postgres, database: str) -> None:
    name = database.rpartition("/")[2]
    postgres.psql("CREATE TABLE guests (hotel text)", database=name)
    with pytest.raises(KibitzError, match=r'holds something else \(relation "guests" already exists\)'):
        PostgresStore(database)
    postgres.psql("DROP TABLE guests; CREATE TABLE meta (key text, value bytea)", database=name)
    with pytest.raises(KibitzError, match="holds something else"):
        PostgresStore(database)


def test_a_store_keeps_its_partitions(postgres: Postgres) -> None:
    whole, divided = new_database(postgres), new_database(postgres)
    postgres_opening.open_store(whole)
    assert (
        postgres_opening.open_store(divided, 4)
        == postgres_opening.open_store(divided, 4)
        == postgres_opening.open_store(divided)
    )
    with pytest.raises(KibitzError, match="has 4 partitions"):
        postgres_opening.open_store(divided, 8)
    with pytest.raises(KibitzError, match="has no partitions"):
        postgres_opening.open_store(whole, 4)


def test_a_database_that_would_lose_moves_is_refused(postgres: Postgres, database: str) -> None:
    name = database.rpartition("/")[2]
    postgres.psql(f"ALTER DATABASE {name} SET synchronous_commit = off")
    with pytest.raises(KibitzError, match=r"synchronous_commit = off.*ALTER DATABASE"):
        PostgresStore(database)


def test_a_read_only_database_is_refused(postgres: Postgres, database: str) -> None:
    name = database.rpartition("/")[2]
    postgres.psql(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    with pytest.raises(KibitzError, match="read-only replica"):
        PostgresStore(database)
    with pytest.raises(KibitzError, match="read-only replica"):
        PostgresStore(database + "?target_session_attrs=any")


def test_a_newer_schema_is_refused_unless_it_says_that_this_one_may_stay(
    postgres: Postgres, database: str
) -> None:
    PostgresStore(database)
    name = database.rpartition("/")[2]
    newer = str(postgres_schema.VERSION + 1)
    postgres.psql(f"UPDATE meta SET value = '{newer}' WHERE key = 'version'", database=name)
    PostgresStore(database)  # a neighbour in a rolling upgrade
    postgres.psql(f"UPDATE meta SET value = '{newer}' WHERE key = 'serves'", database=name)
    with pytest.raises(KibitzError, match="newer Kibitz"):
        PostgresStore(database)
    postgres.psql("UPDATE meta SET value = '0' WHERE key <> 'key'", database=name)
    with pytest.raises(KibitzError, match=r"of version 0; .* from version 1 on"):
        PostgresStore(database)


@in_loop
async def test_an_older_schema_is_upgraded(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with opened(database) as store:
        first = await store.append(row(None, "a"), None, STANDING)
    now = postgres_schema.VERSION
    more = {now: "ALTER TABLE guests ADD COLUMN colour text"}
    monkeypatch.setattr(postgres_schema, "UPGRADES", postgres_schema.UPGRADES | more)
    monkeypatch.setattr(postgres_schema, "VERSION", now + 1)
    for _ in range(2):
        async with opened(database) as store:
            assert await store.rows("T") == [first]
            assert await store._ask("SELECT colour FROM guests") == []


@in_loop
async def test_many_nodes_may_make_the_schema_at_once(database: str) -> None:
    made = await asyncio.gather(*(asyncio.to_thread(PostgresStore, database) for _ in range(4)))
    assert len({store.key for store in made}) == 1


# Which index each question takes

QUESTIONS: dict[str, tuple[str, Any, str]] = {
    "rows of a table": (queries.ROWS, ("T1",), "Index Scan on rows_"),
    "newer rows": (postgres_reading.NEWER, (["T1", "T2"], [3, 5]), "rows_pkey"),
    "ends": (queries.ENDS, (["T1", "T2"],), "rows_pkey"),
    "expired": (queries.EXPIRED, ("T1",), "tables_pkey"),
    "known command": (postgres_writing.KNOWN, ("T1", "c"), "rows_log_command_key"),
    "guest": (queries.GUEST, (b"hash", b"hash"), "guests_token_hash_key"),
    "seen": (queries.SEEN, (1.0, "ann"), "guests_pkey"),
    "names": (queries.NAMES, (["ann", "bob"],), "guests_pkey"),
    "renamed": (queries.RENAMED, ("ann", "c"), "renames_pkey"),
    "tables of a guest": (queries.TABLES_OF, ("g7", 100), "seats_of_guest"),
    "open tables": (queries.OPEN_TABLES, ("g7",), "tables_of_creator"),
    "old tables": (
        queries.OLD,
        {"unbegun": 5.0, "others": 5.0, "keep": [], "most": 100},
        "tables_by_age",
    ),
    "latest tables": (queries.LATEST_TABLES, (100,), "tables_by_age"),
    "waiting tables": (queries.WAITING_TABLES, ("T1", "T1~"), "tables_pkey"),
    "listed tables": (queries.LISTED_TABLES, (100,), "listed_tables"),
    "due": (queries.DUE, (5.0, 100), "tables_due"),
    "results": (queries.RESULTS, ("g7", 100), "results_of_guest"),
    "old renames": (queries.FORGET_RENAMES, (5.0,), "renames_by_time"),
    "old guests": (queries.FORGET_GUESTS, (5.0,), "guests_by_seen"),
}


@pytest.fixture(scope="module")
def filled(postgres: Postgres) -> Iterator[Any]:
    """A store with so much in it that an index pays."""
    database = new_database(postgres)
    PostgresStore(database)
    with psycopg.connect(database, autocommit=True) as connection:
        for filling in (
            "INSERT INTO guests SELECT 'g' || n, n::text::bytea, 'G', 'en', n, n "
            "FROM generate_series(1, 5000) n",
            "INSERT INTO renames SELECT 'g' || n, 'c', '', 'G', n FROM generate_series(1, 5000) n",
            "INSERT INTO tables SELECT 'T' || n, 'tiny', 'g' || n, n, true, false, NULL, '{}' "
            "FROM generate_series(1, 5000) n",
            "INSERT INTO seats SELECT 'T' || n, 0, 'g' || n FROM generate_series(1, 5000) n",
            "INSERT INTO rows SELECT 'T' || n, k, 'move', 'ann', n, 'c' || k, '', '', '', '', 0 "
            "FROM generate_series(1, 5000) n, generate_series(0, 9) k",
            "INSERT INTO results SELECT 'T' || n, 0, 'g' || n, n, '{}' FROM generate_series(1, 5000) n",
            "INSERT INTO devices SELECT n::text::bytea, 'g' || n, n FROM generate_series(1, 5000) n",
            "INSERT INTO passphrases SELECT 'g' || n, n, n, '', n FROM generate_series(1, 5000) n",
            "INSERT INTO ratings SELECT 'g' || n, 'tiny', n, 1, 1 FROM generate_series(1, 5000) n",
            "INSERT INTO rating_changes SELECT 'T' || n, 0, 'g' || n, 'tiny', n, 1, 1, 1, 1 "
            "FROM generate_series(1, 5000) n",
            "INSERT INTO filed SELECT 'day', 'T' || n FROM generate_series(1, 3) n",
            "UPDATE tables SET due = created WHERE created < 50",
            "UPDATE tables SET listed = true WHERE created > 4950",
            "ANALYZE",
        ):
            connection.execute(filling)
        yield connection


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_question_takes_an_index(filled: Any, name: str) -> None:
    query, values, index = QUESTIONS[name]
    assert index in read_by_index(filled, query, values)


def read_by_index(connection: Any, query: str, values: Any) -> str:
    """How it would be answered: never by reading all of what grows."""
    plan = "\n".join(line for (line,) in connection.execute(f"EXPLAIN {query}", values))
    for relation in ("rows", "tables", "renames", "results", "devices", "passphrases", "ratings"):
        assert f"Seq Scan on {relation}" not in plan, plan
    return plan


def test_newer_rows_are_found_by_index_in_a_small_store_too(database: str) -> None:
    PostgresStore(database)
    tables = [f"T{number}" for number in range(100)]
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute(
            "INSERT INTO rows SELECT log, k, 'move', 'ann', k, 'c' || k, '', '', '', '', 0 "
            "FROM unnest(%s::text[]) log, generate_series(0, 59) k",
            (tables,),
        )
        connection.execute("ANALYZE rows")
        assert "rows_pkey" in read_by_index(connection, postgres_reading.NEWER, (tables, [58] * len(tables)))


class Asked(PeopleStore):
    """Notes what is asked about people, and finds nothing."""

    def __init__(self) -> None:
        self.statements: list[Statement] = []

    async def _look_up(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        self.statements.append((sql, values))
        return []

    async def _change(self, statements: Sequence[Statement], drop: Sequence[str] = ()) -> list[Any]:
        self.statements += statements
        return []

    async def tables_of(self, guest: str, most: int) -> list[Any]:
        """None."""
        return []

    async def results(self, guest: str, most: int) -> list[Any]:
        """None."""
        return []


@in_loop
async def test_what_is_asked_about_people_takes_an_index(filled: Any) -> None:
    asked = Asked()
    await asked.add_device("g7", b"hash")
    await asked.leave_devices("g7", b"hash")
    await asked.keep_passphrase(Lasting("g7", "Ann", "ann", "hash"))
    await asked.lasting("ann")
    await asked.lasting_guest("g7")
    await asked.rating_changes("T7")
    await asked.ratings_of("g7")
    await asked.leaders("tiny", 20)
    await asked.renames_of("g7")
    await asked.forget_guest("g7")
    for query, values in [*asked.statements, (queries.FILED_RESULTS, ("day", 20))]:
        read_by_index(filled, query.replace("?", "%s"), values)
