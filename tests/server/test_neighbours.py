"""Several nodes, one house: what bad news does, who is there, what is counted, and whose turn a bot's is."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kibitz.bots.player import Bot, RandomBot
from kibitz.core.game import Game
from kibitz.server import protocol
from kibitz.server.limits import Limits
from kibitz.server.live_bots import LiveBots
from kibitz.server.nodes import leases, neighbours
from kibitz.server.nodes.bus import LocalBus, News
from kibitz.server.readiness import silent
from kibitz.server.stores.sqlite import SqliteStore
from kibitz.server.stores.store import chained, next_row
from kibitz.server.tables import live_tables
from kibitz.server.tables.refusals import NotAllowed
from kibitz.server.tables.rooms import Tables
from tests.server.client import connected, until
from tests.server.conftest import ROOMY, Start
from tests.server.engines import needs_postgres
from tests.server.serving import in_loop
from tests.server.test_nodes import ANN, BOB, Eye, Ready, do, numbers, play, table_for_two


class Wire:
    """What lies between the buses of a test's nodes; it can lose, double and delay."""

    def __init__(self, lost: float = 0.0, doubled: float = 0.0, late: float = 0.0) -> None:
        self.lost, self.doubled, self.late = lost, doubled, late
        self.buses: list[FarAway] = []

    def carry(self, sender: "FarAway", news: News) -> None:
        """Bring it to the others, or not."""
        for bus in self.buses:
            if bus is sender or random.random() < self.lost:
                continue
            for _ in range(2 if random.random() < self.doubled else 1):
                asyncio.get_running_loop().call_later(random.random() * self.late, bus.hear, news)


class FarAway(LocalBus):
    """A node's end of the wire."""

    far = True

    def __init__(self, wire: Wire) -> None:
        super().__init__()
        self._wire = wire
        wire.buses.append(self)

    def publish(self, news: News) -> None:
        """Tell the others."""
        self._wire.carry(self, news)

    def hear(self, news: News) -> None:
        """Something came."""
        for listener in list(self._listeners):
            listener(news)


class House:
    """Nodes over one store, each with a bus of its own."""

    def __init__(self, folder: Path, wire: Wire, limits: Limits) -> None:
        self.store = SqliteStore(folder)
        self.wire = wire
        self.chosen: list[str] = []  # the levels of bots that were asked for a move
        self.bots = LiveBots(self._bot)
        self.nodes = [Tables(self.store, FarAway(wire), Ready(), self.bots, limits) for _ in range(2)]

    def _bot(self, level: str, game: Game, seconds: float) -> Bot:
        self.chosen.append(level)
        return RandomBot(game)


@pytest.fixture
def house(tmp_path: Path) -> Callable[..., Any]:
    """Opens a house: `async with house(lost=0.5) as …`."""

    @asynccontextmanager
    async def opened(limits: Limits | None = None, **wire: float) -> AsyncIterator[House]:
        made = House(tmp_path, Wire(**wire), limits or Limits(open_tables=10**6, chats=10**6))
        for node in made.nodes:
            node.start()
        yield made
        for node in made.nodes:
            await node.close()
        made.bots.close()
        await made.store.close()

    return opened


@pytest.mark.parametrize(
    "wire",
    [{"lost": 1.0}, {"lost": 0.5, "doubled": 0.5, "late": 0.2}, {"doubled": 1.0}, {"late": 0.3}],
    ids=["lost", "everything", "doubled", "late"],
)
@in_loop
async def test_bad_news_does_no_harm_but_delay(
    house: Any, wire: dict[str, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_tables, "LOOK_SECONDS", 0.2)
    async with house(**wire) as opened:
        here, there = opened.nodes
        table = await table_for_two(here, there)
        eyes = {"ann": Eye(ANN), "bob": Eye(BOB)}
        await play(here, there, eyes, table)
        rows = await opened.store.rows(table)
        assert chained(rows)
        whole = [row.number for row in rows]
        await until(lambda: numbers(eyes["ann"])[-1] == numbers(eyes["bob"])[-1] == whole[-1])
        for eye in eyes.values():
            seen = numbers(eye)
            assert seen == sorted(set(seen)), "each row once, in order"


@in_loop
async def test_a_refusal_is_never_old_news(house: Any) -> None:
    async with house(lost=1.0) as opened:
        here, there = opened.nodes
        table = await table_for_two(here, there)
        eye = Eye(ANN)
        await here.watching.watch(eye, table, silent)
        await do(there, BOB, protocol.Stand(id="up", table=table))
        await do(here, ANN, protocol.Chat(id="x", table=table, text="alone?"))
        await do(there, BOB, protocol.Sit(id="again", table=table))
        assert chained(await opened.store.rows(table))


@in_loop
async def test_the_host_is_told_at_whatever_node_what_was_said(house: Any) -> None:
    async with house() as opened:
        here, there = opened.nodes
        table = await table_for_two(here, there)
        host = Eye(ANN)
        await here.watching.watch(host, table, silent)
        await there.watching.watch(Eye(BOB), table, silent)
        await do(there, BOB, protocol.Chat(id="x", table=table, text="rude"))
        said = (await opened.store.rows(table))[-1].number
        await there.watching.report(BOB, protocol.Report(id="y", table=table, number=said), silent)
        await until(lambda: any(message["type"] == "reported" for message in host.seen))
        for node in (here, there):  # whichever the desk is looked at from
            assert [told.said for _, told in node.watching.reports] == ["rude"]


@in_loop
async def test_who_is_there_is_known_at_every_node(house: Any) -> None:
    async with house() as opened:
        here, there = opened.nodes
        table = await table_for_two(here, there)
        ann, bob = Eye(ANN), Eye(BOB)
        await there.watching.watch(bob, table, silent)
        await here.watching.watch(ann, table, silent)
        await until(lambda: here.live.find(table).absence("bob") is None)
        await until(lambda: there.live.find(table).absence("ann") is None)
        here.watching.leave(ann, table)
        await until(lambda: there.live.find(table).absence("ann") is not None)
        await until(lambda: bob.seen[-1]["type"] == "presence")
        assert [seat["here"] for seat in bob.seen[-1]["seats"]] == [False, True]


@in_loop
async def test_a_node_that_died_is_not_believed_for_ever(house: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_tables, "BELIEVED_SECONDS", 0.3)
    monkeypatch.setattr(neighbours, "SAY_SECONDS", 60.0)
    async with house() as opened:
        here, there = opened.nodes
        table = await table_for_two(here, there)
        await here.watching.watch(Eye(ANN), table, silent)
        await there.watching.watch(Eye(BOB), table, silent)
        await until(lambda: here.live.find(table).absence("bob") is None)
        opened.wire.lost = 1.0
        await until(lambda: here.live.find(table).absence("bob") is not None)


@in_loop
async def test_what_one_may_do_so_often_is_counted_over_all_nodes(house: Any) -> None:
    async with house(limits=Limits(chats=3, hints=2)) as opened:
        here, there = opened.nodes
        table = await table_for_two(here, there)
        for number, node in enumerate((here, there, here)):
            await do(node, ANN, protocol.Chat(id=f"x{number}", table=table, text="hello"))
            await asyncio.sleep(0.02)
        for node in (here, there):
            with pytest.raises(NotAllowed) as refused:
                await do(node, ANN, protocol.Chat(id="y", table=table, text="hello"))
            assert refused.value.code == "slow-down"
        here.hints.rate.take("ann")
        there.hints.rate.take("ann")
        await asyncio.sleep(0.02)
        for node in (here, there):
            with pytest.raises(NotAllowed):
                node.hints.rate.take("ann")


async def bots_play_at_two_nodes(house: Any) -> None:
    """Two nodes show a table of bots whose lease a dead node has: one of them takes it over."""
    async with house(lost=0.0) as opened:
        here, there = opened.nodes
        done = await do(here, ANN, protocol.Create(id="c", game="tiny", seats=["easy", "easy"], pace="fast"))
        table = str(done.table)
        await opened.store.lease(f"bots/{table}", "a dead node", 1.0)
        await asyncio.gather(
            here.watching.watch(Eye(ANN), table, silent), there.watching.watch(Eye(BOB), table, silent)
        )
        await asyncio.sleep(0.3)
        assert opened.chosen == [], "another node's lease is respected"
        await until(lambda: opened.nodes[0].live.find(table).table.over)
        rows = await opened.store.rows(table)
        moves = sum(row.kind == "move" for row in rows)
        assert len(opened.chosen) <= moves + 1, "two nodes thought about the same turn"
        assert len({row.command for row in rows}) == len(rows)


@in_loop
async def test_a_bots_turn_is_played_by_one_node_and_taken_over(
    house: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leases, "RENEW_SECONDS", 0.3)
    await bots_play_at_two_nodes(house)


@in_loop
async def test_a_node_that_ignores_leases_is_found_out(house: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    async def mine(self: leases.Lease) -> bool:
        return True

    monkeypatch.setattr(leases.Lease, "__aenter__", mine)
    with pytest.raises(AssertionError, match="lease is respected"):
        await bots_play_at_two_nodes(house)


@pytest.mark.parametrize(
    ("kind", "body"), [("juggle", {}), ("chat", {"name": "Ann", "text": "hi", "colour": "red"})]
)
@in_loop
async def test_a_row_that_only_a_newer_server_understands_closes_the_table_here(
    house: Any, kind: str, body: dict[str, str]
) -> None:
    async with house(lost=1.0) as opened:
        here, there = opened.nodes
        table = await table_for_two(here, there)
        last = (await opened.store.rows(table))[-1]
        made = next_row(
            last,
            table=table,
            kind=kind,
            actor="ann",
            time=last.time,
            command="new",
            fingerprint=b"",
            body=msgspec.json.encode(body),
        )
        await opened.store.append(made, None)
        for node in (here, there):
            with pytest.raises(NotAllowed) as refused:
                await do(node, ANN, protocol.Chat(id="y", table=table, text="hello"))
            assert refused.value.code == "table-newer"
        assert (await opened.store.rows(table))[-1] == made


@needs_postgres
@in_loop
async def test_two_tabs_at_two_nodes_are_one_guest(start: Start, database: str) -> None:
    """A name, lists and connections are one guest's, wherever the tabs are."""
    pytest.importorskip("psycopg")
    limits = ROOMY | {"guest_connections": 6}
    here, there = (start(store=database, limits=limits) for _ in range(2))
    async with connected(here.port) as ann, connected(there.port) as bob, AsyncExitStack() as tabs:
        token = ann.welcome["token"]
        tab = await tabs.enter_async_context(connected(there.port, token))
        table = await ann.create("me", "random")
        await tab.say("my-tables")
        assert [one["table"] for one in (await tab.hear("tables"))["tables"]] == [table]
        await bob.watch(table)
        await ann.do("rename", name="Anna the first")
        while (await bob.hear("presence", "table"))["seats"][0]["name"] != "Anna the first":
            pass
        for _ in range(4):
            await tabs.enter_async_context(connected(here.port, token))
        told = ""
        while told != "too-many-connections":
            async with connected(there.port, token) as one_too_many:
                told = one_too_many.welcome.get("code", "")
