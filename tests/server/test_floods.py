"""Floods over WebSockets: who sends too much is cut off, and the others play on. [P8]"""

import asyncio
import socket
from contextlib import suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from tests.server.client import Client, Message, connected, connections, until
from tests.server.conftest import ROOMY, Start
from tests.server.raw import BINARY, CHUNK, CONTINUED, HELLO, PING, PONG, TEXT, UPGRADE, frame, stranger
from tests.server.serving import Server, in_loop
from tests.server.test_malformed import MOST_GROWTH, memory

WAIT = 0.5  # seconds of the server's own work that a player waits for at most
AT_ONCE = 4  # connections that flood
MOST = 8 << 20  # bytes that a flood may get rid of; most of them wait in the system's buffers
POLICY, TOO_BIG = 1008, 1009


async def moves(server: Server, waits: list[float], done: asyncio.Event) -> None:
    """Two people play, a game after the other, until it is done; how long they waited for each move."""
    while not done.is_set():
        async with connected(server.port) as ann, connected(server.port) as bob:
            await game(server, ann, bob, waits)


async def game(server: Server, ann: Client, bob: Client, waits: list[float]) -> None:
    """One game."""
    table = await ann.create("me", "open")
    await bob.do("sit", table=table)
    now = {client: await client.watch(table) for client in (ann, bob)}
    while now[ann]["result"] is None:
        mover = ann if now[ann]["legal"] else bob
        shown, began = now[mover], worked(server.pid)
        await mover.do("move", table=table, number=shown["number"], move=shown["legal"][0])
        now = {client: await seen(client, shown["number"]) for client in (ann, bob)}
        waits.append(worked(server.pid) - began)


def worked(pid: int) -> float:
    """For how many seconds the server's loop has worked: on a quiet machine, as long as others wait for it.

    On a busy machine the clock says more, and it isn't the server's doing.
    """
    return int(Path(f"/proc/{pid}/task/{pid}/schedstat").read_text().split()[0]) / 1e9


async def seen(client: Client, number: int) -> Message:
    """The table after that row."""
    while (now := await client.hear("table"))["number"] <= number:
        pass
    return now


def pour(server: Server, frames: bytes, greeted: bool) -> int:
    """Send frames again and again until the server closes, or for long enough; how many bytes went."""
    chunk = frames * (CHUNK // len(frames) + 1)
    sent = 0
    with socket.create_connection(("127.0.0.1", server.port), 60.0) as flood, suppress(ConnectionError):
        flood.sendall(UPGRADE + (frame(TEXT, HELLO) if greeted else b""))
        while sent < MOST:
            flood.sendall(chunk)
            sent += len(chunk)
    return sent


FLOODS = {
    "pings": frame(PING, b"anybody?"),
    "pongs": frame(PONG),
    "empty fragments": frame(CONTINUED, final=False),
    "a beginning, then empty fragments": frame(TEXT, final=False) + 50 * frame(CONTINUED, final=False),
    "binary": frame(BINARY, b"\x00\x01"),
    "binary fragments": frame(BINARY, b"\x00", final=False) + 50 * frame(CONTINUED, b"\x00", final=False),
    "texts": frame(TEXT, b'{"type":"ping"}'),
    "nonsense": frame(TEXT, b"?"),
}


async def flooded(
    server: Server, frames: bytes, greeted: bool = True, at_once: int = AT_ONCE
) -> tuple[int, float]:
    """Some flood while two people play: the most bytes that one got rid of, the players' longest wait."""
    done, waits = asyncio.Event(), list[float]()
    playing = asyncio.create_task(moves(server, waits, done))
    await until(lambda: waits or playing.done())
    floods = [asyncio.to_thread(pour, server, frames, greeted) for _ in range(at_once)]
    sent = await asyncio.gather(*floods)
    done.set()
    await playing
    return max(sent), max(waits)


@pytest.mark.parametrize("greeted", [True, False], ids=["greeted", "before hello"])
@pytest.mark.parametrize("flood", FLOODS)
def test_who_floods_is_cut_off_and_the_others_wait_half_a_second_at_most(
    start: Start, flood: str, greeted: bool
) -> None:
    sent, wait = asyncio.run(flooded(start(), FLOODS[flood], greeted))
    assert sent < MOST
    assert wait < WAIT


@pytest.mark.parametrize("mutant", ["control-frames-are-free", "listens-after-the-end"])
def test_a_server_that_lets_floods_go_on_is_found_out(start: Start, mutant: str) -> None:
    sent, _ = asyncio.run(flooded(start(mutant=mutant), FLOODS["pongs"], at_once=1))
    assert sent >= MOST


def test_a_server_that_takes_all_that_comes_lets_the_others_wait(start: Start) -> None:
    _, wait = asyncio.run(flooded(start(mutant="takes-all-at-once"), FLOODS["pongs"], at_once=2))
    assert wait > WAIT


# How much is allowed


async def outcome(server: Server, frames: bytes, wanted: bytes) -> int:
    """The code with which the server closes after these frames; 0 if it answers as wanted."""
    async with stranger(server.port) as (reader, writer), asyncio.timeout(30):
        writer.write(UPGRADE + frames)
        came = b""
        while wanted not in came and b"\x88\x02" not in came:
            came += await reader.read(CHUNK)
        return 0 if wanted in came else int.from_bytes(came.partition(b"\x88\x02")[2][:2])


async def strangers_are_kept_short(server: Server) -> None:
    """A stranger may send a few frames before its first message, and no more."""
    for pings, code in ((5, 0), (9, POLICY)):
        assert await outcome(server, pings * frame(PING) + frame(TEXT, HELLO), b'"welcome"') == code


async def fragments_are_capped(server: Server) -> None:
    """A message in a few fragments is one; in many it isn't."""
    begin = frame(TEXT, HELLO) + frame(TEXT, b'{"type":', final=False)
    for parts, code in ((10, 0), (30, TOO_BIG)):
        frames = begin + parts * frame(CONTINUED, b" ", final=False) + frame(CONTINUED, b'"ping"}')
        assert await outcome(server, frames, b'"pong"') == code


def test_almost_nothing_is_allowed_before_hello(start: Start) -> None:
    in_loop(strangers_are_kept_short)(start())
    with pytest.raises(AssertionError):
        in_loop(strangers_are_kept_short)(start(limits={"first_frames": 100}))


def test_a_message_has_a_few_fragments_at_most(start: Start) -> None:
    in_loop(fragments_are_capped)(start())
    with pytest.raises(AssertionError):
        in_loop(fragments_are_capped)(start(limits={"fragments": 10**9}))


# Who sends and takes nothing

PATIENT = {"messages": 10**9, "queue_bytes": 1 << 30, "send_seconds": 60.0}


async def stuffed(server: Server) -> None:
    """Pings whose answers nobody reads are not read for ever."""
    before = memory(server.pid)
    chunk = frame(PING, b"x" * 125) * 250
    async with stranger(server.port) as (reader, writer):
        writer.write(UPGRADE + frame(TEXT, HELLO))
        await reader.readuntil(b'"welcome"')
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        sent = 0
        with suppress(ConnectionError, TimeoutError):
            while sent < 3 * MOST_GROWTH:
                writer.write(chunk)
                async with asyncio.timeout(5):
                    await writer.drain()
                sent += len(chunk)
        assert memory(server.pid) - before < MOST_GROWTH
        assert sent < 3 * MOST_GROWTH


def test_who_takes_no_answers_is_not_read_either(start: Start) -> None:
    in_loop(stuffed)(start(limits=PATIENT))
    with pytest.raises(AssertionError):
        in_loop(stuffed)(start(limits=PATIENT, mutant="reads-while-writing-waits"))


# Storms


async def stormed(server: Server) -> None:
    """Somebody comes and goes and is renamed all the time: those who watch are told in moderation."""
    async with connected(server.port) as ann, connected(server.port) as bob:
        table = await ann.create("me", "open")
        await bob.watch(table)
        told = len(bob.received)
        for number in range(200):
            await ann.say("watch", table=table)
            await ann.say("unwatch", table=table)
            if number % 20 == 0:
                await ann.do("rename", name=f"Ann {number}")
        await ann.do("rename", name="Ann at last")
        await bob.do("rename", name="Bob")
        while not any("Ann at last" in text for text in bob.received):
            await bob.hear("presence")
        assert len(bob.received) - told < 100


def test_a_storm_of_presence_and_names_is_told_in_moderation(start: Start) -> None:
    in_loop(stormed)(start(limits=ROOMY))
    with pytest.raises(AssertionError):
        in_loop(stormed)(start(limits=ROOMY, mutant="presence-at-once"))


async def watched(server: Server) -> None:
    """A connection may watch so many tables; who stops watching one may watch another."""
    async with connected(server.port) as ann:
        tables = [await ann.create("me", "open") for _ in range(21)]
        for table in tables[:20]:
            await ann.watch(table)
        await ann.say("watch", table=tables[20])
        assert (await ann.hear("failed", "table")).get("code") == "too-many-watched"
        await ann.say("unwatch", table=tables[0])
        await ann.watch(tables[20])


def test_a_connection_watches_so_many_tables(start: Start) -> None:
    in_loop(watched)(start())
    with pytest.raises(AssertionError):
        in_loop(watched)(start(limits={"watched": 10**9}))


async def shown_again_and_again(server: Server, same_guest: bool) -> int:
    """How often a table is shown as a whole to four connections that ask six times each."""
    async with connected(server.port, local="127.0.0.2") as ann:
        table = await ann.create("me", "open")
        shown = 0
        for _ in range(4):
            token = ann.welcome["token"] if same_guest else None
            async with connected(server.port, token, local="127.0.0.2") as tab:
                for _ in range(6):
                    await tab.say("watch", table=table)
                    answer = await tab.hear("table", "failed")
                    assert answer["type"] == "table" or answer["code"] == "slow-down"
                    shown += answer["type"] == "table"
        return shown


@pytest.mark.parametrize(("limit", "same_guest"), [("watches", True), ("address_watches", False)])
def test_a_table_is_shown_as_a_whole_so_many_times(start: Start, limit: str, same_guest: bool) -> None:
    server = start(limits={limit: 10, "watch_seconds": 600.0})
    assert asyncio.run(shown_again_and_again(server, same_guest)) == 10
    assert asyncio.run(shown_again_and_again(start(), same_guest)) == 24, "people meet no limit"


async def all_of_an_address(server: Server) -> list[str]:
    """What several connections of one address are told who together send too much."""
    told = []
    for _ in range(5):
        async with connected(server.port, local="127.0.0.2") as one:
            with suppress(ConnectionClosed):
                for _ in range(30):
                    await one.say("ping")
                while len(one.received) < 31:
                    await one.hear()
            told += [text for text in one.received if "failed" in text]
    return told


def test_connections_of_an_address_are_counted_together(start: Start) -> None:
    told = asyncio.run(all_of_an_address(start(limits={"address_messages": 100, "message_seconds": 600.0})))
    assert len(told) == 2
    assert asyncio.run(all_of_an_address(start())) == []


# Tables at once


async def opened_at_once(server: Server) -> int:
    """How many tables one guest gets open from 29 connections, each asking for several at once."""
    async with connected(server.port) as first:
        token = first.welcome["token"]

        async def ask(number: int) -> int:
            async with connected(server.port, token) as tab:
                for each in range(3):
                    await tab.say("create", id=f"{number}/{each}", game="tiny", seats=["me", "open"])
                answers = [await tab.hear("done", "refused", seconds=60.0) for _ in range(3)]
                return sum(answer["type"] == "done" for answer in answers)

        return sum(await asyncio.gather(*(ask(number) for number in range(29))))


def test_the_limit_of_open_tables_holds_for_many_connections_at_once(start: Start) -> None:
    async def count(mutant: str | None) -> int:
        return await opened_at_once(start(mutant=mutant))

    assert asyncio.run(count(None)) == 50
    assert asyncio.run(count("counts-beside-each-other")) > 50


@in_loop
async def test_connections_are_counted_down_again(server: Server) -> None:
    for _ in range(5):
        async with stranger(server.port) as (reader, writer):
            writer.write(UPGRADE + frame(TEXT, HELLO))
            await reader.readuntil(b'"welcome"')
    while await connections(server.port):
        await asyncio.sleep(0.01)
