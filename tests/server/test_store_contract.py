"""What every store promises, asked of each: one SQLite file, PostgreSQL, PostgreSQL with divided logs."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from kibitz.server.sqlite import SqliteStore
from kibitz.server.store import Conflict, Guest, Listed, Row, SeatFacts, Standing, Store, chained
from scripts.engines import Postgres
from tests.server.engines import needs_postgres, new_database
from tests.server.serving import in_loop
from tests.server.test_store import STANDING, row

PARTITIONS = 4

OpenStore = Callable[[], AbstractAsyncContextManager[Store]]


@pytest.fixture(
    params=[
        "sqlite",
        pytest.param("postgres", marks=needs_postgres),
        pytest.param("divided", marks=needs_postgres),
    ]
)
def open_store(request: pytest.FixtureRequest, tmp_path: Path) -> OpenStore:
    """Opens the same store, however often."""
    if request.param == "sqlite":
        return lambda: closing(lambda: SqliteStore(tmp_path))
    from kibitz.server.postgres import PostgresStore

    server: Postgres = request.getfixturevalue("postgres")
    address = new_database(server)
    partitions = PARTITIONS if request.param == "divided" else 0
    return lambda: closing(lambda: PostgresStore(address, partitions))


@asynccontextmanager
async def closing(make: Callable[[], Store]) -> AsyncIterator[Store]:
    """A store that is closed in the end."""
    store = make()
    try:
        yield store
    finally:
        await store.close()


@in_loop
async def test_rows_come_back_as_they_were(open_store: OpenStore) -> None:
    async with open_store() as store:
        first = await store.append(row(None, "a"), None, STANDING)
        second = await store.append(row(first, "b", 2.5, body='{"text":"ñ"}'.encode()), 1)
        assert await store.rows("T") == [first, second]
        assert await store.rows("T", 0) == [second]
        assert await store.rows("U") == []
    async with open_store() as store:
        assert await store.rows("T") == [first, second]
        assert chained(await store.rows("T"))


@in_loop
async def test_the_same_command_gets_the_row_it_has_made(open_store: OpenStore) -> None:
    async with open_store() as store:
        first = await store.append(row(None, "a"), None, STANDING)
        second = await store.append(row(first, "b"), None)
        assert await store.append(row(second, "b", 9.0), None) == second
        assert await store.append(row(None, "a", 9.0), None, STANDING) == first
        assert len(await store.rows("T")) == 2


@in_loop
async def test_only_the_next_row_is_taken(open_store: OpenStore) -> None:
    async with open_store() as store:
        first = await store.append(row(None, "a"), None, STANDING)
        second = await store.append(row(first, "b"), None)
        with pytest.raises(Conflict):
            await store.append(row(first, "c"), None)
        with pytest.raises(Conflict):
            await store.append(row(row(second, "x"), "c"), None)
        forged = msgspec.structs.replace(row(second, "c"), previous=b"forged")
        with pytest.raises(Conflict):
            await store.append(forged, None)
        with pytest.raises(Conflict):
            await store.append(row(None, "other"), None, STANDING)
        assert len(await store.rows("T")) == 2


@in_loop
async def test_of_many_at_once_one_wins(open_store: OpenStore) -> None:
    async with open_store() as store:
        first = await store.append(row(None, "a"), None, STANDING)
        tries = [store.append(row(first, f"c{number}"), None) for number in range(50)]
        outcomes = await asyncio.gather(*tries, return_exceptions=True)
        assert sum(isinstance(one, Row) for one in outcomes) == 1
        assert sum(isinstance(one, Conflict) for one in outcomes) == 49
        assert len(await store.rows("T")) == 2


@in_loop
async def test_rows_asked_for_at_once_may_follow_each_other(open_store: OpenStore) -> None:
    async with open_store() as store:
        rows = [await store.append(row(None, "a"), None, STANDING)]
        for number in range(40):
            rows.append(row(rows[-1], f"c{number}"))
        doubled = msgspec.structs.replace(row(rows[10], "c3"), table="T")
        asked = [store.append(one, None) for one in [*rows[1:20], doubled, *rows[20:]]]
        outcomes = await asyncio.gather(*asked)
        assert outcomes == [*rows[1:20], rows[4], *rows[20:]]
        assert chained(await store.rows("T"))
        assert len(await store.rows("T")) == 41


@in_loop
async def test_what_lists_tell_is_kept_though_another_row_asked_for_at_once_is_known(
    open_store: OpenStore,
) -> None:
    async with open_store() as store:
        first = await store.append(row(None, "a"), None, STANDING)
        other = await store.append(row(None, "a", table="U"), None, STANDING)
        over = msgspec.structs.replace(STANDING, over=True)
        second, known = row(first, "b"), row(other, "a", table="U")
        outcomes = await asyncio.gather(store.append(second, None, over), store.append(known, None))
        assert list(outcomes) == [second, other]
        listed = {one.table: one.standing.over for one in await store.tables_of("ann", 10)}
        assert listed == {"T": True, "U": False}


@in_loop
async def test_a_guest_is_found_by_its_token_alone(open_store: OpenStore) -> None:
    async with open_store() as store:
        ann = Guest("ann", "Ann", "en", 1.0)
        await store.add_guest(ann, b"hash")
        assert await store.guest(b"hash") == ann
        assert await store.guest(b"hash2") is None
        assert await store.names(["ann", "bob"]) == {"ann": "Ann"}


@in_loop
async def test_tables_expire_by_their_last_row(open_store: OpenStore) -> None:
    begun = msgspec.structs.replace(STANDING, begun=True)
    async with open_store() as store:
        old = await store.append(row(None, "a", 1.0, "OLD"), None, STANDING)
        await store.append(row(None, "b", 1.0, "BEGUN"), None, begun)
        await store.append(row(None, "c", 1.0, "USED"), None, STANDING)
        busy = await store.append(row(None, "d", 1.0, "BUSY"), None, STANDING)
        await store.append(row(busy, "e", 60.0, "BUSY"), None)
        assert await store.expire(50.0, 0.5, keep=["USED"]) == ["OLD"]
        assert await store.rows("OLD") == []
        assert await store.expired("OLD")
        assert not await store.expired("BEGUN")
        assert not await store.expired("NEVER")
        with pytest.raises(Conflict):
            await store.append(msgspec.structs.replace(old, command="new"), None, STANDING)
        assert sorted(await store.expire(50.0, 50.0, keep=[])) == ["BEGUN", "USED"]
        assert [one.table for one in await store.tables_of("ann", 10)] == ["BUSY"]
        assert await store.open_tables("ann") == 1


@in_loop
async def test_guests_without_a_table_are_forgotten_too(open_store: OpenStore) -> None:
    async with open_store() as store:
        await store.add_guest(Guest("ann", "Ann", "en", 1.0), b"a")
        await store.add_guest(Guest("bob", "Bob", "en", 1.0), b"b")
        await store.append(row(None, "a", 60.0), None, STANDING)
        await store.expire(50.0, 50.0, keep=[])
        assert await store.names(["ann", "bob"]) == {"ann": "Ann"}


@in_loop
async def test_lists_tell_who_sits_where_now(open_store: OpenStore) -> None:
    async with open_store() as store:
        first = await store.append(row(None, "a"), None, STANDING)
        moved = msgspec.structs.replace(STANDING, seats=(SeatFacts(), SeatFacts("bob", "Bob")), begun=True)
        await store.append(row(first, "b", 2.0), 1, moved)
        assert await store.tables_of("ann", 10) == []
        assert await store.tables_of("bob", 10) == [Listed("T", moved, 2.0, 1)]
        kept = msgspec.structs.replace(STANDING, seats=(SeatFacts(None, "Bot", left="ann"), SeatFacts()))
        await store.append(row((await store.rows("T"))[-1], "c", 3.0), None, kept)
        assert await store.tables_of("ann", 10) == [Listed("T", kept, 3.0, None)]
        assert await store.tables_of("bob", 10) == []


@in_loop
async def test_a_refused_row_changes_no_list(open_store: OpenStore) -> None:
    async with open_store() as store:
        first = await store.append(row(None, "a"), None, STANDING)
        over = msgspec.structs.replace(STANDING, over=True)
        with pytest.raises(Conflict):
            await store.append(row(row(first, "x"), "y"), None, over)
        with pytest.raises(Conflict):
            await store.append(row(None, "z"), None, over)
        assert await store.tables_of("ann", 10) == [Listed("T", STANDING, 1.0, None)]
        assert await store.open_tables("ann") == 1


@in_loop
async def test_the_latest_of_a_guests_tables_come_first(open_store: OpenStore) -> None:
    async with open_store() as store:
        for number in range(6):
            await store.append(row(None, "a", float(number), f"T{number}"), None, STANDING)
        assert [one.table for one in await store.tables_of("ann", 3)] == ["T5", "T4", "T3"]


@in_loop
async def test_where_logs_end(open_store: OpenStore) -> None:
    async with open_store() as store:
        first = await store.append(row(None, "a"), None, STANDING)
        await store.append(row(first, "b"), None)
        await store.append(row(None, "a", table="U"), None, STANDING)
        assert await store.ends(["T", "U", "NONE"]) == {"T": 1, "U": 0}


@in_loop
async def test_a_guest_is_renamed_once_a_command(open_store: OpenStore) -> None:
    async with open_store() as store:
        await store.add_guest(Guest("ann", "Ann", "en", 1.0), b"hash")
        assert await store.rename("ann", "c1", b"one", "Anna") == b"one"
        assert await store.rename("ann", "c2", b"two", "Anne") == b"two"
        assert await store.rename("ann", "c1", b"other", "Nobody") == b"one"
        assert await store.names(["ann"]) == {"ann": "Anne"}


@in_loop
async def test_a_lease_has_one_holder(open_store: OpenStore) -> None:
    async with open_store() as store:
        assert await store.lease("T", "here", 60.0)
        assert not await store.lease("T", "there", 60.0)
        assert await store.lease("T", "here", 0.0), "it may renew its own"
        assert await store.lease("T", "there", 60.0), "it was at its end"
        assert await store.lease("U", "there", 60.0)
        await store.release("there", "U")
        assert await store.lease("U", "here", 60.0)
        assert not await store.lease("T", "here", 60.0)
        await store.release("there")
        assert await store.lease("T", "here", 60.0)


@in_loop
async def test_its_key_stays(open_store: OpenStore) -> None:
    async with open_store() as store:
        key = store.key
    async with open_store() as store:
        assert store.key == key
        assert len(key) == 32


# Clocks


@in_loop
async def test_what_is_due_is_told_in_its_order_and_until_it_changes(open_store: OpenStore) -> None:
    async with open_store() as store:
        for table, due in (("LATER", 30.0), ("SOON", 20.0), ("NEVER", None)):
            first = row(None, "a", table=table)
            await store.append(first, 0, STANDING, due)
            await store.append(row(first, "b", table=table), 0)  # a word between changes nothing
        assert await store.due(25.0, 10) == ["SOON"]
        assert await store.due(99.0, 10) == ["SOON", "LATER"]
        assert await store.due(99.0, 1) == ["SOON"]
        last = (await store.rows("SOON"))[-1]
        await store.append(row(last, "c", table="SOON"), 1, None, 50.0)
        assert await store.due(99.0, 10) == ["LATER", "SOON"]
        with pytest.raises(Conflict):
            await store.append(row(last, "d", table="SOON"), 1, None, 1.0)
        assert await store.due(2.0, 10) == []
        last = (await store.rows("SOON"))[-1]
        await store.append(row(last, "e", table="SOON"), None, STANDING)
        assert await store.due(99.0, 10) == ["LATER"]


@in_loop
async def test_a_store_remembers_when_a_server_last_ran(open_store: OpenStore) -> None:
    async with open_store() as store:
        assert await store.alive(10.5) is None
        assert await store.alive(20.0) == 10.5
    async with open_store() as store:
        assert await store.alive(30.0) == 20.0


@in_loop
async def test_listed_tables_are_shown_until_they_begin_and_found_by_their_first_letters(
    open_store: OpenStore,
) -> None:
    async with open_store() as store:
        waits = replace(STANDING, begun=False, listed=True, options={"rounds": 3})
        first = row(None, "a", 1.0, "ABCDEFGH")
        await store.append(first, None, waits)
        await store.append(row(None, "b", 2.0, "ABCDEXYZ"), None, replace(waits, listed=False))
        assert await store.listed_tables(10) == [Listed("ABCDEFGH", waits, 1.0, None)]
        assert await store.waiting_tables("ABCDEF") == ["ABCDEFGH"]
        assert len(await store.waiting_tables("ABCDE")) == 2
        await store.append(row(first, "c", 3.0, "ABCDEFGH"), None, replace(waits, listed=False, begun=True))
        assert await store.listed_tables(10) == []
        assert await store.waiting_tables("ABCDEF") == []


# Results


@in_loop
async def test_results_are_written_with_the_row_that_ends_a_game_and_outlive_its_log(
    open_store: OpenStore,
) -> None:
    seats = (SeatFacts("ann", "Ann"), SeatFacts(None, "Bruno", "bob"), SeatFacts(None, "Clara"))
    over = Standing("tiny", "ann", seats, True, True, (0,), scores=(12, 7, 3), reason="ending.hands")
    async with open_store() as store:
        for guest in ("ann", "bob"):
            await store.add_guest(Guest(guest, guest, "en", 100.0), guest.encode())
        first = row(None, "a")
        await store.append(first, 0, STANDING)
        assert await store.results("ann", 10) == []
        last = row(first, "b", 5.0)
        await store.append(last, None, over)
        await store.append(row(last, "c", 6.0), None, over)  # whatever is said afterwards
        with pytest.raises(Conflict):
            await store.append(row(first, "d", 7.0), None, over)
        assert await store.expire(50.0, 50.0, []) == ["T"]
        for guest, seat in (("ann", 0), ("bob", 1)):
            (told,) = await store.results(guest, 10)
            assert (told.table, told.time, told.seat, told.standing) == ("T", 5.0, seat, over)
        assert await store.results("cleo", 10) == []
