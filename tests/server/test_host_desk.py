"""The host's desk: who may sit at it, and what it does at every node."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kibitz.server.nodes.bus import LocalBus
from kibitz.server.nodes.house import House
from kibitz.server.stores.sqlite import SqliteStore
from tests.server.client import connected, fetch
from tests.server.conftest import Start
from tests.server.engines import needs_postgres
from tests.server.raw import request
from tests.server.serving import Server, in_loop
from tests.server.test_strangers import get

SECRET = "0123456789abcdef"
BEARER = {"Authorization": f"Bearer {SECRET}"}


async def act(
    server: Server, name: str, headers: dict[str, str] = BEARER, /, **order: str
) -> tuple[int, Any]:
    """Do something at the desk."""
    status, _, told = await fetch(server.port, f"/host/{name}", msgspec.json.encode(order), headers)
    return status, msgspec.json.decode(told)


async def desk(server: Server) -> Any:
    """What the host is shown."""
    return msgspec.json.decode((await fetch(server.port, "/host.json", headers=BEARER))[2])


@in_loop
async def test_only_the_secret_opens_the_desk(start: Start) -> None:
    """Whoever it is, whatever is asked for: a player's own token opens nothing."""
    server = start(host_secret=SECRET)
    async with connected(server.port) as ann:
        table = await ann.create("me", "open")
        guest, token = ann.welcome["guest"], ann.welcome["token"]
        elsewhere = {"Origin": "https://elsewhere.example", **BEARER}
        shown: list[tuple[dict[str, str], int]] = [
            ({}, 401),
            ({"Authorization": "Bearer"}, 401),
            ({"Authorization": f"Bearer {token}"}, 401),
            ({"Authorization": f"Bearer {SECRET[:-1]}"}, 401),
            (elsewhere, 403),
        ]
        acts = {"close": {"table": table}, "ban": {"guest": guest}, "notice": {"text": "Hello"}}
        for name, order in acts.items():
            for headers, status in shown:
                assert (await act(server, name, headers, **order))[0] == status, (name, headers)
        house = await desk(server)
        assert (house["notice"], house["bans"], len(house["tables_open"])) == ("", [], 1)
        await ann.do("chat", table=table, text="still here")
        for _ in range(10):
            status, told = await act(server, "notice", {"Authorization": "Bearer guess"}, text="x")
        assert (status, told["code"]) == (429, "slow-down")
        assert (await act(server, "notice", text="the host isn't held up"))[0] == 200


@in_loop
async def test_what_players_report_is_seen_at_the_desk_whoever_said_it(start: Start) -> None:
    """Even of the host of a table, who isn't told that; and while that one is away."""
    server = start(host_secret=SECRET)
    async with (
        connected(server.port, name="Ann") as ann,
        connected(server.port, name="Bob") as bob,
        connected(server.port, name="Eve") as eve,
    ):
        table = await ann.create("me", "open", "open")
        await bob.do("sit", table=table)
        await eve.do("sit", table=table)
        await ann.watch(table)
        rude = (await ann.do("chat", table=table, text="rude"))["number"]
        await bob.do("report", table=table, number=rude)
        hurry = (await bob.do("chat", table=table, preset="hurry"))["number"]
        await eve.do("report", table=table, number=hurry)
        assert (await ann.hear("reported"))["preset"] == "hurry", "the first wasn't for her"
        await ann.say("unwatch", table=table)
        await bob.do("report", table=table, number=rude)
        told = (await desk(server))["reports"]
        assert [(one["name"], one["by"], one["said"], one["preset"]) for one in told] == [
            ("Bob", "Ann", "rude", None),
            ("Eve", "Bob", "", "hurry"),
            ("Bob", "Ann", "rude", None),
        ]
        assert {one["table"] for one in told} == {table}


@in_loop
async def test_who_guesses_from_elsewhere_has_to_wait_even_with_the_right_secret(start: Start) -> None:
    server = start(host_secret=SECRET)

    async def status(secret: str, address: str) -> int:
        asked = get("/host.json", f"Authorization: Bearer {secret}")
        return (await request(server.port, asked, address))[0]

    assert await status(SECRET, "127.0.0.8") == 200
    assert [await status(f"guess {number}", "127.0.0.8") for number in range(11)] == [401] * 10 + [429]
    assert await status(SECRET, "127.0.0.8") == 429
    assert await status(SECRET, "127.0.0.9") == 200
    assert await status(SECRET, "127.0.0.1") == 200


@in_loop
async def test_what_makes_no_sense_is_refused(start: Start) -> None:
    server = start(host_secret=SECRET)
    refused: list[tuple[str, dict[str, str], str]] = [
        ("close", {"table": "NOWHERE"}, "gone"),
        ("ban", {"guest": "nobody"}, "no-such-guest"),
        ("notice", {"text": "x" * 1000}, "too-long"),
        ("notice", {"words": "x"}, "bad-message"),
        ("close", {}, "bad-message"),
        ("lift-ban", {"guest": "nobody"}, "no-such-ban"),
        ("dance", {}, "bad-message"),
    ]
    for name, order, code in refused:
        status, told = await act(server, name, **order)
        assert (status, told["code"]) == (400, code)
    assert (await fetch(server.port, "/host/notice", b"{", BEARER))[0] == 400


@in_loop
async def test_the_house_is_one_over_a_restart(start: Start) -> None:
    server = start(host_secret=SECRET)
    async with connected(server.port) as ann, connected(server.port) as bob:
        table = await ann.create("me", "open")
        await bob.do("sit", table=table)
        await bob.watch(table)
        shown = (await desk(server))["tables_open"]
        assert [seat["name"] for seat in shown[0]["seats"]] == [ann.welcome["name"], bob.welcome["name"]]
        await act(server, "close", table=table)
        assert (await bob.hear("gone"))["code"] == "closed"
        assert await ann.code("chat", table=table, text="hello") == "closed"
        await ann.say("watch", table=table)
        assert (await ann.hear("gone"))["code"] == "closed"
        assert (await act(server, "close", table=table))[1]["code"] == "closed"
        await ann.say("my-results")
        assert (await ann.hear("results"))["games"] == [], "nobody has lost"
        await act(server, "notice", text="Until  nine\n tonight")
        assert (await ann.hear("notice"))["text"] == "Until nine tonight"
        bob_id, token = bob.welcome["guest"], bob.welcome["token"]
        await act(server, "ban", guest=bob_id)
        assert (await bob.hear("failed"))["code"] == "banned"
        await bob.socket.wait_closed()
    server.restart()
    while not (await desk(server))["bans"]:
        await asyncio.sleep(0.01)
    async with connected(server.port, token) as bob:
        assert bob.welcome["code"] == "banned"
    async with connected(server.port) as ann:
        assert (await ann.hear("notice"))["text"] == "Until nine tonight"
        assert (await act(server, "notice", text=""))[1]["notice"] == ""
        assert (await ann.hear("notice"))["text"] == ""
    assert (await act(server, "lift-ban", guest=bob_id))[1]["bans"] == []
    async with connected(server.port, token) as bob:
        assert bob.welcome["guest"] == bob_id


@in_loop
async def test_what_was_read_before_does_not_win_over_what_is_read_later(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    house = House(store, LocalBus())
    usual, read, late = store.house, asyncio.Event(), asyncio.Event()

    async def held_up() -> dict[str, bytes]:
        laid = await usual()
        read.set()
        await late.wait()
        return laid

    store.house = held_up  # type: ignore[method-assign]
    looking = asyncio.create_task(house.look())
    await read.wait()
    store.house = usual  # type: ignore[method-assign]
    telling = asyncio.create_task(house.tell("Until nine"))
    await asyncio.sleep(0.1)
    late.set()
    await asyncio.gather(looking, telling)
    assert house.notice == "Until nine"
    await house.close()
    await store.close()


@needs_postgres
@in_loop
async def test_any_node_can_be_asked(start: Start, database: str) -> None:
    pytest.importorskip("psycopg")
    here, there = (start(store=database, host_secret=SECRET) for _ in range(2))
    async with connected(here.port) as ann, connected(there.port) as bob:
        table = await ann.create("me", "open")
        await bob.watch(table)
        while len(nodes := (await desk(here))["nodes"]) < 2 or not all(one["connections"] for one in nodes):
            await asyncio.sleep(0.05)
        assert sum(node["connections"] for node in nodes) == 2
        assert {node["version"] for node in nodes} == {nodes[0]["version"]}
        await act(here, "notice", text="Hello")
        assert (await bob.hear("notice"))["text"] == "Hello"
        await act(there, "close", table=table)
        assert (await bob.hear("gone"))["code"] == "closed"
        assert await ann.code("chat", table=table, text="hello") == "closed"
        await act(here, "ban", guest=bob.welcome["guest"])
        assert (await bob.hear("failed"))["code"] == "banned"
        assert (await desk(there))["bans"][0]["name"] == bob.welcome["name"]
