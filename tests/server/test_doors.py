"""Every door that a stranger can knock at is flooded: the others wait half a second at most. [P8]

Of each message and each address there is a form in `doors.py`; one that has none there fails here.
"""

import asyncio
import itertools
import socket
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, ExitStack, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
import pytest

from kibitz.server import protocol
from kibitz.server.addressed import open_bus, open_store
from kibitz.server.app import Parts, create_app
from kibitz.server.limits import Limits
from kibitz.server.live_bots import LiveBots
from kibitz.server.net.pages import Host
from kibitz.server.readiness import Readiness
from kibitz.server.tables.listing import SHOWN
from tests.server import doors
from tests.server.client import Client, connected, until
from tests.server.conftest import ROOMY, Start
from tests.server.doors import Address, Stage
from tests.server.raw import CHUNK, HELLO, TEXT, UPGRADE, frame, request, rest, stranger
from tests.server.serving import Server, in_loop
from tests.server.test_floods import POLICY, WAIT, moves
from tests.server.test_malformed import MOST_GROWTH, memory
from tests.server.test_strangers import get
from tests.server.test_studies import record

SECRET = "only the host knows it"
CLOSING = b"\x88\x02"  # how the last frame of a connection begins; its code follows
MESSAGES = 110  # of a connection: ten more than it may send
OF_ONE_GUEST, OF_OTHERS = 6, 6  # connections that flood
PATIENCE = 180.0  # seconds for slow work, on a machine that has much other work
SIGN_INS = 4  # of a connection that wait at once
REQUESTS = 120  # of each of three sockets; the limit is 300
ADDRESSES = itertools.count(1)


def elsewhere() -> str:
    """An address of this machine that nobody has used, and to which limits apply."""
    number = next(ADDRESSES)
    return f"127.0.{1 + number // 250}.{1 + number % 250}"


# None is forgotten


def test_every_message_is_attacked() -> None:
    known = {kind.__struct_config__.tag for kind in protocol.FromClient.__args__}
    assert set(doors.forms(Stage())) == known
    decode = msgspec.json.Decoder(protocol.FromClient).decode
    for type, form in doors.forms(Stage()).items():
        decode(doors.encoded(type, form))


@in_loop
async def test_every_address_is_attacked(tmp_path: Path) -> None:
    store = open_store(None, tmp_path)
    parts = Parts(
        store=store,
        bus=open_bus(None, None, store.key),
        readiness=Readiness(["tiny"]),
        bots=LiveBots(),
        host=Host(local=True, url="http://127.0.0.1"),
        secret=SECRET,
    )
    known = [getattr(route, "path", "") for route in create_app(parts).routes]
    assert sorted(known) == sorted(one.path for one in doors.addresses(Stage(), b"", "", ""))
    await store.close()


# Floods of messages


def knock(server: Server, local: str, hello: bytes, texts: list[bytes]) -> int:
    """Send it all at once; the code with which the server closes."""
    content = UPGRADE + frame(TEXT, hello) + b"".join(frame(TEXT, text) for text in texts)
    came = b""
    with (
        socket.create_connection(("127.0.0.1", server.port), 60.0, (local, 0)) as flood,
        suppress(ConnectionError),
    ):
        flood.sendall(content)
        while CLOSING not in came[:-2] and (part := flood.recv(CHUNK)):
            came = came[-4:] + part
    return int.from_bytes(came.partition(CLOSING)[2][:2])


async def flooded(server: Server, attack: Callable[[], Awaitable[None]]) -> float:
    """The longest that two players wait while somebody attacks."""
    done, waits = asyncio.Event(), list[float]()
    playing = asyncio.create_task(moves(server, waits, done))
    await until(lambda: waits or playing.done())
    waits.clear()
    try:
        await attack()
    finally:
        done.set()
        await playing
    return max(waits)


async def all_messages_flooded(server: Server, types: list[str]) -> None:
    """One guest, and others of one address, send as much as they can of each message, and are cut off."""
    local = elsewhere()
    async with connected(server.port, local=local) as guest:
        stage = await doors.set_the_stage(guest, server.port, local)
        before = memory(server.pid)  # what is loaded once, is
        hello = msgspec.json.encode(
            {"type": "hello", "protocol": protocol.PROTOCOL, "token": guest.welcome["token"]}
        )
        stranger = msgspec.json.encode({"type": "hello", "protocol": protocol.PROTOCOL})
        for type, form in doors.forms(stage).items():
            if type not in types:
                continue

            async def attack(type: str = type, form: doors.Form = form) -> None:
                texts = [doors.encoded(type, form) for _ in range(MESSAGES)]
                codes = await asyncio.gather(
                    *(asyncio.to_thread(knock, server, local, hello, texts) for _ in range(OF_ONE_GUEST)),
                    *(asyncio.to_thread(knock, server, local, stranger, texts) for _ in range(OF_OTHERS)),
                )
                assert set(codes) == {POLICY}, type

            assert await flooded(server, attack) < WAIT, type
    assert memory(server.pid) - before < 2 * MOST_GROWTH
    async with connected(server.port) as ann:
        await ann.watch(await ann.create("me", "open"))


GENTLE = {"chats": 10**6, "address_guests": 10**6, "address_messages": 10**6, "hints": 3}  # for the stage
TYPES = list(doors.forms(Stage()))


@pytest.mark.parametrize("first", range(0, len(TYPES), 13), ids=lambda first: f"{TYPES[first]} and so on")
def test_who_floods_with_any_message_is_cut_off_and_the_others_play_on(start: Start, first: int) -> None:
    in_loop(all_messages_flooded)(start(limits=GENTLE, bots="random"), TYPES[first : first + 13])


# Floods of requests


def asked(address: Address, *headers: str) -> bytes:
    """A request for an address."""
    if address.token:
        headers = (*headers, f"Authorization: Bearer {address.token}")
    if address.content is None:
        return get(address.request, *headers)
    length = f"Content-Length: {len(address.content)}"
    return get(address.request, length, *headers, method="POST") + address.content


async def statuses(server: Server, local: str, address: Address) -> set[bytes]:
    """How many requests over one socket, sent at once, are answered."""
    async with stranger(server.port, local) as (reader, writer):
        writer.write(asked(address) * REQUESTS + asked(address, "Connection: close"))
        return {part[:3] for part in (await rest(reader, seconds=240.0)).split(b"HTTP/1.1 ")[1:]}


async def all_addresses_flooded(server: Server) -> None:
    """Three sockets ask for each as often as they can: the server never fails, and says to wait."""
    async with connected(server.port) as guest:
        stage = await doors.set_the_stage(guest, server.port, "127.0.0.1")
        await guest.say("my-turns")
        turns, token = (await guest.hear("turns"))["atom"], guest.welcome["token"]
    addresses = doors.addresses(stage, record().json().encode(), turns, token)
    for address in addresses:
        await request(server.port, asked(address))  # what is loaded once, is
    before = memory(server.pid)
    for address in addresses:
        local, found = elsewhere(), set[bytes]()

        async def attack(local: str = local, found: set[bytes] = found, address: Address = address) -> None:
            for one in await asyncio.gather(*(statuses(server, local, address) for _ in range(3))):
                found |= one

        wait = await flooded(server, attack)
        assert b"429" in found, address.path
        assert not found & {b"500", b"502"}, address.path
        assert wait < WAIT, address.path
    assert memory(server.pid) - before < 2 * MOST_GROWTH


NARROW = {"requests": 300, "request_seconds": 600.0, "studies": 30, "study_seconds": 600.0}


def test_who_floods_any_address_is_told_to_wait_and_the_others_play_on(start: Start) -> None:
    server = start(limits=ROOMY | NARROW, host_secret=SECRET, games=["tiny", "kaching"])
    in_loop(all_addresses_flooded)(server)


ODD = [
    "",
    "%00",
    "%ff%fe",
    "..%2f..%2fetc%2fpasswd",
    "x" * 300,
    "-1",
    "1e9",
    "%F0%9F%98%80",
    "a%0d%0aX: y",
    "*",
]
BODIES = [b"", b"[" * 5000, b"\xff\xfe", b"{}", b"null", b'{"game": 1}', b'{"game": "tiny", "moves": 1}']


@in_loop
async def test_odd_forms_of_any_address_are_refused_with_a_code(start: Start) -> None:
    server = start(host_secret=SECRET, games=["tiny", "kaching"])
    for address in doors.addresses(Stage(), b"{}", "/api/turns/a-b.atom", ""):
        parts = address.path.replace("{", "\0{").replace("}", "}\0").split("\0")
        holes = [place for place, part in enumerate(parts) if part.startswith("{")]
        paths = [address.path + "?" + query for query in ("move=%00", "at=%ff", "path=//x", "language=%00")]
        for hole, odd in itertools.product(holes, ODD):
            filled = [part if not part.startswith("{") else "tiny" for part in parts]
            filled[hole] = odd
            paths.append("".join(filled))
        bodies: list[bytes | None] = [None] if address.content is None else [*BODIES]
        for path, body in itertools.product(paths, bodies):
            status, _, content = await request(server.port, asked(Address("", quote(path, "/?=&%"), body)))
            assert status in (200, 202, 400, 401, 404, 405, 409, 413, 503), (path, body, status)
            assert b"Traceback" not in content
            if status >= 400 and status != 503:
                assert msgspec.json.decode(content)["code"], (path, body)


# Many sockets at once

AT_ONCE = 390  # sockets of an address that may have 400
CRUMBS = 32 * b"1\r\nx\r\n" + b"0\r\n\r\n"
SHEET = get("/api/games/cash/score", "Transfer-Encoding: chunked", method="POST")
LISTS = [doors.encoded(type, {}) for type in ("my-tables", "public-tables", "my-results", "my-identity")]
BURSTS = {
    "crumbs": 7 * (SHEET + CRUMBS),
    "heads": 7 * get("/healthz", *(f"X-{number}: y" for number in range(95))),
    "short lines": get("/healthz", *3000 * ["x:"]),
    "long answers": 7 * get("/api/games"),
    "messages": UPGRADE + frame(TEXT, HELLO) + b"".join(frame(TEXT, text) for text in LISTS * 5),
}
LONGEST = get("/healthz", *15_000 * ["x:"])  # where a head may be so long


def burst(server: Server, local: str, content: bytes) -> int:
    """Open many sockets, then send something over all of them at once; how many were answered."""
    with ExitStack() as stack:
        sockets = [
            stack.enter_context(socket.create_connection(("127.0.0.1", server.port), 60.0, (local, 0)))
            for _ in range(AT_ONCE)
        ]
        for one in sockets:
            one.sendall(content)
        return sum(is_answered(one) for one in sockets)


def is_answered(one: socket.socket) -> bool:
    """Whether anything comes before it is closed."""
    with suppress(ConnectionError):
        return one.recv(CHUNK) != b""
    return False


async def burst_wait(server: Server, content: bytes) -> float:
    """How long others wait."""
    local = elsewhere()

    async def attack() -> None:
        assert await asyncio.to_thread(burst, server, local, content) > 0

    return await flooded(server, attack)


def test_a_burst_over_many_sockets_holds_nobody_up(start: Start) -> None:
    server = start(games=["tiny", "cash"])
    for kind, content in BURSTS.items():
        assert asyncio.run(burst_wait(server, content)) < WAIT, kind
    lavish = start(limits={"head_lines": 10**6, "head_bytes": 1 << 20}, mutant="reads-all-at-once")
    assert asyncio.run(burst_wait(lavish, LONGEST)) > WAIT


# Limits of their own


async def last_answer(server: Server, type: str, guests: int) -> str | None:
    """Why the fourth of four messages is refused, which one guest sends or four of an address."""
    local = elsewhere()
    async with AsyncExitStack() as stack:
        clients = [
            await stack.enter_async_context(connected(server.port, local=local)) for _ in range(guests)
        ]
        table = await clients[0].create("me", "random", pace="slow")
        form = doors.forms(Stage(table, table, table))[type]
        for number in range(4):
            client = clients[number % guests]
            await client.socket.send(doors.encoded(type, form).decode())
            answer = await client.hear(*ANSWERS)
            assert answer.get("code") != "slow-down" or number == 3, answer
        return answer.get("code")


ANSWERS = ("done", "refused", "failed", "tables", "results", "statistics", "public", "recalled")
COUNTED = {
    "lists": ("my-tables", "my-results", "my-statistics", "public-tables"),
    "finds": ("find",),
    "renames": ("rename",),
    "recalls": ("recall",),
    "codes": ("join-device",),
    "sign_ins": ("sign-in",),
}
SECONDS = dict.fromkeys(
    ("list_seconds", "find_seconds", "rename_seconds", "recall_seconds", "identity_seconds"), 600.0
)
LIMITED = [
    (name, type, guests)
    for limit, types in COUNTED.items()
    for type in types
    for name, guests in ((limit, 1), (f"address_{limit}", 4))
    if name in Limits.__struct_fields__
]


@pytest.mark.parametrize(("limit", "type", "guests"), LIMITED)
def test_a_guest_and_an_address_ask_only_so_often(start: Start, limit: str, type: str, guests: int) -> None:
    narrow = start(limits=SECONDS | {limit: 3})
    assert asyncio.run(last_answer(narrow, type, guests)) == "slow-down"
    assert asyncio.run(last_answer(start(), type, guests)) != "slow-down", "people meet no limit"


async def opened(server: Server, type: str, guests: int) -> int:
    """How many of six tables are opened, which one guest wants or six of an address."""
    local, done = elsewhere(), 0
    for number in range(guests):
        async with connected(server.port, local=local) as client:
            for each in range(6 // guests):
                form = {**doors.forms(Stage())[type], "players": 2} if type == "seek" else None
                answer = await client.ask(type, **(form or doors.forms(Stage())[type]))
                assert answer["type"] == "done" or answer["code"] == "slow-down", (number, each)
                done += answer["type"] == "done"
    return done


async def gone_on(server: Server, limit: int = 6) -> int:
    """How many games somebody plays in a row who gives each of them up at once."""
    async with connected(server.port, local=elsewhere()) as client:
        table = await client.create("me", "random")
        for games in range(1, limit):
            await client.do("resign", table=table)
            answer = await client.ask("rematch", table=table)
            if answer["type"] == "refused":
                assert answer["code"] == "slow-down"
                return games
            table = answer["table"]
    return limit


def test_who_goes_on_and_on_opens_tables_too(start: Start) -> None:
    assert asyncio.run(gone_on(start(limits={"openings": 4, "opening_seconds": 600.0}))) == 4
    assert asyncio.run(gone_on(start())) == 6, "people meet no limit"


@pytest.mark.parametrize("type", ["create", "seek"])
@pytest.mark.parametrize(("limit", "guests"), [("openings", 1), ("address_openings", 6)])
def test_only_so_many_tables_are_opened(start: Start, type: str, limit: str, guests: int) -> None:
    assert asyncio.run(opened(start(limits={limit: 4, "opening_seconds": 600.0}), type, guests)) == 4
    assert asyncio.run(opened(start(), type, guests)) == 6, "people meet no limit"


# The list that everybody is shown


async def listed(server: Server, guests: int) -> list[str]:
    """What comes of four tables to be listed, of one guest or four of an address, each in another way."""
    local, form = elsewhere(), {"game": "tiny", "seats": ["me", "open"], "listed": True}
    async with AsyncExitStack() as stack:
        clients = [
            await stack.enter_async_context(connected(server.port, local=local)) for _ in range(guests)
        ]
        unlisted = await clients[-1].create("me", "open", start="host")
        answers = [
            await clients[0].ask("create", **form),
            await clients[1 % guests].ask("seek", game="tiny", players=3),
            await clients[2 % guests].ask("create", **form),
            await clients[-1].ask("change", table=unlisted, listed=True),
        ]
        await clients[-1].do("change", table=unlisted, pace="slow")
        return [answer["code"] if answer["type"] == "refused" else "done" for answer in answers]


@pytest.mark.parametrize(("limit", "guests"), [("listed", 1), ("address_listed", 4)])
def test_only_so_many_tables_are_listed_from_one_place(start: Start, limit: str, guests: int) -> None:
    narrow = ["done", "done", "too-many-listed", "too-many-listed"]
    assert asyncio.run(listed(start(limits={limit: 2}), guests)) == narrow
    assert asyncio.run(listed(start(), guests)) == ["done"] * 4, "people meet no limit"


async def listed_beside_a_crowd(server: Server) -> None:
    """A stranger fills the list, and somebody who listed a table before is still in it."""
    form = {"game": "tiny", "seats": ["me", "open"], "listed": True}
    async with (
        connected(server.port, local=elsewhere()) as ann,
        connected(server.port, local=elsewhere()) as crowd,
    ):
        mine = (await ann.do("create", **form))["table"]
        for _ in range(SHOWN):
            await crowd.do("create", **form)
        await ann.say("public-tables")
        shown = (await ann.hear("public"))["tables"]
        assert len(shown) == SHOWN
        assert mine in [one["table"] for one in shown]


def test_nobody_fills_the_list_that_everybody_is_shown(start: Start) -> None:
    limits = ROOMY | {"listed": 10**6, "address_listed": 10**6, "open_tables": 10**6}
    in_loop(listed_beside_a_crowd)(start(limits=limits))
    with pytest.raises(AssertionError):
        in_loop(listed_beside_a_crowd)(start(limits=limits, mutant="latest-are-shown"))


@in_loop
async def test_an_address_is_handed_only_so_much(start: Start) -> None:
    """Feeds, calendars, QR codes, records; and what is kept about its guests."""

    async def found(server: Server) -> list[int]:
        async with connected(server.port) as guest:
            await guest.say("my-turns")
            turns = await guest.hear("turns")
        local = elsewhere()
        mine = get("/api/me", f"Authorization: Bearer {guest.welcome['token']}")
        exported = [(await request(server.port, mine, local))[0] for _ in range(3)]
        paths = [turns["atom"], turns["calendar"], "/api/qr.svg?path=/", "/api/tables/ABCDEFGH/record"]
        return [*exported, *[(await request(server.port, get(path), local))[0] for path in paths * 2]]

    narrow = {"handouts": 4, "handout_seconds": 600.0, "address_exports": 2}
    assert await found(start(limits=narrow)) == [200, 200, 429, 200, 200, 200, 404, *[429] * 4]
    assert await found(start()) == [200] * 3 + [200, 200, 200, 404] * 2


def test_whoever_connects_again_and_again_has_to_wait(start: Start) -> None:
    async def come_and_go(server: Server) -> list[int]:
        local, found = elsewhere(), []
        for _ in range(6):
            async with stranger(server.port, local) as (reader, writer):
                writer.write(UPGRADE)
                found.append(int((await reader.readuntil(b"\r\n")).split()[1]))
        return found

    narrow = start(limits={"requests": 4, "request_seconds": 600.0})
    assert asyncio.run(come_and_go(narrow)) == [101] * 4 + [429] * 2
    assert asyncio.run(come_and_go(start())) == [101] * 6


# Turns


async def hinted_beside_a_crowd(server: Server) -> None:
    """Guests of one address want more hints than may wait; a guest of another has one all the same."""
    crowd, other = elsewhere(), elsewhere()
    async with AsyncExitStack() as stack:
        greedy = [await stack.enter_async_context(connected(server.port, local=crowd)) for _ in range(8)]
        ann = await stack.enter_async_context(connected(server.port, local=other))
        tables = {client: await client.create("me", "random", pace="slow") for client in (*greedy, ann)}
        for client in greedy:
            await client.say("chances", table=tables[client])
        refused = asyncio.gather(*(client.hear("failed", "chance", seconds=PATIENCE) for client in greedy))
        await asyncio.wait([refused], timeout=0.5)  # so that they wait before
        await ann.say("chances", table=tables[ann])
        assert (await ann.hear("chance", "failed", seconds=PATIENCE)).get("code") != "slow-down"
        assert "slow-down" in [answer.get("code") for answer in await refused]


def test_one_address_does_not_keep_the_analysts_from_others(start: Start) -> None:
    limits = {"analyses": 3}
    in_loop(hinted_beside_a_crowd)(start(limits=limits))
    with pytest.raises(AssertionError):
        in_loop(hinted_beside_a_crowd)(start(limits=limits, mutant="first-come-first-served"))


async def reviewed_beside_a_crowd(server: Server) -> None:
    """Somebody of one address wants more reviews than may wait; somebody of another has one all the same."""

    async def review(seed: int, local: str) -> dict[str, Any]:
        sent = record(seed).json().encode()
        head = get("/api/record/review", f"Content-Length: {len(sent)}", method="POST")
        status, _, content = await request(server.port, head + sent, local)
        assert status == 202
        told: dict[str, Any] = msgspec.json.decode(content)
        return told

    async def outcome(key: str, local: str) -> dict[str, Any]:
        while True:
            status, _, content = await request(server.port, get(f"/api/reviews/{key}"), local)
            if status != 202:
                told: dict[str, Any] = msgspec.json.decode(content)
                return told
            await asyncio.sleep(0.1)

    crowd, other = elsewhere(), elsewhere()
    for seed in range(5):
        await review(seed, crowd)
    mine = await review(100, other)
    assert (await outcome(mine["review"], other)).get("code") != "slow-down"


def test_one_address_does_not_keep_the_reviewers_from_others(start: Start) -> None:
    limits = {"reviews": 2}
    in_loop(reviewed_beside_a_crowd)(start(limits=limits))
    with pytest.raises(AssertionError):
        in_loop(reviewed_beside_a_crowd)(start(limits=limits, mutant="first-come-first-served"))


async def signed_in_beside_a_crowd(server: Server) -> int:
    """How many of a crowd's sign-ins are done when one from another address is, that came after them all."""
    crowd, other = elsewhere(), elsewhere()
    answers = 0

    async def hear(client: Client) -> None:
        nonlocal answers
        for _ in range(SIGN_INS):
            await client.hear("refused", seconds=PATIENCE)
            answers += 1

    async with AsyncExitStack() as stack:
        greedy = [await stack.enter_async_context(connected(server.port, local=crowd)) for _ in range(4)]
        ann = await stack.enter_async_context(connected(server.port, local=other))
        for number, client in enumerate(greedy):
            for again in range(SIGN_INS):
                await client.say("sign-in", id=f"{again}", login=f"m{number}-{again}", passphrase="x" * 10)
        heard = asyncio.gather(*map(hear, greedy))
        await until(lambda: answers > 0)
        assert await ann.code("sign-in", login="ann", passphrase="y" * 10) == "wrong-passphrase"
        found = answers
        await heard
    return found


def test_one_address_does_not_keep_others_from_signing_in(start: Start) -> None:
    limits = {"sign_ins": 10**6, "address_sign_ins": 10**6}
    most = 4 * SIGN_INS // 2
    assert asyncio.run(signed_in_beside_a_crowd(start(limits=limits))) < most
    mutant = start(limits=limits, mutant="first-come-first-served")
    assert asyncio.run(signed_in_beside_a_crowd(mutant)) > most


async def recalled_by_many(server: Server) -> float:
    """How long players wait while thirty connections look at many moments at once."""
    local = elsewhere()
    async with AsyncExitStack() as stack:
        guest = await stack.enter_async_context(connected(server.port, local=local))
        stage = await doors.set_the_stage(guest, server.port, local)
        text = doors.encoded("recall", doors.forms(stage)["recall"]).decode()
        others = [await stack.enter_async_context(connected(server.port, local=local)) for _ in range(30)]

        async def look(client: Client) -> None:
            for _ in range(90):
                await client.socket.send(text)
            for _ in range(90):
                await client.hear("recalled", "failed", seconds=60.0)

        async def attack() -> None:
            await asyncio.gather(*map(look, others))

        return await flooded(server, attack)


def test_moments_are_drawn_one_after_the_other(start: Start) -> None:
    limits = GENTLE | {"tasks": 100, "recalls": 10**6}
    assert asyncio.run(recalled_by_many(start(limits=limits))) < WAIT
    assert asyncio.run(recalled_by_many(start(limits=limits, mutant="draws-all-at-once"))) > WAIT


# Answers that nobody takes


async def is_cut_off_for_hoarding(server: Server, seconds: float) -> None:
    """Who asks for much and takes nothing is let go when too much waits."""
    async with stranger(server.port, elsewhere()) as (_, writer), asyncio.timeout(seconds):
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        with suppress(ConnectionError):
            while True:
                writer.write(get("/api/games/tiny/words.en.json") * 100)
                await writer.drain()


def test_answers_wait_for_an_address_only_so_long(start: Start) -> None:
    limits = {"requests": 10**9, "address_untaken": 1000}
    in_loop(is_cut_off_for_hoarding)(start(limits=limits), 60.0)
    with pytest.raises(TimeoutError):
        in_loop(is_cut_off_for_hoarding)(start(limits=limits, mutant="answers-wait-for-ever"), 5.0)
