"""Clocks: what is left follows from the log's times; at zero happens what the table says."""

import asyncio
from typing import Any

import pytest

from kibitz.server.tables.clock import Clock, TimeSheet
from tests.server.client import Client, connected, fetch, until
from tests.server.conftest import Start
from tests.server.serving import Server, in_loop

SECONDS = Clock(seconds=60)
BANK = Clock(seconds=10, bank=300, answer=20)


def sheet(clock: Clock) -> TimeSheet:
    """A decision begins at 1000."""
    times = TimeSheet(clock, 2)
    times.begin(0, 1000.0, answering=False)
    return times


# What is left


def test_every_decision_has_its_seconds() -> None:
    times = sheet(SECONDS)
    assert times.left(0, 0, 1020.0) == 40.0
    times.decided(0, 1059.0, charged=True)
    times.begin(1, 1059.0, answering=False)
    assert times.left(1, 1, 1059.0) == 60.0


def test_a_decision_takes_from_the_bank_and_adds_to_it() -> None:
    times = sheet(BANK)
    times.decided(0, 1100.0, charged=True)
    assert times.banks == [300.0 - 100.0 + 10.0, 300.0]


def test_an_answer_has_a_time_of_its_own_and_leaves_the_bank_alone() -> None:
    times = sheet(BANK)
    times.begin(1, 1000.0, answering=True)
    assert times.left(1, 1, 1005.0) == 15.0
    times.decided(1, 1015.0, charged=True)
    assert times.banks == [300.0, 300.0]


def test_a_decision_taken_back_stays_spent() -> None:
    times = sheet(BANK)
    times.decided(0, 1100.0, charged=True)
    times.begin(1, 1100.0, answering=False)
    times.decided(1, 1101.0, charged=False)
    times.take_back(0, 1500.0)
    assert times.banks == [300.0, 300.0]
    assert times.left(0, 0, 1500.0) == 200.0


def test_reading_the_score_of_a_round_is_not_charged_whoever_goes_on_first() -> None:
    times = sheet(SECONDS)
    times.score(1000.0)
    times.begin(0, 1000.0, answering=False)
    assert times.left(0, 0, 1010.0) == 60.0
    times.decided(0, 1005.0, charged=True)
    times.begin(1, 1005.0, answering=False)
    assert times.left(1, 1, 1030.0) == 60.0, "the other may still be reading"
    times.decided(1, 1008.0, charged=True)
    times.begin(0, 1008.0, answering=False)
    assert times.left(0, 0, 1018.0) == 50.0, "who has moved has read"


# At zero


async def table_with(clock: dict[str, Any], ann: Client, *others: Client) -> str:
    """A table with a clock, at which all of these sit."""
    seats = ["me", *["open"] * len(others)]
    fields = {"game": "tiny", "seats": seats, "pace": "fast", "clock": clock, "start": "full"}
    table: str = (await ann.do("create", **fields))["table"]
    for other in others:
        await other.do("sit", table=table)
    return table


async def lines_until(client: Client, table: str, kind: str) -> list[dict[str, Any]]:
    """What the log tells when it has a line of that kind."""
    while True:
        lines: list[dict[str, Any]] = (await client.watch(table))["lines"]
        if kind in [line["kind"] for line in lines]:
            return lines
        await asyncio.sleep(0.05)


@in_loop
async def test_at_zero_a_bot_makes_that_one_move(start: Start) -> None:
    server = start(least_seconds=1)
    async with connected(server.port) as ann, connected(server.port) as bob:
        table = await table_with({"seconds": 1, "at_zero": "move"}, ann, bob)
        lines = await lines_until(ann, table, "move")
        assert "table.late.move" in [each["key"] for each in lines[-1]["sentences"]]
        assert {seat["kind"] for seat in (await ann.watch(table))["seats"]} == {"guest"}


@in_loop
async def test_at_zero_the_game_of_two_is_lost(start: Start) -> None:
    server = start(least_seconds=1)
    async with connected(server.port) as ann, connected(server.port) as bob:
        table = await table_with({"seconds": 1, "at_zero": "lost"}, ann, bob)
        await lines_until(ann, table, "resign")
        now = await ann.watch(table)
        assert now["result"]["reason"] == "table.late"
        assert len(now["result"]["winners"]) == 1
        assert now["time"] is None


@in_loop
async def test_a_clock_at_a_table_that_nobody_watches_runs_out_after_a_restart(start: Start) -> None:
    server = start(least_seconds=1)
    async with connected(server.port) as ann, connected(server.port) as bob:
        table = await table_with({"seconds": 2, "at_zero": "lost"}, ann, bob)
    server.kill()
    server.start()
    async with asyncio.timeout(60):
        while [row.kind for row in server.rows(table)][-1] != "resign":
            await asyncio.sleep(0.1)


@in_loop
async def test_the_time_in_which_no_server_ran_is_in_the_log_and_not_charged(start: Start) -> None:
    server = start(least_seconds=1)
    async with connected(server.port) as ann, connected(server.port) as bob:
        table = await table_with({"seconds": 10, "bank": 600}, ann, bob)
        await ann.watch(table)
        await until(lambda: server.query("SELECT value FROM meta WHERE key = 'alive'"))
    server.kill()
    server.age(7200.0)
    server.start()
    async with connected(server.port, ann.welcome["token"]) as ann:
        left = (await ann.watch(table))["time"]["left"]
        while min(left) < 500:  # until the server has looked
            left = (await ann.hear("table", table=table))["time"]["left"]
    assert [row.kind for row in server.rows(table)] == ["create", "seat", "start", "resume"]


@pytest.mark.parametrize(
    ("clock", "code"),
    [
        ({"seconds": 5}, "bad-clock"),
        ({"seconds": 10, "bank": 1}, "bad-clock"),
        ({"seconds": 60, "answer": 0}, "bad-clock"),
        ({"seconds": 60, "at_zero": "explode"}, "bad-at-zero"),
        ({"seconds": 60, "colour": "red"}, "bad-message"),
    ],
)
@in_loop
async def test_a_clock_that_makes_no_sense_is_refused(
    server: Server, clock: dict[str, Any], code: str
) -> None:
    async with connected(server.port) as ann:
        assert await ann.code("create", game="tiny", seats=["me", "open"], clock=clock) == code


# My turns elsewhere


@in_loop
async def test_with_days_to_move_nobodys_seat_is_given_away(start: Start) -> None:
    server = start(absent_seconds=0.0, idle_seconds=0.0)
    async with connected(server.port) as ann, connected(server.port) as bob:
        for seconds, code in ((86400, "clock-decides"), (60, None)):
            table = await table_with({"seconds": seconds}, ann, bob)
            answer = await ann.ask("replace", table=table, seat=1)  # who doesn't watch is away
            assert answer.get("code") == code


@in_loop
async def test_my_turns_are_a_feed_and_a_calendar_at_a_secret_address(server: Server) -> None:
    async with connected(server.port, name="Ann & Co") as ann, connected(server.port) as bob:
        table = await table_with({"seconds": 86400}, ann, bob)
        found = 0
        for client in (ann, bob):
            await client.say("my-turns")
            told = await client.hear("turns")
            turn = bool((await client.watch(table))["legal"])
            for address in (told["atom"], told["calendar"]):
                status, _, content = await fetch(server.port, address)
                assert status == 200
                assert (table.encode() in content) == turn
                found += turn
            wrong = told["atom"].replace("-", "-0")
            assert (await fetch(server.port, wrong))[0] == 404
        assert found == 2
