"""Ratings: what a rated game changes, for whom, once."""

import json

import pytest
from msgspec.structs import replace

from bench import anchors as reckoning
from kibitz.server.people import ratings
from kibitz.server.people.ratings import Skill, changes, counts
from kibitz.server.stores.store import SeatFacts, Standing
from tests.server.client import Client, connected
from tests.server.conftest import ROOMY, Start
from tests.server.serving import Server, in_loop
from tests.server.test_identity import lasting

GUESTS = tuple(SeatFacts(guest, guest.title()) for guest in ("ann", "bob", "cleo", "dora"))


def ended(*seats: SeatFacts, winners: tuple[int, ...] = (0,), game: str = "match") -> Standing:
    """A rated game that the first seat has won, each further one with fewer points."""
    scores = tuple(10 * (len(seats) - seat) for seat in range(len(seats)))
    return Standing(game, "ann", seats, True, True, winners, scores=scores, reason="ending.x", rated=True)


def gains(standing: Standing) -> dict[str, float]:
    """What each person's rating gains."""
    return {change.guest: change.after.mu - change.before.mu for change in changes(standing, {})}


# What a game changes


def test_everybody_is_rated_by_place_and_becomes_surer() -> None:
    standing = ended(*GUESTS)
    gained = gains(standing)
    assert gained["ann"] > gained["bob"] > gained["cleo"] > gained["dora"]
    assert all(change.after.sigma < change.before.sigma for change in changes(standing, {}))
    assert changes(standing, {}) == changes(standing, {})


def test_a_rated_bot_stands_for_its_strength_and_stays_as_it_is() -> None:
    by_level = {
        level: gains(ended(GUESTS[0], SeatFacts(None, "Bruno", level=level)))
        for level in ("easy", "medium", "hard")
    }
    assert all(list(gained) == ["ann"] for gained in by_level.values())
    assert by_level["easy"]["ann"] < by_level["medium"]["ann"] < by_level["hard"]["ann"]


def test_who_has_left_is_behind_all_who_stayed_though_the_bot_has_won() -> None:
    left = SeatFacts(None, "Ada", left="ann", level="medium")
    gained = gains(ended(left, GUESTS[1], GUESTS[2]))
    assert gained["ann"] < gained["cleo"] < gained["bob"]
    assert gained["ann"] < 0 < gained["bob"]


def test_partners_win_and_lose_together() -> None:
    gained = gains(ended(*GUESTS, winners=(0, 2), game="kazink"))
    assert gained["ann"] == gained["cleo"] > 0 > gained["bob"] == gained["dora"]


def test_what_all_agreed_to_end_changes_nothing() -> None:
    assert counts(ended(*GUESTS))
    assert not counts(replace(ended(*GUESTS), reason=ratings.VOID, winners=()))
    assert not counts(replace(ended(*GUESTS), rated=False))
    assert not counts(ended(SeatFacts(None, "Ada", level="easy"), SeatFacts(None, "Bruno", level="hard")))


def test_ratings_are_shown_in_numbers_people_know() -> None:
    assert Skill().shown == (1500, 333)
    assert Skill(30.0, 2.0).shown == (1700, 80)


def test_the_bots_ratings_follow_from_the_arenas_that_are_told_with_them() -> None:
    kept = json.loads(ratings.ANCHORS.read_text())
    assert reckoning.anchors(kept["arenas"]) == kept["anchors"]
    assert kept["how"] == reckoning.HOW


# At a table


async def rated_table(ann: Client, bob: Client) -> str:
    """A rated table for two, begun."""
    await lasting(ann, "Ann")
    await lasting(bob, "Bob")
    done = await ann.do("create", game="tiny", seats=["me", "open"], start="full", rated=True)
    table: str = done["table"]
    await bob.do("sit", table=table)
    return table


@in_loop
async def test_at_a_rated_table_sit_people_with_a_passphrase_and_rated_bots(server: Server) -> None:
    async with connected(server.port) as ann, connected(server.port) as bob:
        table = {"game": "tiny", "start": "full", "rated": True}
        assert await ann.code("create", seats=["me", "open"], **table) == "rated-passphrase"
        await lasting(ann)
        assert await ann.code("create", seats=["me", "easy"], **table) == "rated-bots"
        opened = (await ann.do("create", seats=["me", "open"], **table))["table"]
        assert (await ann.watch(opened))["rated"]
        assert await bob.code("sit", table=opened) == "rated-passphrase"
        assert await ann.code("replace", table=opened, seat=1, level="easy") == "rated-bots"
        await lasting(bob, "Bob")
        await bob.do("sit", table=opened)


@in_loop
async def test_who_waits_for_a_rated_game_is_shown_all_ratings(server: Server) -> None:
    async with connected(server.port) as ann, connected(server.port) as bob:
        await lasting(ann)
        await lasting(bob, "Bob")
        waiting = {"game": "tiny", "seats": ["me", "open", "open"]}
        table = (await ann.do("create", **waiting, rated=True))["table"]
        casual = (await ann.do("create", **waiting))["table"]
        await bob.do("sit", table=table)
        seats = (await bob.watch(table))["seats"]
        assert [(seat["rating"], seat["error"]) for seat in seats] == [(1500, 333), (1500, 333), (None, None)]
        assert all(seat["rating"] is None for seat in (await bob.watch(casual))["seats"])


@in_loop
async def test_at_a_rated_table_there_is_no_advice_and_moves_stand(server: Server) -> None:
    async with connected(server.port) as ann, connected(server.port) as bob:
        table = await rated_table(ann, bob)
        seen = [await client.watch(table) for client in (ann, bob)]
        assert not any(view["advice"] for view in seen)
        mover, view = next(each for each in zip((ann, bob), seen) if each[1]["legal"])
        await mover.do("move", table=table, number=view["number"], move=view["legal"][0])
        assert await mover.code("undo", table=table, number=view["number"] + 1) == "rated-undo"
        await mover.say("chances", table=table)
        assert (await mover.hear("failed"))["code"] == "no-advice"


@in_loop
async def test_a_rated_games_changes_are_shown_kept_and_listed(server: Server) -> None:
    async with connected(server.port) as ann, connected(server.port) as bob:
        table = await rated_table(ann, bob)
        await bob.do("resign", table=table)
        told = (await ann.watch(table))["ratings"]
        assert [change["seat"] for change in told] == [0, 1]
        assert told[0]["change"] == -told[1]["change"] > 0
        assert told[0]["rating"] == 1500 + told[0]["change"]
        assert told[0]["error"] < 333
        await bob.do("chat", table=table, text="well played")
        tokens = [client.welcome["token"] for client in (ann, bob)]
    server.restart()
    async with connected(server.port, tokens[0]) as ann, connected(server.port, tokens[1]) as bob:
        assert (await bob.watch(table))["ratings"] == told
        await ann.say("my-identity")
        (rated,) = (await ann.hear("identity"))["ratings"]
        assert (rated["game"], rated["players"], rated["games"]) == ("tiny", 2, 1)
        assert rated["curve"] == [rated["rating"]] == [told[0]["rating"]]
        await bob.say("leaderboard", game="tiny", players=2)
        leaders = (await bob.hear("leaders"))["leaders"]
        assert [(leader["name"], leader["you"]) for leader in leaders] == [("Ann", False), ("Bob", True)]
        assert "rating" in leaders[0]
        table = (await ann.do("create", game="tiny", seats=["me", "open"], start="full", rated=True))["table"]
        first, second = (await bob.watch(table))["seats"]
        assert (first["rating"], first["error"]) == (told[0]["rating"], told[0]["error"]), "before one sits"
        assert second["rating"] is None
        await bob.do("sit", table=table)
        assert all(seat["rating"] is None for seat in (await bob.watch(table))["seats"]), "the game has begun"
        await bob.do("stand", table=table)
        await ann.do("resign", table=table)
        told = (await ann.watch(table))["ratings"]
        assert [change["left"] for change in told] == ["", bob.welcome["name"]], "not the bot who played on"


@in_loop
async def test_a_host_can_switch_the_leaderboard_off(start: Start) -> None:
    server = start(limits=ROOMY, leaderboard=False)
    async with connected(server.port) as ann:
        await ann.say("leaderboard", game="tiny", players=2)
        assert (await ann.hear("failed"))["code"] == "no-leaderboard"
        await ann.say("my-identity")
        assert not (await ann.hear("identity"))["leaderboard"]


@pytest.mark.parametrize("pool", ["kaching/2", "kazink/2", "cash/2", "assets/2", "match/2"])
def test_bots_of_every_game_for_two_are_rated(pool: str) -> None:
    found = ratings.anchors()[pool]
    assert found["easy"].mu < found["medium"].mu <= found["hard"].mu
