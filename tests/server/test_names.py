"""Names at a table: nobody can pass for another."""

import pytest

from kibitz.server.names import distinct, looks
from tests.server.client import Message, connected
from tests.server.conftest import Start
from tests.server.serving import Server, in_loop


@pytest.mark.parametrize(
    "other",
    [
        "ANN",
        "Аnn",  # Cyrillic
        "Αnn",  # Greek
        "Ａｎｎ",  # wide
        "𝐀𝐧𝐧",  # mathematical
        "A\u200bnn",
        "Ann\u3164",
        "A\u2800nn",
        "\u115f\u1160Ann",
        "Ann\ufe0f",
        "Ann\u00ad",
        "A nn",
    ],
)
def test_what_looks_like_a_name_counts_as_that_name(other: str) -> None:
    assert not looks("Ann").isdisjoint(looks(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [("Ida", "lda"), ("Mo", "M0"), ("Ida", "ida"), ("Modern", "Modem"), ("Zoë", "Zoe\u0308")],
)
def test_letters_that_look_alike(one: str, other: str) -> None:
    assert not looks(one).isdisjoint(looks(other))


@pytest.mark.parametrize(
    ("one", "other"), [("Ann", "Anna"), ("José", "Jose"), ("Ann 1", "Ann 2"), ("李", "王"), ("🦊", "🦉")]
)
def test_people_who_are_called_otherwise_are_told_apart_as_they_are(one: str, other: str) -> None:
    assert distinct(one, [other]) == one


def test_who_comes_later_has_a_number() -> None:
    assert distinct("ann", ["Ann"]) == "ann (2)"
    assert distinct("Ann", ["Ann", "Ann (2)"]) == "Ann (3)"


def names(table: Message) -> list[str]:
    """What those at the seats are called."""
    return [seat["name"] for seat in table["seats"]]


@in_loop
async def test_no_two_at_a_table_are_called_the_same(server: Server) -> None:
    async with (
        connected(server.port, name="Ann") as ann,
        connected(server.port, name="ANN\u3164") as other,
        connected(server.port, name="Ada") as ada,
    ):
        table = await ann.create("open", "me", "open")
        await other.do("sit", table=table)
        await ada.do("sit", table=table)
        assert names(await ada.watch(table)) == ["ANN (2)", "Ann", "Ada"]
        await ada.do("rename", name="Аnn")
        while names(now := await ada.watch(table))[2] != "Аnn (3)":
            pass
        assert now["begun"]


@in_loop
async def test_a_bots_name_is_taken_for_who_comes_later(server: Server) -> None:
    async with connected(server.port, name="Ann") as ann, connected(server.port, name="Bruno") as bruno:
        table = await ann.create("me", "easy", "open")
        await bruno.do("sit", table=table)
        assert names(await bruno.watch(table)) == ["Ann", "Bruno", "Bruno (2)"]
        await ann.do("rename", name="bruno")
        await ann.do("chat", table=table, text="I am the bot")
        assert names(await bruno.watch(table)) == ["bruno (2)", "Bruno", "Bruno (3)"]


@in_loop
async def test_a_bot_takes_nobodys_name(server: Server) -> None:
    """Neither at the beginning, nor when it comes later, nor from the one for whom it plays on."""
    async with connected(server.port, name="Bruno") as bruno, connected(server.port, name="CLARA") as clara:
        table = await bruno.create("me", "easy", "open", start="host")
        await clara.do("sit", table=table)
        assert names(await bruno.watch(table)) == ["Bruno", "Clara", "CLARA (2)"], "the bot was there before"
        await bruno.do("remove", table=table, seat=1)
        assert names(await bruno.watch(table)) == ["Bruno", "", "CLARA"]
        await bruno.do("replace", table=table, seat=1, level="easy")
        assert names(await bruno.watch(table)) == ["Bruno", "Dante", "CLARA"]
        await bruno.do("swap", table=table, seat=0, other=1)
        await bruno.do("replace", table=table, seat=0, level="hard")
        assert names(await bruno.watch(table)) == ["Dante", "Bruno", "CLARA"], "it keeps its name"
        await clara.do("ready", table=table)
        await bruno.do("start", table=table)
        await clara.do("stand", table=table)
        shown = await bruno.watch(table)
        assert names(shown) == ["Dante", "Bruno", "Elsa"]
        told = shown["lines"][-1]["sentences"][0]["data"]
        assert (told["name"], told["bot"]) == ("CLARA", "Elsa")


@in_loop
async def test_who_looks_on_cannot_speak_as_a_player(server: Server) -> None:
    async with (
        connected(server.port, name="Ann") as ann,
        connected(server.port, name="Аnn") as stranger,
        connected(server.port, name="ann") as another,
    ):
        table = await ann.create("me", "open")
        for speaker in (ann, stranger, another, stranger):
            await speaker.do("chat", table=table, text="It's me")
        lines = (await ann.watch(table))["lines"][1:]
        said = [(line["name"], line["seat"]) for line in lines]
        assert said == [("Ann", 0), ("Аnn (2)", None), ("ann (3)", None), ("Аnn (2)", None)]


@in_loop
async def test_a_line_keeps_the_name_it_was_made_under(server: Server) -> None:
    async with connected(server.port, name="Ann") as ann, connected(server.port, name="Bob") as bob:
        table = await ann.create("me", "open")
        await bob.do("sit", table=table)
        await ann.do("rename", name="Anna")
        for client in (ann, bob):
            now = await client.watch(table)
            if now["legal"]:
                await client.do("move", table=table, number=now["number"], move=now["legal"][0])
                break
        await ann.do("chat", table=table, text="hello")
        lines = (await bob.watch(table))["lines"]
        called = [(line["kind"], line["called"]) for line in lines if line["called"]]
        assert called == [("create", ["Ann", ""]), ("seat", ["Ann", "Bob"]), ("name", ["Anna", "Bob"])]
        kinds = [line["kind"] for line in lines]
        assert kinds.count("name") == 1
        sentence = {"key": "table.name", "data": {"name": "Ann", "new": "Anna"}}
        assert lines[kinds.index("name")]["sentences"] == [sentence]
        assert kinds.index("name") < kinds.index("chat")
        assert lines[-1]["name"] == "Anna"
        await bob.do("rename", name="Robert")
        assert await bob.code("move", table=table, number=0, move="nothing") != ""
        assert [row.kind for row in server.rows(table)].count("name") == 1, "what is refused changes nothing"


@in_loop
async def test_names_are_the_same_after_a_restart(start: Start) -> None:
    server = start()
    async with connected(server.port, name="Ann") as ann, connected(server.port, name="ann") as bob:
        table = await ann.create("open", "me")
        await bob.do("sit", table=table)
        before = await bob.watch(table)
    server.restart()
    async with connected(server.port, bob.welcome["token"]) as again:
        after = await again.watch(table)
    assert names(after) == names(before) == ["ann (2)", "Ann"]
    assert [line["called"] for line in after["lines"]] == [line["called"] for line in before["lines"]]
