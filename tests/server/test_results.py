"""What is remembered of games that are over."""

from kibitz.server.stores.store import Finished, SeatFacts, Standing
from kibitz.server.tables.statistics import statistics
from tests.server.client import Client, connected
from tests.server.serving import Server, in_loop


@in_loop
async def test_finished_games_are_told_to_those_who_played_them(server: Server) -> None:
    async with connected(server.port) as ann, connected(server.port) as bob, connected(server.port) as eve:
        for _ in range(2):
            table = await ann.create("me", "open")
            await bob.do("sit", table=table)
            await bob.do("resign", table=table)
        told = {}
        for name, client in (("ann", ann), ("bob", bob), ("eve", eve)):
            await client.say("my-results")
            told[name] = (await client.hear("results"))["games"]
        assert [len(games) for games in told.values()] == [2, 2, 0]
        latest = told["ann"][0]
        assert latest["table"] == table
        assert latest["seat"] in latest["winners"]
        assert latest["people"] == told["bob"][1]["people"]
        assert ann.welcome["guest"] not in str(told["bob"])


async def played(client: Client) -> list[int]:
    """Play a table against a bot to its end; the scores, mine first."""
    table = await client.create("me", "random")
    told = await client.watch(table)
    while told["result"] is None:
        if told["legal"]:
            await client.do("move", table=table, number=told["number"], move=told["legal"][0])
        told = await client.hear("table", table=table)
    scores: list[int] = told["result"]["scores"]
    return scores if told["seat"] == 0 else scores[::-1]


@in_loop
async def test_what_a_game_counts_is_told_beside_the_others(server: Server) -> None:
    async with connected(server.port) as ann, connected(server.port) as eve:
        scores = [await played(ann) for _ in range(2)]
        await ann.say("my-statistics", game="tiny")
        told = await ann.hear("statistics")
        assert (told["games"], told["people"]) == (2, ["", ""])
        (counted,) = told["counts"]["rounds"]
        assert (counted["key"], counted["games"]) == ("round.1", 2)
        assert counted["mine"] == sum(mine for mine, _ in scores) / 2
        assert counted["others"] == sum(theirs for _, theirs in scores) / 2
        for client, game in ((eve, "tiny"), (ann, "nonsense")):
            await client.say("my-statistics", game=game)
            assert (await client.hear("statistics"))["games"] == 0


def finished(seat: int, *guests: str | None, **tally: tuple[dict[str, int], ...]) -> Finished:
    seats = tuple(SeatFacts(guest=guest) for guest in guests)
    standing = Standing("game", "ann", seats, begun=True, over=True, tally=tally)
    return Finished("table", 0.0, seat, standing)


def test_takings_are_summed_by_person_and_bots_are_one() -> None:
    games = [
        finished(1, "bob", "ann", None, steals=({"seat.1": 2}, {"seat.2": 3}, {"seat.0": 1})),
        finished(0, "ann", None, "bob", steals=({"seat.2": 4}, {"seat.2": 5}, {})),
    ]
    told = statistics("game", games, {"bob": "Bob"})
    assert told.people == ["", "Bob", ""]
    assert [(one.who, one.whom, one.amount) for one in told.takings["steals"]] == [
        (0, 1, 4),
        (0, 2, 3),
        (1, 0, 2),
        (2, 1, 6),
    ]


def test_a_round_counts_where_it_was_played_and_a_colour_always() -> None:
    games = [
        finished(
            0, "ann", None, rounds=({"round.1": 4, "round.10": 2}, {"round.1": 2}), sales=({"red": 6}, {})
        ),
        finished(0, "ann", None, rounds=({"round.1": 2}, {"round.1": 8}), sales=({}, {})),
        finished(0, "ann", None),  # older: nothing was counted
    ]
    told = statistics("game", games, {})
    assert told.games == 2
    assert [(one.key, one.mine, one.others, one.games) for one in told.counts["rounds"]] == [
        ("round.1", 3.0, 5.0, 2),
        ("round.10", 2.0, 0.0, 1),
    ]
    assert [(one.key, one.mine, one.games) for one in told.counts["sales"]] == [("red", 3.0, 2)]
