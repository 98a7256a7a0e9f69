"""People at a table: they open it, join, play, leave and come back."""

import random
from typing import Any

import pytest

from kibitz.core.record import Record
from tests.server.client import Client, Message, connected, fetch
from tests.server.serving import Server, in_loop


async def play_out(clients: list[Client], table: str, seed: int = 1) -> list[Message]:
    """Both play by chance until the game is over; returns the last table message of each."""
    chooser = random.Random(seed)
    last = [await client.watch(table) for client in clients]
    while last[0]["result"] is None:
        for client, now in zip(clients, last, strict=True):
            if now["legal"]:
                move = chooser.choice(now["legal"])
                await client.do("move", table=table, number=now["number"], move=move)
        last = [
            await client.hear("table", table=table, number=now["number"] + 1)
            for client, now in zip(clients, last, strict=True)
        ]
    return last


@in_loop
async def test_two_people_play_a_whole_game(server: Server) -> None:
    async with connected(server.port, name="Ann") as ann, connected(server.port, name="Bob") as bob:
        table = await ann.create("me", "open")
        waiting = await ann.watch(table)
        assert not waiting["begun"]
        assert waiting["view"] is None
        assert [seat["kind"] for seat in waiting["seats"]] == ["guest", "open"]
        await bob.do("sit", table=table)
        begun = await ann.hear("table", number=2)
        assert begun["begun"]
        assert [seat["name"] for seat in begun["seats"]] == ["Ann", "Bob"]
        assert begun["lines"][0]["sentences"][0] == {
            "key": "table.sit",
            "data": {"seat": {"seat": 1}, "name": "Bob"},
        }
        assert "round" in [event["event"] for event in begun["lines"][1]["events"]]
        over = await play_out([ann, bob], table)
        assert over[0]["result"] == over[1]["result"]
        assert over[0]["result"]["reason"] == "ending.hands-empty"
        assert over[0]["secret"] is not None


@in_loop
async def test_a_move_is_acknowledged_before_it_is_shown(server: Server) -> None:
    async with connected(server.port) as ann:
        table = await ann.create("me", "easy")
        now = await ann.watch(table)
        while not now["legal"]:
            now = await ann.hear("table")
        await ann.say("move", id="x", table=table, number=now["number"], move=now["legal"][0])
        first, second = await ann.hear(), await ann.hear()
        assert (first["type"], second["type"]) == ("done", "table")
        assert second["since"] == now["number"]
        assert [line["number"] for line in second["lines"]] == [first["number"]]


@in_loop
async def test_everybody_is_told_the_same_in_the_same_order(server: Server) -> None:
    async with (
        connected(server.port) as ann,
        connected(server.port) as bob,
        connected(server.port) as carl,
    ):
        table = await ann.create("me", "open")
        lines: list[list[Any]] = [[], []]
        looking = [carl, bob]
        for client, told in zip(looking, lines, strict=True):
            told += (await client.watch(table))["lines"]
        await bob.do("sit", table=table)
        over = await play_out([ann, bob], table)
        whole = await ann.watch(table)
        for client, told in zip([carl], lines[:1], strict=True):
            while told[-1]["number"] < over[0]["number"]:
                told += (await client.hear("table", table=table))["lines"]
        shown = [(line["number"], line["kind"], line["seat"], line["time"]) for line in lines[0]]
        assert shown == [
            (line["number"], line["kind"], line["seat"], line["time"]) for line in whole["lines"]
        ]


STAYS = {"game", "options", "players", "pace", "commitment"}


@in_loop
async def test_updates_leave_out_what_stays_and_keep_a_table_up_to_date(server: Server) -> None:
    async with (
        connected(server.port) as ann,
        connected(server.port) as bob,
        connected(server.port) as carl,
        connected(server.port) as dora,
    ):
        table = await ann.create("me", "open", "random")
        await ann.watch(table)
        await bob.watch(table)
        kept = await carl.watch(table)
        updates: list[Message] = []

        async def follow(number: int) -> None:
            while kept["number"] < number:
                updates.append(await carl.hear("table", table=table))
                kept.update(updates[-1])

        async def check() -> None:
            whole = await dora.watch(table)
            await follow(whole["number"])
            assert whole.keys() >= STAYS | {"seats"}
            if kept["number"] == whole["number"]:  # else the bot was faster
                assert {**kept, "since": None, "lines": whole["lines"]} == whole

        for who, type in ((bob, "sit"), (ann, "chat"), (bob, "stand"), (bob, "sit"), (bob, "resign")):
            text = {"text": "hello"} if type == "chat" else {}
            await follow((await who.do(type, table=table, **text))["number"])
            await check()
        while kept["result"] is None:
            now = await ann.watch(table)
            if now["legal"]:
                await ann.do("move", table=table, number=now["number"], move=now["legal"][0])
            await follow(now["number"] + 1)
            await check()
        assert not any(update.keys() & STAYS for update in updates)
        assert {"seats" in update for update in updates} == {True, False}


def without_presence(message: Message) -> Message:
    """What a table message says of the game; who is connected may differ."""
    seats = [{**seat, "here": None, "absent_seconds": None} for seat in message["seats"]]
    return {**message, "seats": seats}


@in_loop
async def test_coming_back_shows_what_was_there(server: Server) -> None:
    async with connected(server.port) as ann, connected(server.port) as bob:
        table = await ann.create("me", "open")
        await bob.do("sit", table=table)
        clients = [ann, bob]
        for _ in range(5):
            before = [await client.watch(table) for client in clients]
            turn = next(seat for seat, message in enumerate(before) if message["legal"])
            async with connected(server.port, clients[turn].welcome["token"]) as again:
                assert again.welcome["guest"] == clients[turn].welcome["guest"]
                assert without_presence(await again.watch(table)) == without_presence(before[turn])
                number, move = before[turn]["number"], before[turn]["legal"][0]
                await again.do("move", table=table, number=number, move=move)


@in_loop
async def test_a_restart_shows_what_was_there(server: Server) -> None:
    async with connected(server.port) as ann, connected(server.port) as bob:
        table = await ann.create("me", "open")
        await bob.do("sit", table=table)
        before = [await client.watch(table) for client in (ann, bob)]
        turn = next(seat for seat, message in enumerate(before) if message["legal"])
        move = before[turn]["legal"][0]
        await (ann, bob)[turn].do("move", table=table, number=2, move=move)
        before = [await client.watch(table) for client in (ann, bob)]
    server.restart()
    for client, message in ((ann, before[0]), (bob, before[1])):
        async with connected(server.port, client.welcome["token"]) as again:
            assert without_presence(await again.watch(table)) == without_presence(message)


@in_loop
async def test_who_looks_on_sees_no_hand_and_no_legal_moves(server: Server) -> None:
    async with connected(server.port) as ann, connected(server.port) as carl:
        table = await ann.create("me", "easy")
        shown = await carl.watch(table)
        assert shown["seat"] is None
        assert shown["legal"] == []
        assert {card for hand in shown["view"]["hands"] for card in hand} == {"?"}
        assert shown["secret"] is None


@in_loop
async def test_a_record_is_given_out_when_the_game_is_over(server: Server) -> None:
    async with connected(server.port, name="Ann") as ann, connected(server.port, name="Bob") as bob:
        table = await ann.create("me", "open")
        await bob.do("sit", table=table)
        path = f"/api/tables/{table}/record"
        assert (await fetch(server.port, path))[0] == 409
        over = await play_out([ann, bob], table)
        record = Record.parse((await fetch(server.port, path))[2])
        assert (await fetch(server.port, "/api/tables/NOTHERE2/record"))[0] == 404
        assert record.seats == ("Ann", "Bob")
        assert record.secret == over[0]["secret"]
        assert record.commitment == (await ann.watch(table))["commitment"]
        assert list(record.verify().winners) == over[0]["result"]["winners"]


@in_loop
async def test_my_tables_are_listed_the_latest_first(server: Server) -> None:
    async with connected(server.port, name="Ann") as ann, connected(server.port, name="Bob") as bob:
        first = await ann.create("me", "open")
        second = await ann.create("me", "open")
        await bob.do("sit", table=first)
        await ann.say("my-tables")
        listed = (await ann.hear("tables"))["tables"]
        assert [table["table"] for table in listed] == [first, second]
        assert listed[0]["seats"] == ["Ann", "Bob"]
        assert listed[1]["seats"] == ["Ann", ""]
        assert [table["begun"] for table in listed] == [True, False]
        now = await ann.watch(first)
        assert listed[0]["your_turn"] == bool(now["legal"])
        await bob.do("rename", name="Bobby")
        await ann.say("my-tables")
        assert (await ann.hear("tables"))["tables"][0]["seats"] == ["Ann", "Bobby"]


@in_loop
async def test_presence_tells_who_comes_and_goes(server: Server) -> None:
    async with connected(server.port, name="Ann") as ann:
        table = await ann.create("me", "open")
        await ann.watch(table)
        async with connected(server.port, name="Bob") as bob:
            await bob.do("sit", table=table)
            assert not (await ann.hear("table"))["seats"][1]["here"]
            await bob.watch(table)
            while not (await ann.hear("presence"))["seats"][1]["here"]:
                pass
        gone = (await ann.hear("presence"))["seats"][1]
        while gone["here"]:
            gone = (await ann.hear("presence"))["seats"][1]
        assert gone["absent_seconds"] == 0
        assert gone["name"] == "Bob"


@pytest.mark.parametrize("language", ["en", "es", "xx"])
def test_a_guest_has_a_name_at_once(server: Server, language: str) -> None:
    @in_loop
    async def greeted() -> None:
        async with connected(server.port, language=language) as ann:
            animal, number = ann.welcome["name"].split()
            assert animal.isalpha()
            assert 100 <= int(number) <= 999

    greeted()


@in_loop
async def test_an_unknown_token_makes_a_new_guest(server: Server) -> None:
    async with connected(server.port, token="no such token") as ann:
        assert ann.welcome["type"] == "welcome"
        assert ann.welcome["token"] != "no such token"


@in_loop
async def test_a_token_is_not_in_the_file(server: Server) -> None:
    async with connected(server.port) as ann:
        token = ann.welcome["token"]
    assert len(token) >= 43
    for file in server.data.iterdir():
        assert token.encode() not in file.read_bytes()
