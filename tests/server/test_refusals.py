"""What the server refuses, and with which code."""

import asyncio
import json
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

import kibitz.server
from kibitz.core.words import LANGUAGES, catalogue
from kibitz.server import protocol
from kibitz.server.net import origins
from tests.server.client import Client, connected
from tests.server.conftest import Start
from tests.server.serving import Server, in_loop

GOOD: dict[str, Any] = {"game": "tiny", "seats": ["me", "open"]}


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"game": "chess"}, "unknown-game"),
        ({"seats": []}, "bad-options"),
        ({"seats": ["me"]}, "bad-options"),
        ({"seats": ["me"] + ["open"] * 9}, "bad-options"),
        ({"seats": ["me", "me"]}, "bad-seats"),
        ({"seats": ["me", "grandmaster"]}, "unknown-bot"),
        ({"seats": ["me", ""]}, "unknown-bot"),
        ({"options": {"target": 5}}, "bad-options"),
        ({"pace": "hasty"}, "bad-pace"),
        ({"id": ""}, "bad-id"),
        ({"id": "x" * 65}, "bad-id"),
        ({"id": "bot/0/1"}, "bad-id"),
        ({"id": "rematch/x"}, "bad-id"),
        ({"id": "a\nb"}, "bad-id"),
        ({"seats": "me"}, "bad-message"),
        ({"extra": 1}, "bad-message"),
    ],
)
def test_a_table_that_cannot_be_opened(server: Server, change: dict[str, Any], code: str) -> None:
    @in_loop
    async def ask() -> None:
        async with connected(server.port) as ann:
            answer = await ann.ask("create", **GOOD | change)
            assert (answer["type"], answer["code"]) == ("refused", code)
        assert server.rows() == []

    ask()


@in_loop
async def test_so_many_open_tables(start: Start) -> None:
    server = start(limits={"open_tables": 3})
    async with connected(server.port) as ann, connected(server.port) as bob:
        tables = [await ann.create("me", "open") for _ in range(2)]
        last = await ann.do("create", **GOOD, id="third")
        assert await ann.code("create", **GOOD) == "too-many-tables"
        assert (await ann.do("create", **GOOD, id="third"))["table"] == last["table"]
        await bob.do("sit", table=tables[0])
        await bob.do("resign", table=tables[0])
        await ann.do("create", **GOOD)


@in_loop
async def test_refused_moves_tell_the_rule(server: Server) -> None:
    async with connected(server.port) as ann, connected(server.port) as bob:
        table = await ann.create("me", "open")
        assert await ann.code("move", table=table, number=0, move="lay 1") == "not-begun"
        await bob.do("sit", table=table)
        clients = [ann, bob]
        views = [await client.watch(table) for client in clients]
        turn = next(seat for seat, now in enumerate(views) if now["legal"])
        mover, other = clients[turn], clients[1 - turn]
        held = views[turn]["view"]["hands"][turn]
        missing = next(card for card in "123456" if card not in held)
        refused = await mover.ask("move", table=table, number=2, move=f"lay {missing}")
        assert refused["code"] == "not-in-hand"
        assert refused["reason"] == f"You don't hold a {missing}."
        assert refused["rule"] == "turn"
        assert refused["data"]["card"] == missing
        assert await mover.code("move", table=table, number=2, move="lay ?") == "unknown-move"
        assert await mover.code("move", table=table, number=2, move="") == "unknown-move"
        legal = views[turn]["legal"][0]
        assert await other.code("move", table=table, number=2, move=legal) == "not-your-turn"
        assert await mover.code("move", table=table, number=1, move=legal) == "stale"
        assert await mover.code("move", table=table, number=-1, move=legal) == "stale"
        assert await mover.code("move", table=table, number=3, move=legal) == "future"
        assert await mover.code("move", table="NOTHERE2", number=2, move=legal) == "gone"
        assert len(server.rows(table)) == 3


@in_loop
async def test_refused_seats(server: Server) -> None:
    async with connected(server.port) as ann, connected(server.port) as bob, connected(server.port) as carl:
        table = await ann.create("me", "open", "easy")
        assert await ann.code("sit", table=table) == "already-seated"
        assert await bob.code("sit", table=table, seat=0) == "seat-taken"
        assert await bob.code("sit", table=table, seat=2) == "seat-taken"
        assert await bob.code("sit", table=table, seat=3) == "no-such-seat"
        assert await bob.code("sit", table=table, seat=-1) == "no-such-seat"
        assert await bob.code("stand", table=table) == "not-seated"
        assert await bob.code("replace", table=table, seat=1) == "not-seated"
        assert await ann.code("replace", table=table, seat=2) == "seat-taken"
        assert await ann.code("replace", table=table, seat=7) == "no-such-seat"
        assert await ann.code("replace", table=table, seat=1, level="king") == "unknown-bot"
        assert await ann.code("resign", table=table) == "not-begun"
        await bob.do("sit", table=table)
        assert await carl.code("sit", table=table) == "no-open-seat"
        assert await ann.code("replace", table=table, seat=0) == "not-absent"


@in_loop
async def test_a_table_that_is_not_there(server: Server) -> None:
    async with connected(server.port) as ann:
        await ann.say("watch", table="NOTHERE2")
        assert (await ann.hear("gone"))["table"] == "NOTHERE2"


# The beginning of a connection


async def closing(port: int, *texts: str | bytes, **settings: Any) -> tuple[list[dict[str, Any]], int]:
    """What a connection hears, and with which code it is closed."""
    heard = []
    async with connect(f"ws://127.0.0.1:{port}/ws", compression=None, **settings) as socket:
        with suppress(ConnectionClosed):  # the server may have heard enough before all is said
            for text in texts:
                await socket.send(text)
        try:
            while True:
                heard.append(json.loads(await socket.recv()))
        except ConnectionClosed as error:
            closed = error.rcvd
    assert closed is not None
    return heard, closed.code


@pytest.mark.parametrize(
    ("text", "code", "close"),
    [
        ('{"type":"ping"}', "hello-first", 1008),
        ('{"type":"hello","protocol":1}', "other-protocol", 1008),
        ('{"type":"hello","protocol":99}', "other-protocol", 1008),
        (b"\x00\x01", "text-only", 1003),
        ('{"type":"hello"}', "bad-message", 1008),
        ("nonsense", "bad-message", 1008),
    ],
)
def test_a_connection_begins_with_hello(server: Server, text: str | bytes, code: str, close: int) -> None:
    @in_loop
    async def greet() -> None:
        heard, closed = await closing(server.port, text)
        assert heard[0]["type"] == "failed"
        assert heard[0]["code"] == code
        assert closed == close

    greet()


@in_loop
async def test_hello_has_to_come_in_time(start: Start) -> None:
    server = start()
    began = asyncio.get_running_loop().time()
    heard, closed = await closing(server.port)
    assert heard[0]["code"] == "hello-late"
    assert closed == 1008
    assert asyncio.get_running_loop().time() - began > protocol.HELLO_SECONDS - 0.5


@in_loop
async def test_hello_comes_once(server: Server) -> None:
    async with connected(server.port) as ann:
        await ann.say("hello", protocol=protocol.PROTOCOL)
        assert (await ann.hear("failed"))["code"] == "hello-twice"


@in_loop
async def test_a_hundred_messages_in_twenty_seconds(start: Start) -> None:
    server = start()
    hello = f'{{"type":"hello","protocol":{protocol.PROTOCOL}}}'
    heard, closed = await closing(server.port, hello, *['{"type":"ping"}'] * 120)
    assert [message["type"] for message in heard] == ["welcome", *["pong"] * 99, "failed"]
    assert heard[-1]["code"] == "too-many-messages"
    assert closed == 1008


@in_loop
async def test_a_frame_of_more_than_8_kib_closes_the_connection(server: Server) -> None:
    heard, closed = await closing(
        server.port, f'{{"type":"hello","protocol":{protocol.PROTOCOL}}}', " " * (protocol.FRAME_BYTES + 1)
    )
    assert closed == 1009
    heard, closed = await closing(server.port, "x" * protocol.FRAME_BYTES)
    assert heard[0]["code"] == "bad-message"


@in_loop
async def test_so_many_connections_of_a_guest_and_watched_tables(start: Start) -> None:
    server = start(limits={"guest_connections": 2, "watched": 2})
    async with connected(server.port) as ann, connected(server.port, ann.welcome["token"]):
        async with connected(server.port, ann.welcome["token"]) as third:
            assert third.welcome["code"] == "too-many-connections"
        tables = [await ann.create("me", "open") for _ in range(3)]
        for table in tables[:2]:
            await ann.watch(table)
        await ann.say("watch", table=tables[2])
        assert (await ann.hear("failed"))["code"] == "too-many-watched"
        await ann.say("unwatch", table=tables[0])
        await ann.watch(tables[2])


# Pages from elsewhere


@pytest.mark.parametrize(
    ("origin", "ok"),
    [
        (None, True),
        ("http://127.0.0.1:{port}", True),
        ("http://localhost:5173", True),
        ("https://games.example", True),
        ("http://games.example", False),
        ("https://evil.example", False),
        ("null", False),
        ("file://", False),
        ("http://localhost.evil.example", False),
        ("http://[bad", False),
    ],
)
def test_the_origin_is_decided_before_the_upgrade(start: Start, origin: str | None, ok: bool) -> None:
    server = start(public_url="https://games.example")

    @in_loop
    async def ask() -> None:
        headers = {} if origin is None else {"Origin": origin.format(port=server.port)}
        address = f"ws://127.0.0.1:{server.port}/ws"
        if ok:
            async with connect(address, additional_headers=headers):
                return
        with pytest.raises(InvalidStatus) as refused:
            await connect(address, additional_headers=headers)
        assert refused.value.response.status_code == 403

    ask()


@pytest.mark.parametrize(
    ("origin", "host", "ok"),
    [
        ("http://192.168.1.7:8000", "192.168.1.7:8000", True),
        ("http://192.168.1.7:8000", "192.168.1.8:8000", False),
        ("http://rebound.example:8000", "rebound.example:8000", False),
        ("http://[::1]:8000", "[::1]:8000", True),
        ("ftp://127.0.0.1", "127.0.0.1", False),
    ],
)
def test_a_name_made_to_point_here_is_not_let_in(origin: str, host: str, ok: bool) -> None:
    assert origins.allowed([origin], host, None) is ok


# Every code is worded


def codes_in_the_sources() -> set[str]:
    """The codes that the server's sources refuse with, the store's too."""
    folder = Path(kibitz.server.__file__).parent
    text = "".join(file.read_text() for file in folder.rglob("*.py"))
    return set(re.findall(r'(?:NotAllowed\(\s*|StoreFailed\(\s*|StoreDamaged\(\s*|return )"([a-z-]+)"', text))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_has_words(language: str) -> None:
    words = catalogue(language, "kibitz.server")
    for code in codes_in_the_sources():
        assert f"refusal.{code}" in words


def test_no_words_are_left_over() -> None:
    own = msgspec.json.decode((Path(kibitz.server.__file__).parent / "words.en.json").read_bytes())
    refusals = {key.removeprefix("refusal.") for key in own if key.startswith("refusal.")}
    assert refusals - {"bad-message"} <= codes_in_the_sources() | {"unknown-game"}


@in_loop
async def test_words_of_refusals_fit_their_data(server: Server) -> None:
    async with connected(server.port) as ann:
        answer = await ann.ask("create", game="chess", seats=["me", "open"])
        for language in LANGUAGES:
            worded = catalogue(language, "kibitz.server")(f"refusal.{answer['code']}", **answer["data"])
            assert "chess" in worded


async def heard_types(client: Client, count: int) -> list[str]:
    """The types of the next messages."""
    return [(await client.hear())["type"] for _ in range(count)]


@in_loop
async def test_a_bad_command_is_refused_by_its_id_if_it_has_one(server: Server) -> None:
    async with connected(server.port) as ann:
        await ann.socket.send('{"type":"move","id":"abc","table":5}')
        await ann.socket.send('{"type":"move"}')
        first, second = await ann.hear(), await ann.hear()
        assert (first["type"], first["id"], first["code"]) == ("refused", "abc", "bad-message")
        assert (second["type"], second["code"]) == ("failed", "bad-message")
