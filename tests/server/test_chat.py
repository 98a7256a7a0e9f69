"""What people say and are called: plain text, in measure."""

import msgspec
import pytest

from kibitz.server.protocol import CHAT_LENGTH, NAME_LENGTH
from kibitz.server.tables.refusals import NotAllowed
from kibitz.server.texts import clean
from tests.server.client import connected
from tests.server.conftest import Start
from tests.server.serving import Server, in_loop


@in_loop
async def test_text_and_presets_are_heard_by_all(server: Server) -> None:
    async with connected(server.port, name="Ann") as ann, connected(server.port, name="Carl") as carl:
        table = await ann.create("me", "open")
        await ann.watch(table)
        await carl.do("chat", table=table, text="<b>hello</b> & 'hi'")
        line = (await ann.hear("table"))["lines"][0]
        assert (line["kind"], line["name"], line["seat"]) == ("chat", "Carl", None)
        assert line["text"] == "<b>hello</b> & 'hi'"
        await ann.do("chat", table=table, preset="good-game")
        line = (await ann.hear("table"))["lines"][0]
        assert (line["preset"], line["text"], line["seat"]) == ("good-game", "", 0)


@in_loop
async def test_chat_does_not_make_a_move_stale(server: Server) -> None:
    async with connected(server.port) as ann:
        table = await ann.create("me", "random")
        now = await ann.watch(table)
        while not now["legal"]:
            now = await ann.hear("table")
        await ann.do("chat", table=table, text="let me think")
        await ann.do("move", table=table, number=now["number"], move=now["legal"][0])


@in_loop
async def test_refused_chat(server: Server) -> None:
    async with connected(server.port) as ann:
        table = await ann.create("me", "open")
        assert await ann.code("chat", table=table, text=" \n\t\u202e ") == "nothing-said"
        assert await ann.code("chat", table=table, text="x" * (CHAT_LENGTH + 1)) == "too-long"
        assert await ann.code("chat", table=table, preset="insult") == "unknown-preset"
        assert await ann.code("chat", table="NOTHERE2", text="hello") == "gone"
        await ann.do("chat", table=table, text="x" * CHAT_LENGTH)


@in_loop
async def test_five_in_ten_seconds_and_sending_again_does_not_count(start: Start) -> None:
    server = start()
    async with connected(server.port) as ann:
        table = await ann.create("me", "open")
        for number in range(5):
            await ann.do("chat", table=table, text="hello", id=f"c{number}")
        answer = await ann.ask("chat", table=table, text="hello")
        assert (answer["type"], answer["code"]) == ("refused", "slow-down")
        assert 1 <= answer["data"]["count"] <= 10
        await ann.do("chat", table=table, text="hello", id="c3")


@in_loop
async def test_a_table_has_room_for_so_many_lines(start: Start) -> None:
    server = start(limits={"messages": 10_000, "chats": 10_000})
    async with connected(server.port) as ann:
        table = await ann.create("me", "open")
        for _ in range(500):
            await ann.say("chat", id=f"{_}", table=table, text="x")
        assert await ann.code("chat", table=table, text="one more") == "chat-full"


@in_loop
async def test_who_is_renamed_is_called_so_from_then_on_everywhere(server: Server) -> None:
    async with connected(server.port) as ann, connected(server.port, ann.welcome["token"]) as tab:
        table = await ann.create("me", "open")
        for number in range(20):
            await ann.do("rename", name=f"Ann {number}")
            done = await tab.do("chat", table=table, text="It's me")
            said = msgspec.json.decode(server.rows(table)[done["number"]].body)
            assert said["name"] == f"Ann {number}"


@in_loop
async def test_renaming_is_told_to_all_connections_and_tables(server: Server) -> None:
    async with connected(server.port, name="Ann") as ann, connected(server.port) as bob:
        table = await ann.create("me", "open")
        await bob.watch(table)
        async with connected(server.port, ann.welcome["token"]) as tab:
            await ann.do("rename", name="  Anna\u200b  Maria ")
            assert (await tab.hear("renamed"))["name"] == "Anna Maria"
            while (await bob.hear("presence"))["seats"][0]["name"] != "Anna Maria":
                pass  # that he looks on was told before
            assert (await tab.watch(table))["seats"][0]["name"] == "Anna Maria"
        assert await ann.code("rename", name="\u0000\u202e") == "no-name"
        assert await ann.code("rename", name=" – ") == "no-name"  # as those are told who are forgotten
        assert await ann.code("rename", name="x" * (NAME_LENGTH + 1)) == "too-long"
    async with connected(server.port, ann.welcome["token"]) as again:
        assert again.welcome["name"] == "Anna Maria"


@in_loop
async def test_renaming_has_its_measure(start: Start) -> None:
    server = start()
    async with connected(server.port) as ann:
        for number in range(10):
            await ann.do("rename", name=f"Ann {number}")
        assert await ann.code("rename", name="Ann again") == "slow-down"


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("  a \n b\t", "a b"),
        ("a\x00\x1b[31mb\x7f", "a[31mb"),
        ("\u202eevil\u202c", "evil"),
        ("e\u0301", "é"),
        ("👩‍🚀", "👩‍🚀"),
        ("\u200d", ""),
        ("\ufeffa\u200bb", "ab"),
        ("﷽", "﷽"),
        ("\u3164\u2800\u115f", ""),
        ("\ufe0f", ""),
        ("❤️", "❤️"),
        ("a" + 20 * "\u0323", "ạ" + 3 * "\u0323"),
    ],
)
def test_cleaned_text(text: str, cleaned: str) -> None:
    assert clean(text, 24) == cleaned


def test_a_text_is_not_cut_but_refused() -> None:
    with pytest.raises(NotAllowed, match="24 characters"):
        clean("x" * 25, 24)
