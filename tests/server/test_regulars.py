"""A regular table: people find their seats, rules and tally again, whenever they come back."""

from typing import Any

from kibitz.server.tables.lobby import new_regular
from tests.server.client import Client, connected
from tests.server.serving import Server, in_loop

CLUB = {"game": "tiny", "seats": ["me", "open"], "start": "full", "regular": "Friday Club"}


async def told(client: Client, name: str) -> dict[str, Any]:
    await client.say("ask-regular", name=name)
    return await client.hear("regular-told")


async def opened(ann: Client, bob: Client) -> tuple[str, str]:
    """A regular table at which both sit: its name, and its first game."""
    table = (await ann.do("create", **CLUB))["table"]
    await bob.do("sit", table=table)
    name = (await ann.watch(table))["regular"]["name"]
    return name, table


@in_loop
async def test_its_people_are_led_to_the_game_that_goes_on_and_then_to_the_next(server: Server) -> None:
    async with connected(server.port, name="Ann") as ann, connected(server.port, name="Bob") as bob:
        name, first = await opened(ann, bob)
        assert (await bob.do("regular", name=name))["table"] == first
        await bob.do("resign", table=first)
        second = (await ann.do("regular", name=name))["table"]
        assert second != first
        seats = (await ann.watch(second))["seats"]
        assert [(seat["name"], seat["kept_for"]) for seat in seats] == [("Ann", ""), ("", "Bob")]
        assert (await bob.do("regular", name=name))["table"] == second
        await bob.do("sit", table=second)
        assert (await told(bob, name))["table"] == second


@in_loop
async def test_the_tally_runs_on_over_all_games(server: Server) -> None:
    async with connected(server.port, name="Ann") as ann, connected(server.port, name="Bob") as bob:
        name, table = await opened(ann, bob)
        for loser in (bob, bob, ann):
            await loser.do("resign", table=table)
            table = (await ann.do("regular", name=name))["table"]
            await bob.do("sit", table=table)
        club = await told(ann, name)
        assert (club["title"], club["game"], club["belongs"]) == ("Friday Club", "tiny", True)
        assert [(each["name"], each["games"], each["wins"]) for each in club["players"]] == [
            ("Ann", 3, 2),
            ("Bob", 3, 1),
        ]
        assert [each["winners"] for each in club["games"]] == [[1], [0], [0]]


@in_loop
async def test_others_may_look_but_begin_no_game(server: Server) -> None:
    async with (
        connected(server.port, name="Ann") as ann,
        connected(server.port, name="Bob") as bob,
        connected(server.port, name="Eve") as eve,
    ):
        name, table = await opened(ann, bob)
        await bob.do("resign", table=table)
        assert (await eve.do("regular", name=name))["table"] == table
        assert not (await told(eve, name))["belongs"]
        assert (await told(ann, name))["table"] is None  # nobody has begun the next one


@in_loop
async def test_who_missed_an_evening_begins_the_next_in_a_bots_seat(server: Server) -> None:
    """Bob's seat was a bot's in the last game; Eve was never there, and still can't begin one."""
    async with (
        connected(server.port, name="Ann") as ann,
        connected(server.port, name="Bob") as bob,
        connected(server.port, name="Eve") as eve,
    ):
        name, first = await opened(ann, bob)
        await bob.do("resign", table=first)
        second = (await ann.do("regular", name=name))["table"]
        await ann.do("replace", table=second, seat=1, level="easy")
        await ann.do("resign", table=second)
        assert (await eve.do("regular", name=name))["table"] == second
        assert (await told(bob, name))["belongs"]
        third = (await bob.do("regular", name=name))["table"]
        assert third != second
        now = await bob.watch(third)
        assert [(seat["name"], seat["kept_for"]) for seat in now["seats"]] == [("", "Ann"), ("Bob", "")]
        await ann.do("sit", table=third)
        assert (await ann.watch(third))["begun"]


@in_loop
async def test_who_missed_an_evening_and_finds_all_seats_kept_arranges_the_next(server: Server) -> None:
    async with (
        connected(server.port, name="Ann") as ann,
        connected(server.port, name="Bob") as bob,
        connected(server.port, name="Cleo") as cleo,
    ):
        name, first = await opened(ann, bob)
        await bob.do("resign", table=first)
        second = (await ann.do("regular", name=name))["table"]
        await bob.do("stand", table=second)
        await cleo.do("sit", table=second)
        await cleo.do("resign", table=second)
        third = (await bob.do("regular", name=name))["table"]
        now = await bob.watch(third)
        assert now["you_host"]
        assert [seat["kept_for"] for seat in now["seats"]] == ["Ann", "Cleo"]
        await bob.do("change", table=third, players=3)
        await bob.do("sit", table=third)
        assert [seat["name"] for seat in (await bob.watch(third))["seats"]] == ["", "", "Bob"]


def test_its_address_is_made_of_what_it_is_called_and_of_chance() -> None:
    club, other = new_regular("  Café de los Jueves!  "), new_regular("Café de los Jueves!")
    assert club is not None
    assert other is not None
    assert club.title == "Café de los Jueves!"
    assert club.name.startswith("cafe-de-los-jueves-")
    assert club.name != other.name
    assert new_regular("東京") is not None
    assert new_regular(" \u3164 ") is None
