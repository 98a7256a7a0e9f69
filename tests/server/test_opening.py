"""Before the deal: a lobby, seats and options that change, everybody ready, words for the shuffle."""

import asyncio
import json
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

import kibitz
from kibitz.core.errors import BadRecord
from kibitz.core.record import Record
from kibitz.server.stores.store import Row, chained, next_row
from kibitz.server.tables.table import Table
from tests.server.client import Client, Message, connected, fetch
from tests.server.conftest import Start
from tests.server.serving import Server, in_loop

OLD_LOGS = json.loads((Path(__file__).parent / "old_logs.json").read_text())


@pytest.mark.parametrize("old", OLD_LOGS, ids=lambda old: old["table"])
def test_a_log_of_an_older_server_begins_and_goes_on_as_it_did(old: dict[str, Any]) -> None:
    rows: list[Row] = []
    for _, kind, actor, time, command, fingerprint, body in old["rows"]:
        made = {"kind": kind, "actor": actor, "time": time, "command": command, "body": body.encode()}
        last = rows[-1] if rows else None
        rows.append(next_row(last, table=old["table"], fingerprint=bytes.fromhex(fingerprint), **made))
    assert chained(rows)
    assert rows[-1].hash.hex() == old["hash"]
    table = Table(rows[0])
    for row in rows[1:]:
        table.apply(row)
    for fact in ("begun", "changed", "over", "turn"):
        assert getattr(table, fact) == old[fact], fact
    assert list(table.called) == old["called"]
    assert msgspec.to_builtins(table.result) == old["result"]
    assert (table.state.position() if table.state else None) == old["position"]


@pytest.mark.parametrize(("game", "players", "added"), [("cash", 3, "spare"), ("kazink", 4, "pool")])
def test_a_table_begun_under_version_1_goes_on_under_it(game: str, players: int, added: str) -> None:
    """Its first row is as it was before there was a version 2; moves that came since are none of it."""
    before = kibitz.game(game).deal(players, bytes(range(32)), rules_version=1)
    chairs = [
        {"kind": "guest", "guest": f"{seat:016x}", "level": None, "former": None} for seat in range(players)
    ]
    created = {
        "game": game,
        "rules": 1,
        "options": before.record().options,
        "players": players,
        "seats": chairs,
        "pace": "fast",
        "creator": "0" * 16,
        "secret": bytes(range(32)).hex(),
        "commitment": "",
    }
    assert added not in before.record().options
    table = Table(row_after(None, "create", created))
    chance = Random(7)
    for _ in range(300):
        assert table.state is not None
        assert (table.state.rules_version, table.state.hash) == (1, before.hash)
        assert table.state.legal_moves == before.legal_moves
        if before.over:
            break
        move = chance.choice(before.legal_moves)
        assert not str(move).startswith(("spare", "take", "counter"))
        table.apply(row_after(table.told[-1].row, "move", {"seat": before.turn, "move": str(move)}))
        before.play(move)


def row_after(last: Row | None, kind: str, body: dict[str, Any]) -> Row:
    told: dict[str, Any] = {
        "kind": kind,
        "actor": "0" * 16,
        "time": 0.0,
        "command": f"{kind} {last and last.number}",
    }
    return next_row(last, table="OLDTABLE", fingerprint=b"", body=msgspec.json.encode(body), **told)


async def opened(ann: Client, *seats: str, **settings: Any) -> str:
    """A table that waits for its host to start it."""
    done = await ann.do("create", game="tiny", seats=list(seats), pace="fast", **settings)
    table: str = done["table"]
    return table


@in_loop
async def test_the_cards_are_dealt_when_all_are_ready_and_the_host_starts(server: Server) -> None:
    async with connected(server.port, name="Ann") as ann, connected(server.port, name="Bob") as bob:
        table = await opened(ann, "me", "open")
        assert await ann.code("start", table=table) == "not-full"
        await bob.do("sit", table=table)
        waiting = await bob.watch(table)
        assert not waiting["begun"]
        assert waiting["waits"]
        assert waiting["commitment"]
        assert waiting["view"] is None
        assert await ann.code("move", table=table, number=1, move="lay 1") == "not-begun"
        assert await ann.code("start", table=table) == "not-ready"
        assert await bob.code("start", table=table) == "not-host"
        await bob.do("ready", table=table)
        assert await bob.code("ready", table=table) == "said-already"
        await ann.watch(table)
        assert (await ann.watch(table))["seats"][1]["ready"]
        await ann.do("start", table=table)
        now = await bob.hear("table", begun=True)
        assert now["lines"][-1]["kind"] == "start"
        assert now["view"]
        assert not now["practice"]
        assert [row.kind for row in server.rows(table)] == ["create", "seat", "ready", "start"]
        late: dict[str, dict[str, Any]] = {"ready": {"ready": False}, "start": {}, "word": {"word": "x"}}
        late |= {"swap": {"seat": 0, "other": 1}, "remove": {"seat": 1}, "change": {"pace": "slow"}}
        for command, fields in late.items():
            assert await ann.code(command, table=table, **fields) == "begun"


@in_loop
async def test_alone_against_bots_one_plays_at_once(server: Server) -> None:
    async with connected(server.port) as ann:
        now = await ann.watch(await opened(ann, "me", "random"))
        assert now["begun"]
        assert now["words"] == []
        assert [line["kind"] for line in now["lines"][:2]] == ["create", "start"]


@in_loop
async def test_a_crash_before_the_deal_that_nobody_has_to_ask_for_does_no_harm(server: Server) -> None:
    async with connected(server.port) as ann:
        table = await opened(ann, "me", "open", start="full")
        async with connected(server.port) as bob:
            await bob.do("sit", table=table)
            dealt = (await ann.watch(table))["view"]
    server.kill()
    server.change("DELETE FROM rows WHERE kind = 'start'")
    server.start()
    async with connected(server.port, ann.welcome["token"]) as ann:
        now = await ann.watch(table)
        while not now["begun"]:
            now = await ann.hear("table", table=table)
        assert now["view"] == dealt


@in_loop
async def test_the_host_arranges_the_table(server: Server) -> None:
    async with connected(server.port, name="Ann") as ann, connected(server.port, name="Bob") as bob:
        table = await opened(ann, "me", "open", "open")
        await bob.do("sit", table=table, seat=1)
        await bob.do("word", table=table, word="sealed")
        await bob.do("ready", table=table)
        await ann.do("replace", table=table, seat=2, level="easy")
        await ann.do("replace", table=table, seat=2, level="hard")
        assert await bob.code("replace", table=table, seat=2) == "not-host"
        await ann.do("swap", table=table, seat=1, other=2)
        seats = (await bob.watch(table))["seats"]
        assert [seat["name"] for seat in seats] == ["Ann", "Clara", "Bob"]
        assert seats[1]["level"] == "hard"
        assert seats[2]["ready"], "who changes places stays ready"
        assert (await bob.watch(table))["word"] == "sealed"
        await ann.do("change", table=table, players=2)
        now = await bob.watch(table)
        assert [seat["name"] for seat in now["seats"]] == ["Ann", "Bob"], "people keep their seats"
        assert now["players"] == 2
        assert not now["seats"][1]["ready"], "it is another game now"
        await ann.do("remove", table=table, seat=1)
        assert await bob.code("sit", table=table) == "removed"
        now = await bob.watch(table)
        assert now["removed"]
        assert now["lines"][-1]["sentences"][0] == {
            "key": "table.remove",
            "data": {"seat": {"seat": 1}, "name": "Bob"},
        }
        assert await ann.code("remove", table=table, seat=0) == "remove-yourself"
        assert await ann.code("change", table=table, players=9) == "bad-options"


@in_loop
async def test_a_host_who_has_been_away_for_long_holds_nobody_up(start: Start) -> None:
    server = start(absent_seconds=0.2)
    async with connected(server.port) as bob:
        async with connected(server.port) as ann:
            table = await opened(ann, "me", "open")
            await ann.watch(table)
            await bob.do("sit", table=table)
            await bob.do("ready", table=table)
            assert await bob.code("remove", table=table, seat=0) == "not-host"
        await bob.watch(table)
        while (await bob.ask("remove", table=table, seat=0))["type"] == "refused":
            await asyncio.sleep(0.05)
        await bob.do("replace", table=table, seat=0)
        await bob.do("start", table=table)


# The lobby


@in_loop
async def test_a_listed_table_is_shown_until_its_game_begins(server: Server) -> None:
    async with connected(server.port, name="Ann") as ann, connected(server.port, name="Bob") as bob:
        unlisted = await opened(ann, "me", "open")
        table = await opened(ann, "me", "open", listed=True)
        shown = await public(bob)
        assert [one["table"] for one in shown] == [table]
        assert shown[0]["seats"] == ["Ann", ""]
        await ann.do("change", table=unlisted, listed=True)
        assert len(await public(bob)) == 2
        await bob.do("sit", table=table)
        await bob.do("ready", table=table)
        await ann.do("start", table=table)
        assert [one["table"] for one in await public(bob)] == [unlisted]


async def public(client: Client) -> list[Message]:
    await client.say("public-tables")
    tables: list[Message] = (await client.hear("public"))["tables"]
    return tables


@in_loop
async def test_six_letters_find_a_table_that_waits(start: Start) -> None:
    server = start(limits={"finds": 6})
    async with connected(server.port) as ann, connected(server.port) as bob:
        table = await opened(ann, "me", "open")
        code = f" {table[:3].lower()} {table[3:6].lower()}"
        assert (await bob.do("find", code=code))["table"] == table
        assert await bob.code("find", code=table[:5]) == "bad-code"
        assert await bob.code("find", code="______") == "bad-code"
        assert await bob.code("find", code="AAAAAA") == "no-such-code"
        await bob.do("sit", table=table)
        await bob.do("ready", table=table)
        await ann.do("start", table=table)
        assert await bob.code("find", code=table[:6]) == "no-such-code"
        codes = [await bob.code("find", code="AAAAAA") for _ in range(4)]
        assert codes[-1] == "slow-down", "nobody can try them all"


@in_loop
async def test_who_looks_for_players_finds_who_looks_for_players(server: Server) -> None:
    async with connected(server.port) as ann, connected(server.port) as bob, connected(server.port) as eve:
        table = (await ann.do("seek", game="tiny", id="mine"))["table"]
        await ann.watch(table)
        assert (await ann.do("seek", game="tiny", id="mine"))["table"] == table
        assert (await ann.do("seek", game="tiny"))["table"] == table, "one doesn't play with oneself"
        assert (await eve.do("seek", game="tiny", players=3))["table"] != table
        assert (await bob.do("seek", game="tiny"))["table"] == table
        assert (await bob.watch(table))["begun"]


@in_loop
async def test_nobody_is_led_to_a_table_that_is_left_alone(server: Server) -> None:
    async with connected(server.port) as bob:
        async with connected(server.port) as ann:
            table = (await ann.do("seek", game="tiny"))["table"]
        assert (await bob.do("seek", game="tiny"))["table"] != table


@in_loop
async def test_bots_come_after_a_while_if_that_is_wished(server: Server) -> None:
    async with connected(server.port) as ann:
        assert await ann.code("seek", game="tiny", bots_after=1) == "bad-bots-after"
        table = (await ann.do("seek", game="tiny", players=3, bots_after=5))["table"]
        now = await ann.watch(table)
        assert now["bots_at"]
        while not now["begun"]:
            now = await ann.hear("table")
        assert [seat["kind"] for seat in (await ann.watch(table))["seats"]] == ["guest", "bot", "bot"]


# The shuffle


@pytest.mark.parametrize("hurried", [True, False])
def test_who_comes_last_has_time_for_a_word_unless_all_are_ready(start: Start, hurried: bool) -> None:
    server = start(word_seconds=3600.0 if hurried else 0.3)

    @in_loop
    async def meet() -> None:
        async with connected(server.port) as ann, connected(server.port) as bob:
            table = (await ann.do("seek", game="tiny"))["table"]
            await ann.watch(table)
            await bob.do("seek", game="tiny")
            assert (await bob.watch(table))["view"] is None
            if hurried:
                await bob.do("word", table=table, word="abracadabra")
                for each in (ann, bob):
                    await each.do("ready", table=table)
            while (await bob.hear("table"))["view"] is None:
                pass
            started = next(row for row in server.rows(table) if row.kind == "start")
            assert (b"abracadabra" in started.body) is hurried

    meet()


@in_loop
async def test_words_are_sealed_until_the_start_and_make_the_deal(server: Server) -> None:
    async with connected(server.port) as ann, connected(server.port) as bob, connected(server.port) as eve:
        table = await opened(ann, "me", "open")
        await bob.do("sit", table=table)
        for client in (ann, eve):
            await client.watch(table)
        await bob.do("word", table=table, word="  abra  cadabra ")
        assert (await bob.watch(table))["word"] == "abra cadabra"
        for client in (ann, eve):
            now = await client.watch(table)
            assert now["seats"][1]["worded"]
            assert now["word"] == ""
            assert not any("cadabra" in text for text in client.received)
        await bob.do("ready", table=table)
        await ann.do("start", table=table)
        now = await eve.watch(table)
        assert now["words"] == ["", "abra cadabra"], "in the order of seats, empty if none"
        created = msgspec.json.decode(server.rows(table)[0].body)
        deal = kibitz.game("tiny").deal(2, bytes.fromhex(created["secret"]), ["", "abra cadabra"])
        assert (await ann.watch(table))["view"] == json.loads(deal.view_json(0))
        assert not any(created["secret"] in text for client in (ann, bob, eve) for text in client.received)
        await ann.do("resign", table=table)
        record = Record.parse((await fetch(server.port, f"/api/tables/{table}/record"))[2])
        assert record.words == ("", "abra cadabra")
        record.verify()
        for tampered in (
            {"words": ("", "abra")},
            {"words": ("abra cadabra", "")},
            {"words": ()},
            {"secret": "00" * 32},
            {"commitment": "00" * 32},
        ):
            with pytest.raises(BadRecord):
                msgspec.structs.replace(record, **tampered).verify()


@in_loop
async def test_who_sits_down_does_not_look_on_any_longer(server: Server) -> None:
    async with connected(server.port) as ann, connected(server.port) as bob:
        table = await opened(ann, "me", "open")
        await ann.watch(table)
        await bob.watch(table)
        await ann.hear("presence", spectators=1)
        await bob.do("sit", table=table)
        await ann.hear("presence", spectators=0)
