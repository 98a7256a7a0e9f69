"""What a stranger can send before and beside WebSockets: silence, halves, nonsense, and too much. [P8]"""

import asyncio
import time
from contextlib import AsyncExitStack, suppress

import msgspec
import pytest

from kibitz.server import protocol
from tests.server.client import connected, fetch
from tests.server.conftest import Start
from tests.server.raw import HELLO, TEXT, UPGRADE, frame, request, rest, stranger
from tests.server.serving import Server, in_loop
from tests.server.test_floods import WAIT, worked
from tests.server.test_malformed import MOST_GROWTH, memory
from tests.server.test_studies import record

FILES = 256
SOCKETS = 300
ELSEWHERE = "127.0.0.2"  # an address to which limits apply


def get(path: str, *headers: str, method: str = "GET") -> bytes:
    """A request."""
    return "\r\n".join([f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", *headers, "", ""]).encode("latin-1")


# Silence


async def answers_beside_silence(server: Server, local: str) -> None:
    """More sockets than the process may open files say nothing; others are answered, and can play."""
    async with AsyncExitStack() as stack:
        for _ in range(SOCKETS):
            with suppress(ConnectionError):
                await stack.enter_async_context(stranger(server.port, local))
        async with asyncio.timeout(20):
            for _ in range(3):
                assert (await fetch(server.port, "/healthz"))[0] == 200
            async with connected(server.port) as ann:
                await ann.watch(await ann.create("me", "open"))


@pytest.mark.parametrize("local", ["127.0.0.1", ELSEWHERE])
def test_silent_sockets_give_way(start: Start, local: str) -> None:
    server = start(files=FILES)
    in_loop(answers_beside_silence)(server, local)
    assert "Too many open files" not in server.errors


@pytest.mark.unclean
@pytest.mark.parametrize("mutant", ["no-limit-of-sockets", "nobody-gives-way"])
def test_a_server_that_starves_is_found_out(start: Start, mutant: str) -> None:
    server = start(files=FILES, mutant=mutant)
    with pytest.raises((AssertionError, OSError, TimeoutError, EOFError)):
        in_loop(answers_beside_silence)(server, "127.0.0.1")


async def still_answered(server: Server) -> list[bool]:
    """Which of eight sockets of an address, opened one after the other, are answered in the end."""

    async def asked(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        with suppress(ConnectionError):
            writer.write(get("/healthz"))
            async with asyncio.timeout(30):
                return b" 200 " in await reader.read(1000)
        return False

    async with AsyncExitStack() as stack:
        opened = [await stack.enter_async_context(stranger(server.port, ELSEWHERE)) for _ in range(8)]
        assert (await fetch(server.port, "/healthz"))[0] == 200, "another address"
        return [await asked(*one) for one in opened]


def test_an_address_has_so_many_sockets(start: Start) -> None:
    assert asyncio.run(still_answered(start(limits={"address_sockets": 5}))) == [False] * 3 + [True] * 5
    assert asyncio.run(still_answered(start())) == [True] * 8


SLOW = {
    "silence": b"",
    "half a line": b"GET / HT",
    "headers without an end": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n",
    "half a second request": get("/healthz") + b"GET /healthz HTTP/1.1\r\n",
}


async def is_dropped(server: Server, begin: bytes, seconds: float = 20.0) -> None:
    """Who begins a request, and sends a byte now and then, is dropped in time."""
    async with stranger(server.port) as (reader, writer):
        writer.write(begin)
        ended = asyncio.create_task(rest(reader, seconds=60.0))
        until = time.monotonic() + seconds
        while not ended.done():
            assert time.monotonic() < until, "it may take for ever"
            with suppress(ConnectionError):
                writer.write(b"x: y\r\n" if begin.endswith(b"\r\n") else b"")
                await writer.drain()
            await asyncio.sleep(0.1)


@pytest.mark.parametrize("begin", SLOW)
def test_a_request_has_to_arrive_in_time(start: Start, begin: str) -> None:
    in_loop(is_dropped)(start(limits={"head_seconds": 1.0}), SLOW[begin])


def test_a_server_that_waits_for_ever_is_found_out(start: Start) -> None:
    server = start(limits={"head_seconds": 3600.0})
    with pytest.raises(AssertionError, match="for ever"):
        in_loop(is_dropped)(server, SLOW["headers without an end"], seconds=3.0)


SHEET = get("/api/games/cash/score", "Content-Length: 100", method="POST")


async def is_told_in_time(server: Server, seconds: float = 30.0) -> None:
    """Who promises to send something, and doesn't, is told so."""
    async with asyncio.timeout(seconds):
        assert (await request(server.port, SHEET + b"{"))[0] == 408


def test_what_comes_with_a_request_has_to_arrive_in_time(start: Start) -> None:
    in_loop(is_told_in_time)(start(games=["cash"], limits={"body_seconds": 0.5}))
    with pytest.raises(TimeoutError):
        in_loop(is_told_in_time)(start(games=["cash"], limits={"body_seconds": 3600.0}), seconds=3.0)


async def is_let_go(server: Server, seconds: float = 30.0) -> None:
    """Who asks, and takes no answer, is read no further, and is dropped in time."""
    before = memory(server.pid)
    async with stranger(server.port) as (_, writer), asyncio.timeout(seconds):
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        sent = 0
        with suppress(ConnectionError):
            while True:
                writer.write(get("/api/games") * 100)
                await writer.drain()
                sent += 1
                assert memory(server.pid) - before < MOST_GROWTH, sent
    async with connected(server.port) as ann:
        await ann.watch(await ann.create("me", "open"))


def test_who_takes_no_answer_is_let_go(start: Start) -> None:
    in_loop(is_let_go)(start(limits={"answer_seconds": 1.0}))
    with pytest.raises(TimeoutError):
        in_loop(is_let_go)(start(limits={"answer_seconds": 3600.0}), seconds=3.0)
    with pytest.raises(AssertionError):
        in_loop(is_let_go)(start(limits={"answer_seconds": 3600.0}, mutant="reads-on-while-answering"))


async def is_closed(server: Server, begin: bytes, seconds: float = 30.0) -> None:
    """Who shuts its side is closed, whatever it has begun."""
    async with stranger(server.port) as (reader, writer), asyncio.timeout(seconds):
        writer.write(begin)
        writer.write_eof()
        await rest(reader)


HALF_CLOSED = {
    "silence": b"",
    "half a line": b"GET / HT",
    "an upgrade": UPGRADE,
    "hello": UPGRADE + frame(TEXT, HELLO),
    "half a frame": UPGRADE + frame(TEXT, HELLO) + frame(TEXT, HELLO)[:9],
    "half a message": UPGRADE + frame(TEXT, HELLO) + frame(TEXT, b"{", final=False),
    "half of what comes with a request": SHEET + b"{",
}


@pytest.mark.parametrize("begin", HALF_CLOSED)
def test_who_shuts_its_side_is_closed(server: Server, begin: str) -> None:
    in_loop(is_closed)(server, HALF_CLOSED[begin])


@pytest.mark.parametrize("begin", ["half a line", "hello"])
def test_a_server_that_keeps_half_closed_sockets_is_found_out(start: Start, begin: str) -> None:
    with pytest.raises(TimeoutError):
        in_loop(is_closed)(start(mutant="keeps-half-closed"), HALF_CLOSED[begin], seconds=3.0)


# Nonsense

BAD = {  # 503: the page itself, which would say that there is nothing, and isn't built here
    "a zero byte": (get("/%00"), 503),
    "a zero byte in a file's name": (get("/files/%00.js"), 404),
    "a long name": (get("/" + "x" * 300), 503),
    "a long file's name": (get("/" + "x" * 300 + ".js"), 404),
    "a long picture's name": (get("/api/games/tiny/pictures/" + "x" * 300 + ".svg"), 404),
    "a picture with a zero byte": (get("/api/games/tiny/pictures/%00.svg"), 404),
    "a table that can't be": (get("/api/tables/%00%ff/record"), 404),
    "bytes that aren't UTF-8": (get("/%ff%fe.js"), 404),
    "a number without end": (get("/api/games/kaching/lesson/" + 5000 * "9" + "/refusal"), 404),
    "a secret that isn't ASCII": (get("/api/me", "Authorization: Basic \xe9"), 401),
    "another method": (get("/healthz", method="DELETE"), 405),
    "a method nobody knows": (get("/healthz", method="BREW"), 405),
    "no HTTP": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400),
    "no host": (b"GET / HTTP/1.1\r\n\r\n", 400),
    "two lengths": (get("/healthz", "Content-Length: 1", "Content-Length: 2"), 400),
    "two origins": (UPGRADE[:-2] + b"Origin: http://a.example\r\nOrigin: http://b.example\r\n\r\n", 403),
    "two origins, one of them right": (
        UPGRADE[:-2] + b"Origin: http://127.0.0.1\r\nOrigin: http://b.example\r\n\r\n",
        403,
    ),
    "a WebSocket elsewhere": (UPGRADE.replace(b"/ws", b"/other"), 403),
    "a WebSocket without a key": (UPGRADE.replace(b"Sec-WebSocket-Key", b"X-Key"), 400),
    "a WebSocket of another version": (UPGRADE.replace(b"Version: 13", b"Version: 8"), 426),
    "another protocol": (get("/healthz", "Connection: Upgrade", "Upgrade: h2c"), 200),
}


async def is_answered_in_order(server: Server, content: bytes, status: int) -> None:
    """The right status, and the headers that every answer has."""
    found, headers, body = await request(server.port, content)
    assert found == status, body
    assert "default-src 'none'" in headers.get("content-security-policy", "")
    assert headers["x-content-type-options"] == "nosniff"
    assert len(body) < 2000
    assert b"Traceback" not in body


@pytest.mark.parametrize("name", BAD)
def test_nonsense_is_answered_in_order(server: Server, name: str) -> None:
    before = len(server.errors)
    in_loop(is_answered_in_order)(server, *BAD[name])
    assert all(len(line) < 1000 for line in server.errors[before:].splitlines())


@pytest.mark.unclean
@pytest.mark.parametrize(
    ("mutant", "name"),
    [("names-are-trusted", "a zero byte"), ("bare-answers", "another method"), ("bare-answers", "no HTTP")],
)
def test_a_server_that_is_careless_with_nonsense_is_found_out(start: Start, mutant: str, name: str) -> None:
    server = start(mutant=mutant)
    with pytest.raises((AssertionError, KeyError)):
        in_loop(is_answered_in_order)(server, *BAD[name])


@in_loop
async def test_nonsense_is_told_in_the_log_once(server: Server) -> None:
    before = len(server.errors)
    for _ in range(20):
        await request(server.port, BAD["no HTTP"][0])
    assert server.errors[before:].count("Invalid HTTP request") <= 1


# Too much


async def a_long_head_is_refused(server: Server, head: bytes) -> None:
    """Whether it comes whole or never ends."""
    status, headers, _ = await request(server.port, head)
    assert status == 431
    assert headers["connection"] == "close"


LONG = {
    "a header": get("/healthz", "X-Long: " + 60_000 * "x"),
    "a header that doesn't end": get("/healthz", "X-Long: " + 60_000 * "x")[:-4],
    "many headers": get("/healthz", *(f"X-{number}: y" for number in range(8000))),
    "many short lines": get("/healthz", *3000 * ["x:"]),
    "a path": get("/healthz?" + 60_000 * "x"),
    "an upgrade": UPGRADE[:-2] + b"X-Long: " + 60_000 * b"x" + b"\r\n\r\n",
}


@pytest.mark.parametrize("head", LONG)
def test_a_long_head_is_refused(server: Server, head: str) -> None:
    in_loop(a_long_head_is_refused)(server, LONG[head])


def test_a_server_that_takes_long_heads_is_found_out(start: Start) -> None:
    for limit, head in (("head_bytes", "a header"), ("head_lines", "many short lines")):
        with pytest.raises(AssertionError):
            in_loop(a_long_head_is_refused)(start(limits={limit: 1 << 20}), LONG[head])


@in_loop
async def test_a_long_head_behind_another_request_is_refused_after_its_answer(server: Server) -> None:
    async with stranger(server.port) as (reader, writer):
        writer.write(get("/healthz") + LONG["a header"])
        answers = await rest(reader)
    assert [part[:3] for part in answers.split(b"HTTP/1.1 ")] == [b"", b"200", b"431"]


async def is_not_read_to_the_end(server: Server, content: bytes, seconds: float = 20.0) -> None:
    """Who sends along more than anybody could want is let go."""
    async with stranger(server.port) as (reader, writer):
        writer.write(get("/healthz", "Transfer-Encoding: chunked") + content)
        await rest(reader, seconds)


@pytest.mark.parametrize(
    ("limit", "content"),
    [("body_parts", 2000 * b"1\r\nx\r\n"), ("body_bytes", 12 * (b"10000\r\n" + bytes(1 << 16) + b"\r\n"))],
    ids=["crumbs", "much"],
)
def test_what_comes_with_a_request_has_a_size(start: Start, limit: str, content: bytes) -> None:
    patient = {"head_seconds": 600.0}
    in_loop(is_not_read_to_the_end)(start(limits=patient), content)
    with pytest.raises(TimeoutError):
        in_loop(is_not_read_to_the_end)(start(limits=patient | {limit: 10**9}), content, seconds=1.0)


@in_loop
async def test_pipelined_requests_are_answered_in_their_order_and_hold_nobody_up(server: Server) -> None:
    paths, statuses = ["/healthz", "/api/nothing", "/api/host"] * 500, [b"200", b"404", b"200"] * 500
    async with connected(server.port) as ann, stranger(server.port) as (reader, writer):
        table = await ann.create("me", "open")
        last = get("/healthz", "Connection: close")
        answered = asyncio.create_task(rest(reader, seconds=60.0))
        writer.write(b"".join(get(path) for path in paths) + last)
        while not answered.done():
            began = worked(server.pid)
            await ann.watch(table)
            assert worked(server.pid) - began < WAIT
    found = [part[:3] for part in answered.result().split(b"HTTP/1.1 ")[1:]]
    assert found == [*statuses, b"200"]


async def is_slowed_down(server: Server) -> None:
    """An address that asks too often is told to wait."""
    async with stranger(server.port, ELSEWHERE) as (reader, writer):
        writer.write(get("/healthz") * 60 + get("/healthz", "Connection: close"))
        answers = await rest(reader)
    assert answers.count(b"200 OK") == 50
    assert b"retry-after" in answers
    assert (await fetch(server.port, "/healthz"))[0] == 200, "others are answered"


def test_an_address_that_asks_too_often_has_to_wait(start: Start) -> None:
    in_loop(is_slowed_down)(start(limits={"requests": 50, "request_seconds": 600.0}))
    with pytest.raises(AssertionError):
        in_loop(is_slowed_down)(start(limits={"requests": 10**9}))


async def is_turned_away(server: Server) -> None:
    """An address that asks on and on is told so for a while, and then isn't talked to; who plays plays on."""
    async with connected(server.port, local=ELSEWHERE) as ann:
        for _ in range(40):
            with suppress(asyncio.IncompleteReadError, ConnectionError):
                await request(server.port, get("/healthz"), ELSEWHERE)
        async with stranger(server.port, ELSEWHERE) as (reader, writer):
            with suppress(ConnectionError):
                writer.write(get("/healthz"))
            assert await rest(reader) == b""
        await ann.watch(await ann.create("me", "open"))
    by_proxy = await request(server.port, get("/healthz", f"X-Forwarded-For: {ELSEWHERE}"))
    assert (by_proxy[0], by_proxy[1]["connection"], by_proxy[2]) == (429, "close", b"")
    assert (await fetch(server.port, "/healthz"))[0] == 200, "others are answered"


def test_an_address_that_asks_on_and_on_is_turned_away(start: Start) -> None:
    narrow = {"requests": 10, "refusals": 10, "request_seconds": 600.0}
    in_loop(is_turned_away)(start(limits=narrow))
    with pytest.raises(AssertionError):
        in_loop(is_turned_away)(start(limits=narrow | {"refusals": 10**9}))


@in_loop
async def test_a_message_sent_with_the_request_is_heard(server: Server) -> None:
    async with stranger(server.port) as (reader, writer):
        writer.write(UPGRADE + frame(TEXT, HELLO))
        async with asyncio.timeout(30):
            await reader.readuntil(b'"welcome"')


# People


async def visit(server: Server, local: str, token: str | None) -> str:
    """What a browser does when the page is loaded: files over several sockets, then a WebSocket."""
    async with AsyncExitStack() as stack:
        sockets = [await stack.enter_async_context(stranger(server.port, local)) for _ in range(6)]
        for _, writer in sockets:
            writer.write(get("/healthz") * 4)
        for reader, _ in sockets:
            for _ in range(4):
                assert b" 200 " in await reader.readuntil(b"\r\n\r\n")
        client = await stack.enter_async_context(connected(server.port, token, local=local))
        assert client.welcome["type"] == "welcome", client.welcome
        await client.say("my-tables")
        await client.hear("tables")
        return str(client.welcome["token"])


async def evening(server: Server, local: str, token: str) -> None:
    """What somebody does in a minute or two: look around, find others, play, react, ask, study."""
    async with connected(server.port, token, local=local) as one:
        for asked, told in (
            ("public-tables", "public"),
            ("my-results", "results"),
            ("my-identity", "identity"),
        ):
            await one.say(asked)
            assert (await one.hear(told, "failed"))["type"] == told
        await one.do("find", code=(await one.create("me", "open", start="host"))[: protocol.CODE_LENGTH])
        sought = (await one.do("seek", game="tiny", players=2))["table"]
        await one.watch(sought)
        for preset in ("hello", "clap", "laugh"):
            await one.do("chat", table=sought, preset=preset)
        alone = await one.create("me", "random", pace="slow")
        for _ in range(3):
            await one.say("chances", table=alone)
            assert (await one.hear("chance", "failed", seconds=90.0))["type"] == "chance"
        await one.say("my-turns")
        turns = await one.hear("turns")
    for path in (turns["atom"], turns["calendar"], f"/api/qr.svg?path=/t/{alone}", "/api/puzzles.json"):
        assert (await request(server.port, get(path), local))[0] == 200, path
    sent = record().json().encode()
    head = get("/api/record/review", f"Content-Length: {len(sent)}", method="POST")
    status, _, content = await request(server.port, head + sent, local)
    while status == 202:
        await asyncio.sleep(0.7)  # as the page does
        review = get(f"/api/reviews/{msgspec.json.decode(content)['review']}")
        status, _, content = await request(server.port, review, local)
    assert status == 200, content


async def people(server: Server, count: int, reloads: int, local: str) -> None:
    """So many behind one address, who reload all the time, and do what there is to do."""

    async def one() -> None:
        token = await visit(server, local, None)
        for _ in range(reloads):
            await visit(server, local, token)
        await evening(server, local, token)

    async with asyncio.timeout(300):
        await asyncio.gather(*(one() for _ in range(count)))


@in_loop
async def test_a_family_with_phones_that_reload_meets_no_limit(start: Start) -> None:
    await people(start(bots="random"), count=6, reloads=8, local=ELSEWHERE)


@in_loop
async def test_a_class_of_thirty_behind_one_router_meets_no_limit(start: Start) -> None:
    await people(start(bots="random"), count=30, reloads=1, local=ELSEWHERE)
