"""What every bus promises, asked of each: news reaches the others, and whoever goes away comes back."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import msgspec
import pytest

from kibitz.server.nodes import bus as news_between
from kibitz.server.nodes.bus import Appended, Bus, CalledNow, Here, LocalBus, Missed, News, together
from scripts.engines import Postgres, Program, engine_folder, free_port, nats
from tests.server.client import until
from tests.server.engines import needs_nats, needs_postgres, new_database
from tests.server.serving import in_loop

KEY = bytes(32)
Buses = Callable[[], tuple[Bus, Bus]]


@pytest.fixture(autouse=True)
def never_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those who only listen here say nothing, however long it takes."""
    monkeypatch.setattr(news_between, "ALONE_SECONDS", float("inf"))


@pytest.fixture(
    params=[
        "local",
        pytest.param("postgres", marks=needs_postgres),
        pytest.param("nats", marks=needs_nats),
    ]
)
def buses(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Buses:
    """Makes the buses of two nodes."""
    if request.param == "local":
        return lambda: (bus := LocalBus(), bus)
    if request.param == "postgres":
        from kibitz.server.nodes.postgres_bus import PostgresBus

        server: Postgres = request.getfixturevalue("postgres")
        address = new_database(server)
        return lambda: (PostgresBus(address), PostgresBus(address))
    from kibitz.server.nodes import nats_bus
    from kibitz.server.nodes.nats_bus import NatsBus

    monkeypatch.setattr(nats_bus, "CONNECT_SECONDS", 60)  # what is said before is lost
    server_of_nats: Program = request.getfixturevalue("nats_server")
    address = f"nats://127.0.0.1:{server_of_nats.port}"
    return lambda: (NatsBus(address, KEY), NatsBus(address, KEY))


@asynccontextmanager
async def opened(here: Bus, there: Bus) -> AsyncIterator[tuple[Bus, Bus, list[News]]]:
    """Two nodes' buses, and what the second hears."""
    heard: list[News] = []
    there.subscribe(heard.append)
    await here.open()
    await there.open()
    try:
        yield here, there, heard
    finally:
        await here.close()
        await there.close()


async def until_heard(here: Bus, heard: list[News], news: News) -> None:
    """Say it again and again until it has come."""

    async def say() -> None:
        while news not in heard:
            here.publish(news)
            await asyncio.sleep(0.05)

    await asyncio.wait_for(say(), 30)


@in_loop
async def test_news_of_every_kind_reaches_the_other(buses: Buses) -> None:
    async with opened(*buses()) as (here, there, heard):
        said: list[News] = [
            Appended("T", 3),
            Here(here.node, {"T": ["ann", "bob"]}),
            CalledNow("ann", "Ñandú «1»\n"),
            *(Appended("U", number) for number in range(400)),
        ]
        for news in said:
            here.publish(news)
        await until(lambda: len(heard) >= len(said))
        assert heard == said
        there.unsubscribe(heard.append)
        here.publish(Appended("T", 4))
    assert heard == said


@in_loop
async def test_nobody_hears_oneself_from_afar(buses: Buses) -> None:
    async with opened(*buses()) as (here, there, theirs):
        if not here.far:
            return
        mine: list[News] = []
        here.subscribe(mine.append)
        here.publish(Appended("T", 1))
        await until(lambda: theirs)
        there.publish(Appended("T", 2))
        await until(lambda: mine)
        assert mine == [Appended("T", 2)]


@in_loop
async def test_of_rows_nobody_is_told_where_nobody_is(buses: Buses, monkeypatch: pytest.MonkeyPatch) -> None:
    async with opened(*buses()) as (here, there, heard):
        if not here.far:
            return
        monkeypatch.setattr(news_between, "ALONE_SECONDS", 0.0)
        here.publish(Appended("T", 1))
        here.publish(CalledNow("ann", "Ann"))
        await until(lambda: heard)
        assert heard == [CalledNow("ann", "Ann")]
        monkeypatch.setattr(news_between, "ALONE_SECONDS", 60.0)
        here._heard_at -= 100.0  # type: ignore[attr-defined]
        said: list[News] = []
        here.subscribe(said.append)
        there.publish(CalledNow("bob", "Bob"))  # somebody is there
        await until(lambda: said)
        here.publish(Appended("T", 2))
        await until(lambda: Appended("T", 2) in heard)
        assert Appended("T", 1) not in heard


@in_loop
async def test_what_a_newer_node_says_is_passed_over(buses: Buses) -> None:
    class Newer(msgspec.Struct, tag="newer"):
        what: str = "unheard of"

    async with opened(*buses()) as (here, _, heard):
        if not here.far:
            return
        here.publish(Newer())  # type: ignore[arg-type]
        here.publish(Appended("T", 1))
        await until(lambda: heard)
        assert heard == [Appended("T", 1)]


def test_news_goes_together_as_far_as_it_fits() -> None:
    lines = [b"a" * 4, b"b" * 4, b"c" * 20, b"d" * 4]
    assert list(together(lines, 10)) == [b"aaaa\nbbbb", b"dddd"]
    assert list(together([], 10)) == []


@needs_nats
@in_loop
async def test_a_nats_that_comes_back_is_found_again(nats_server: Program) -> None:
    from kibitz.server.nodes.nats_bus import NatsBus

    server = nats(engine_folder(), free_port())
    address = f"nats://127.0.0.1:{server.port}"
    async with opened(NatsBus(address, KEY), NatsBus(address, KEY)) as (
        here,
        _,
        heard,
    ):
        for number in range(2):
            await asyncio.to_thread(server.start)
            await until_heard(here, heard, Appended("T", number))
            await asyncio.to_thread(server.stop)
            here.publish(Appended("T", 9))
        assert Missed() in heard  # who was deaf is told to look


@needs_nats
@in_loop
async def test_a_nats_that_falls_silent_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """One connection at a time: each would go on by itself, and bring all news once more."""
    from kibitz.server.nodes import nats_bus

    monkeypatch.setattr(nats_bus, "CONNECT_SECONDS", 0.2)
    monkeypatch.setattr(nats_bus, "RETRY_SECONDS", 0.05)
    there, came = 0, 0

    async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal there, came
        there, came = there + 1, came + 1
        writer.write(b'INFO {"server_id":"x","version":"2.9.0","max_payload":1048576,"headers":true}\r\n')
        heard = b""
        while not heard.endswith(b"PING\r\n") and not reader.at_eof():
            heard += await reader.readline()
        writer.write(b"PONG\r\n")  # and nothing more
        await reader.read()
        there -= 1
        writer.close()

    server = await asyncio.start_server(greet, "127.0.0.1", 0)
    bus = nats_bus.NatsBus(f"nats://127.0.0.1:{server.sockets[0].getsockname()[1]}", KEY)
    await bus.open()
    await until(lambda: came >= 4)
    assert there <= 2
    await bus.close()
    await until(lambda: there == 0)
    server.close()


@needs_postgres
@in_loop
async def test_a_cut_connection_is_made_again(postgres: Postgres) -> None:
    from kibitz.server.nodes.postgres_bus import PostgresBus

    address = new_database(postgres)
    cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'kibitz'"
    async with opened(PostgresBus(address), PostgresBus(address)) as (here, _, heard):
        for number in range(2):
            await asyncio.to_thread(postgres.psql, cut)
            await until_heard(here, heard, Appended("T", number))
        assert Missed() in heard
