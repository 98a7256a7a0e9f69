"""Previews at a table: what my moves would surely do, for who decides, and within a measure."""

import asyncio

from tests.server.client import Message, connected
from tests.server.conftest import Start
from tests.server.serving import Server, in_loop


async def asked(server: Server, moves: list[str] | None = None) -> tuple[Message, Message]:
    """A table of Ka-Ching!, and the answer to who asks what some moves, or all, would do there."""
    async with connected(server.port) as ann:
        done = await ann.do("create", game="kaching", seats=["me", "easy"], options={"starter": 0})
        now = await ann.watch(done["table"])
        await ann.say("preview", table=done["table"], moves=now["legal"] if moves is None else moves)
        return now, await ann.hear("previewed", "failed")


def test_what_moves_would_do_is_told_in_events_and_in_words(start: Start) -> None:
    now, told = asyncio.run(asked(start(games=("kaching",))))
    assert (told["table"], told["number"]) == (now["table"], now["number"])
    assert [each["move"] for each in told["previews"]] == now["legal"]
    for column, each in enumerate(told["previews"]):
        card = now["view"]["columns"][column][-1]
        assert each["events"] == [
            {"event": "take", "seat": 0, "card": card, "source": None},
            {"event": "money", "seat": 0, "amount": -int(card[1:])},
        ]
        assert [sentence["key"] for sentence in each["sentences"]] == ["log.buy"]


def test_a_preview_of_a_move_that_is_not_legal_names_the_rule(start: Start) -> None:
    _, refused = asyncio.run(asked(start(games=("kaching",)), ["pass"]))
    assert refused["code"] == "must-trade"


def test_previews_have_their_measure(start: Start) -> None:
    server = start(games=("kaching",), limits={"previews": 2, "previewed_moves": 3})

    @in_loop
    async def ask() -> None:
        async with connected(server.port) as ann:
            done = await ann.do("create", game="kaching", seats=["me", "easy"], options={"starter": 0})
            table = done["table"]
            await ann.watch(table)
            await ann.say("preview", table=table, moves=["buy 1"] * 4)
            assert (await ann.hear("failed"))["code"] == "too-many-previews"
            for _ in range(2):
                await ann.say("preview", table=table, moves=["buy 1"])
                await ann.hear("previewed")
            await ann.say("preview", table=table, moves=["buy 1"])
            assert (await ann.hear("failed"))["code"] == "slow-down"

    ask()
