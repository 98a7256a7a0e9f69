"""What every store promises, asked of each: one SQLite file, PostgreSQL, PostgreSQL with divided logs."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from kibitz.server.people.ratings import Skill
from kibitz.server.stores.sqlite import SqliteStore
from kibitz.server.stores.store import (
    Conflict,
    Guest,
    Lasting,
    Listed,
    Row,
    SeatFacts,
    Standing,
    Store,
    chained,
)
from kibitz.server.tables.rows import FORGOTTEN
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
    from kibitz.server.stores.postgres import PostgresStore

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
        for name in ("\0", "T\0", "x" * 8000, "\ud7ff", "'"):
            assert await store.rows(name) == []
            assert not await store.expired(name)
            assert await store.ends([name]) == {}
            assert await store.regular(name) is None
            assert await store.leaders(name, 9) == []
            assert await store.results(name, 9) == []
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
        first = row(last, "e", table="SOON")
        second = row(first, "f", table="SOON")
        await asyncio.gather(
            store.append(first, None, STANDING, 10.0), store.append(second, None, None, 40.0)
        )
        assert await store.due(99.0, 10) == ["LATER", "SOON"]
        await store.append(row(second, "g", table="SOON"), None, STANDING)
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
    over = msgspec.structs.replace(over, daily="2026-01-01")
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
        filed = await store.filed_results("daily/tiny/2026-01-01", 10)
        assert sorted((told.table, told.seat) for told in filed) == [("T", 0), ("T", 1)]
        assert await store.filed_results("daily/tiny/2026-01-02", 10) == []


@in_loop
async def test_a_regular_table_is_known_by_its_latest_game_however_old(open_store: OpenStore) -> None:
    async with open_store() as store:
        assert await store.regular("friday-club") is None
        for id in ("T", "U"):
            first = row(
                None, "a", table=id, body=b'{"secret": "1234", "names": ["Ann"], "talk": [], "rules": 2}'
            )
            await store.append(first, 0, msgspec.structs.replace(STANDING, regular="friday-club"))
        await store.expire(50.0, 50.0, [])
        known = await store.regular("friday-club")
        assert known is not None
        assert known[0] == "U"
        assert msgspec.json.decode(known[1]) == {"secret": "", "names": [], "talk": [], "rules": 2}


# People


LASTING = Lasting("ann", "Ann", "ann", "$argon2id$one")


@in_loop
async def test_a_guest_has_several_devices_and_can_leave_all_but_one(open_store: OpenStore) -> None:
    async with open_store() as store:
        ann = Guest("ann", "Ann", "en", 1.0)
        await store.add_guest(ann, b"first")
        for token in (b"phone", b"tablet"):
            await store.add_device("ann", token)
        assert [await store.guest(token) for token in (b"first", b"phone", b"tablet")] == [ann] * 3
        await store.leave_devices("ann", b"phone")
        assert [await store.guest(token) for token in (b"first", b"phone", b"tablet")] == [None, ann, None]
        await store.leave_devices("ann", b"phone")
        assert await store.guest(b"phone") == ann
        for number in range(25):
            await store.add_device("ann", b"%d" % number)
        assert await store.guest(b"24") == ann
        assert await store.guest(b"0") is None, "there is an end to it"


@in_loop
async def test_a_code_is_good_once_and_for_a_time(open_store: OpenStore) -> None:
    async with open_store() as store:
        soon, ago = time.time() + 60, time.time() - 1
        await store.add_code(b"one", "ann", soon)
        await store.add_code(b"bob", "bob", soon)
        assert await store.take_code(b"one") == "ann"
        assert await store.take_code(b"one") is None
        await store.add_code(b"late", "ann", ago)
        assert await store.take_code(b"late") is None
        await store.add_code(b"two", "ann", soon)
        await store.add_code(b"three", "ann", soon)
        assert await store.take_code(b"two") is None, "the next took its place"
        taken = await asyncio.gather(*(store.take_code(b"three") for _ in range(5)))
        assert sorted(map(str, taken)) == ["None"] * 4 + ["ann"]
        await store.add_code(b"four", "ann", soon)
        await store.leave_devices("ann", b"first")
        assert await store.take_code(b"four") is None
        assert await store.take_code(b"bob") == "bob"


@in_loop
async def test_nobody_signs_in_by_anothers_name_and_who_can_is_lasting(open_store: OpenStore) -> None:
    async with open_store() as store:
        for guest in ("ann", "bob"):
            await store.add_guest(Guest(guest, guest, "en", 1.0), guest.encode())
        assert await store.keep_passphrase(LASTING)
        assert not await store.keep_passphrase(Lasting("bob", "Ann", "ann", "other"))
        assert await store.keep_passphrase(Lasting("bob", "Bob", "bob", "one"))
        assert not await store.keep_passphrase(Lasting("bob", "Ann", "ann", "two"))
        assert await store.keep_passphrase(Lasting("bob", "Bobby", "bobby", "three"))
        assert await store.lasting("ann") == await store.lasting_guest("ann") == LASTING
        assert await store.lasting("bob") is None
        assert await store.lasting_guest("cleo") is None
        known = await store.guest(b"ann")
        assert known is not None
        assert known.lasting
        await store.expire(50.0, 50.0, keep=[])
        assert await store.guest(b"ann") == known, "who has a passphrase is kept"


RATED = Standing(
    "tiny",
    "ann",
    (SeatFacts("ann", "Ann"), SeatFacts("bob", "Bob")),
    True,
    True,
    (0,),
    scores=(12, 7),
    reason="ending.hands",
    rated=True,
)


@in_loop
async def test_ratings_change_with_the_row_that_ends_a_rated_game_once(open_store: OpenStore) -> None:
    async with open_store() as store:
        first = await store.append(row(None, "a"), 0, STANDING)
        last = await store.append(row(first, "b", 5.0), None, RATED)
        await store.append(row(last, "c", 6.0), None, RATED)  # whatever is said afterwards
        with pytest.raises(Conflict):
            await store.append(row(first, "d", 7.0), None, RATED)
        ann, bob = await store.rating_changes("T")
        assert (ann.seat, ann.guest, ann.before) == (0, "ann", Skill())
        assert ann.after.mu > 25 > bob.after.mu
        (told,) = await store.ratings_of("ann")
        assert (told.pool, told.table, told.time, told.mu) == ("tiny/2", "T", 5.0, ann.after.mu)

        games = [row(None, "a", table=f"T{number}") for number in range(6)]
        await asyncio.gather(*(store.append(one, 0, STANDING) for one in games))
        ends = [row(one, "b", 8.0 + i, table=one.table) for i, one in enumerate(games)]
        await asyncio.gather(*(store.append(one, None, RATED) for one in ends))
        skills = [one.mu for one in await store.ratings_of("ann")]
        assert len(skills) == 7
        assert (await store.skill_of("tiny/2", "ann")).mu == skills[-1]
        assert await store.skill_of("tiny/3", "ann") == Skill()
        assert skills == sorted(skills), "each goes on where another ended"

        await store.append(row(None, "a", table="U"), 0, STANDING)
        unrated = replace(RATED, rated=False)
        await store.append(row((await store.rows("U"))[-1], "b", table="U"), None, unrated)
        assert await store.rating_changes("U") == []


@in_loop
async def test_leaders_are_those_with_a_passphrase_the_surely_best_first(open_store: OpenStore) -> None:
    async with open_store() as store:
        for guest in ("ann", "bob"):
            await store.keep_passphrase(Lasting(guest, guest.title(), guest, "hash"))
        for number in range(3):
            first = await store.append(row(None, "a", table=f"T{number}"), 0, STANDING)
            seats = (SeatFacts("ann", "Ann"), SeatFacts("bob" if number else "eve", "Bob"))
            await store.append(row(first, "b", table=f"T{number}"), None, replace(RATED, seats=seats))
        leaders = await store.leaders("tiny/2", 10)
        assert [(guest, login, games) for guest, login, _, _, games in leaders] == [
            ("ann", "Ann", 3),
            ("bob", "Bob", 2),
        ]
        assert await store.leaders("tiny/3", 10) == []


@in_loop
async def test_of_who_is_forgotten_nothing_is_left_but_logs_with_others(open_store: OpenStore) -> None:
    async with open_store() as store:
        for guest in ("ann", "bob"):
            await store.add_guest(Guest(guest, f"Name of {guest}", "en", 1.0), guest.encode())
        await store.add_device("ann", b"phone")
        await store.keep_passphrase(LASTING)
        await store.rename("ann", "c", b"one", "Name of ann")
        first = await store.append(row(None, "a"), 0, STANDING)
        named = replace(RATED, seats=(SeatFacts("ann", "Name of ann"), SeatFacts("bob", "Bob")))
        await store.append(row(first, "b"), None, named)
        alone = await store.append(row(None, "a", table="ALONE"), 0, STANDING)
        await store.append(row(alone, "b", table="ALONE"), None, replace(STANDING, begun=True))

        await store.forget_guest("ann")

        assert await store.guest(b"ann") is None
        assert await store.guest(b"phone") is None
        assert await store.lasting("ann") is None
        assert await store.ratings_of("ann") == []
        assert await store.tables_of("ann", 10) == []
        assert await store.results("ann", 10) == []
        assert await store.expired("ALONE")
        assert len(await store.rows("T")) == 2
        (told,) = await store.results("bob", 10)
        (listed,) = await store.tables_of("bob", 10)
        for standing in (told.standing, listed.standing):
            assert standing.seats == (SeatFacts(None, FORGOTTEN), SeatFacts("bob", "Bob"))
            assert standing.scores == (12, 7)
        assert [change.guest for change in await store.rating_changes("T")] == ["bob"]
