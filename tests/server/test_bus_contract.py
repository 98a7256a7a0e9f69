"""What every bus promises, asked of each: news reaches the others, and whoever goes away comes back."""

import asyncio
from collections.abc import Callable

import msgspec
import pytest

from kibitz.server.nodes.bus import Appended, Bus, CalledNow, Here, LocalBus, News
from scripts.engines import Postgres, Program, free_port
from tests.server.client import until
from tests.server.engines import needs_nats, needs_postgres, new_database
from tests.server.serving import in_loop

KEY = bytes(32)
Buses = Callable[[], tuple[Bus, Bus]]


@pytest.fixture(
    params=[
        "local",
        pytest.param("postgres", marks=needs_postgres),
        pytest.param("nats", marks=needs_nats),
    ]
)
def buses(request: pytest.FixtureRequest) -> Buses:
    """Makes the buses of two nodes."""
    if request.param == "local":
        return lambda: (bus := LocalBus(), bus)
    if request.param == "postgres":
        from kibitz.server.nodes.postgres_bus import PostgresBus

        server: Postgres = request.getfixturevalue("postgres")
        address = new_database(server)
        return lambda: (PostgresBus(address), PostgresBus(address))
    from kibitz.server.nodes.nats_bus import NatsBus

    nats: Program = request.getfixturevalue("nats_server")
    return lambda: tuple(NatsBus(f"nats://127.0.0.1:{nats.port}", KEY) for _ in range(2))  # type: ignore[return-value]


@in_loop
async def test_news_of_every_kind_reaches_the_other(buses: Buses) -> None:
    here, there = buses()
    heard: list[News] = []
    there.subscribe(heard.append)
    await here.open()
    await there.open()
    said: list[News] = [
        Appended("T", 3),
        Here(here.node, {"T": ["ann", "bob"]}),
        CalledNow("ann", "Ñandú «1»"),
        *(Appended("U", number) for number in range(200)),
    ]
    for news in said:
        here.publish(news)
    await until(lambda: len(heard) >= len(said))
    assert heard == said
    there.unsubscribe(heard.append)
    here.publish(Appended("T", 4))
    await here.close()
    await there.close()
    assert heard == said


@in_loop
async def test_nobody_hears_oneself_from_afar(buses: Buses) -> None:
    here, there = buses()
    if not here.far:
        return
    mine: list[News] = []
    theirs: list[News] = []
    here.subscribe(mine.append)
    there.subscribe(theirs.append)
    await here.open()
    await there.open()
    here.publish(Appended("T", 1))
    await until(lambda: theirs)
    there.publish(Appended("T", 2))
    await until(lambda: mine)
    assert mine == [Appended("T", 2)]
    await here.close()
    await there.close()


@in_loop
async def test_what_a_newer_node_says_is_passed_over(buses: Buses) -> None:
    here, there = buses()
    if not here.far:
        return
    heard: list[News] = []
    there.subscribe(heard.append)
    await here.open()
    await there.open()

    class Newer(msgspec.Struct, tag="newer"):
        what: str = "unheard of"

    here.publish(Newer())  # type: ignore[arg-type]
    here.publish(Appended("T", 1))
    await until(lambda: heard)
    assert heard == [Appended("T", 1)]
    await here.close()
    await there.close()


@needs_nats
@in_loop
async def test_a_nats_that_comes_back_is_found_again(nats_server: Program) -> None:
    from kibitz.server.nodes.nats_bus import NatsBus
    from scripts.engines import nats
    from tests.server.engines import engine_folder

    server = nats(engine_folder(), free_port())
    here, there = (NatsBus(f"nats://127.0.0.1:{server.port}", KEY) for _ in range(2))
    heard: list[News] = []
    there.subscribe(heard.append)
    await here.open()  # there is nothing yet
    await there.open()
    for _ in range(2):
        await asyncio.to_thread(server.start)
        heard.clear()

        async def until_heard() -> None:
            while not heard:
                here.publish(Appended("T", 1))
                await asyncio.sleep(0.05)

        await asyncio.wait_for(until_heard(), 30)
        await asyncio.to_thread(server.stop)
        here.publish(Appended("T", 2))
    await here.close()
    await there.close()


@needs_postgres
@in_loop
async def test_a_cut_connection_is_made_again(postgres: Postgres) -> None:
    from kibitz.server.nodes.postgres_bus import PostgresBus

    address = new_database(postgres)
    here, there = PostgresBus(address), PostgresBus(address)
    heard: list[News] = []
    there.subscribe(heard.append)
    await here.open()
    await there.open()
    for _ in range(2):
        cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'kibitz'"
        await asyncio.to_thread(postgres.psql, cut)
        heard.clear()

        async def until_heard() -> None:
            while not heard:
                here.publish(Appended("T", 1))
                await asyncio.sleep(0.05)

        await asyncio.wait_for(until_heard(), 30)
    await here.close()
    await there.close()
