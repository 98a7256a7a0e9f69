"""A primary that falls silent: its connections stay open, and it answers nothing. Its standby takes over."""

import asyncio
import shutil
import time
from collections.abc import Iterator

import pytest

from kibitz.server.nodes.bus import Appended, Missed, News
from kibitz.server.stores.store import chained
from scripts.engines import QUICK, USER, Postgres, engine_folder, free_port
from tests.server.client import until
from tests.server.engines import needs_postgres
from tests.server.serving import in_loop
from tests.server.test_store import STANDING, row

psycopg = pytest.importorskip("psycopg")
from kibitz.server.nodes.postgres_bus import PostgresBus  # noqa: E402
from kibitz.server.stores.postgres import PostgresStore  # noqa: E402

pytestmark = needs_postgres

BOUND = 5.0  # seconds, promotion included; less than two by design


class Pair:
    """A primary and its standby."""

    def __init__(self) -> None:
        self.folder = engine_folder()
        self.primary = Postgres(self.folder / "first", free_port(), QUICK)
        self.primary.make()
        self.primary.start()
        self.standby = self.primary.standby(self.folder / "second", free_port())
        hosts = f"127.0.0.1:{self.primary.port},127.0.0.1:{self.standby.port}"
        self.address = f"postgresql://{USER}@{hosts}/postgres"

    def close(self) -> None:
        """End both."""
        self.primary.kill_frozen()
        self.standby.stop("immediate")
        shutil.rmtree(self.folder)


@pytest.fixture
def pair() -> Iterator[Pair]:
    """Two servers of which the first can fall silent."""
    made = Pair()
    yield made
    made.close()


@in_loop
async def test_a_silent_primary_is_waited_for_no_longer_than_its_standby_needs(pair: Pair) -> None:
    store = PostgresStore(pair.address)
    here, there = PostgresBus(pair.address), PostgresBus(pair.address)
    heard: list[News] = []
    there.subscribe(heard.append)
    await here.open()
    await there.open()
    last = await store.append(row(None, "a"), None, STANDING)
    await asyncio.gather(*(store.open_tables("ann") for _ in range(8)))  # all connections are there

    pair.primary.freeze()
    began = time.monotonic()
    with pytest.raises(TimeoutError):  # who waits no longer needn't wait for that
        async with asyncio.timeout(0.1):
            await store.open_tables("ann")
    appended = asyncio.create_task(store.append(row(last, "b"), None))
    leased = asyncio.create_task(store.lease("bots", "here", 3.0))
    asked = asyncio.gather(*(store.open_tables("ann") for _ in range(8)))
    await asyncio.to_thread(pair.standby.promote)
    last = await store.append(row(await appended, "c"), None)
    assert time.monotonic() - began < BOUND
    assert await leased
    assert await asked == [1] * 8
    assert chained(await store.rows("T"))
    assert len(await store.rows("T")) == 3

    await until(lambda: Missed() in heard)
    here._heard_at = time.monotonic()  # somebody is there
    here.publish(Appended("T", 2))
    await until(lambda: Appended("T", 2) in heard)
    await asyncio.gather(here.close(), there.close(), store.close())
