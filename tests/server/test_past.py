"""A table as it was after a row: the same for each who looks as it was then."""

import asyncio

import pytest

from tests.server.client import Client, Message, connected
from tests.server.conftest import Start
from tests.server.serving import in_loop

KEPT = ("number", "seat", "begun", "practice", "can_undo", "view", "legal", "thinking", "result", "secret")


async def recalled(client: Client, table: str, number: int) -> Message:
    """The table as it was, or why not."""
    await client.say("recall", table=table, number=number)
    answer = await client.hear("recalled", "failed")
    return answer["moment"] if answer["type"] == "recalled" else answer


def test_every_moment_is_shown_again_as_it_was_shown_to_each(start: Start) -> None:
    server = start()

    @in_loop
    async def play() -> None:
        async with (
            connected(server.port) as ann,
            connected(server.port) as ben,
            connected(server.port) as carl,
        ):
            table = (await ann.do("create", game="tiny", start="full", seats=["me", "open"]))["table"]
            await ben.do("sit", table=table)
            all_shown: dict[Client, dict[int, Message]] = {}
            for client in (ann, ben, carl):
                now = await client.watch(table)
                all_shown[client] = {now["number"]: now}
            for _ in range(60):
                mover = next((each for each in (ann, ben) if last(all_shown[each])["legal"]), None)
                if mover is None:
                    break
                before = last(all_shown[mover])
                await mover.do("move", table=table, number=before["number"], move=before["legal"][-1])
                for client, shown in all_shown.items():
                    now = await client.hear("table")
                    shown[now["number"]] = now
            assert last(all_shown[ann])["result"]
            for client, shown in all_shown.items():
                for number, then in shown.items():
                    again = await recalled(client, table, number)
                    assert {key: again[key] for key in KEPT} == {key: then[key] for key in KEPT}

    play()


def last(shown: dict[int, Message]) -> Message:
    """The latest of what was shown."""
    return shown[max(shown)]


def test_who_sat_there_then_sees_what_that_seat_saw_and_who_came_later_what_lay_open(start: Start) -> None:
    server = start()

    @in_loop
    async def change_seats() -> None:
        async with connected(server.port) as ann, connected(server.port) as ben:
            table = (await ann.do("create", game="tiny", seats=["me", "easy", "easy"]))["table"]
            first = await ann.watch(table)
            await ann.do("stand", table=table)
            assert (await recalled(ann, table, first["number"]))["view"]["hands"] == first["view"]["hands"]
            open_view = await recalled(ben, table, first["number"])
            assert open_view["seat"] is None
            assert {card for hand in open_view["view"]["hands"] for card in hand} == {"?"}

    change_seats()


@pytest.mark.parametrize("number", [-1, 10_000])
def test_a_row_that_is_not_there_is_refused(start: Start, number: int) -> None:
    server = start()

    async def ask() -> Message:
        async with connected(server.port) as ann:
            table = (await ann.do("create", game="tiny", start="full", seats=["me", "open"]))["table"]
            return await recalled(ann, table, number)

    assert asyncio.run(ask())["code"] == "no-such-row"


def test_looking_back_has_its_measure(start: Start) -> None:
    server = start(limits={"recalls": 2})

    async def ask() -> list[Message]:
        async with connected(server.port) as ann:
            table = (await ann.do("create", game="tiny", start="full", seats=["me", "open"]))["table"]
            return [await recalled(ann, table, 0) for _ in range(3)]

    assert [answer.get("code") for answer in asyncio.run(ask())] == [None, None, "slow-down"]
