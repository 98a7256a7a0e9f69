"""What a viewer receives depends only on what that viewer may know. [P4]

Two servers deal worlds that differ only in what seat 0 can't see: a card in seat 1's hand, and the deck; or,
where those who look on see all hands late, in what seat 1 has hidden since. The same people do the same;
every byte that seat 0 and a spectator receive must be the same, over WebSockets, HTTP and programs' streams.
"""

import re
from collections.abc import Awaitable, Callable, Iterator, Sequence
from functools import partial
from http.client import HTTPConnection
from itertools import count
from typing import Any

import msgspec
import pytest

import kibitz
from kibitz.core.state import State
from kibitz.server.bot_api.shapes import ROOT
from tests.server.client import Client, Message, connected, fetch
from tests.server.conftest import ROOMY, Start
from tests.server.doors import COMMANDS, Stage, forms
from tests.server.serving import Server, in_loop

MOVES = 5  # made in each: hide, lay, lay, lay, lay
ASKING = (0, 3)  # before these moves, and after the last, everything is asked


class World:
    """A deal in which seat 1 begins: it hides a card, then both lay open."""

    def __init__(self, secret: bytes, hides: int = 0) -> None:
        self.secret = secret
        self._hides = hides
        self.moves: list[str] = []
        self.key: tuple[Any, ...] | None = None
        state = kibitz.game("tiny").deal(2, secret)
        if state.turn == 1:
            self._play(state)

    def _play(self, state: State) -> None:
        """Hide the lowest card, or another; lay always the highest."""
        self.hidden = state.position()["hands"][1][self._hides]
        self._move(state, f"hide {self.hidden}")
        while len(self.moves) < MOVES:
            assert state.turn is not None
            self._move(state, f"lay {state.position()['hands'][state.turn][-1]}")
        self.key = (state.view(0), msgspec.json.encode(state.log(0)))

    def _move(self, state: State, move: str) -> None:
        state.play(move)
        self.moves.append(move)


def twins() -> Iterator[tuple[World, World]]:
    """Pairs of worlds that seat 0 can't tell apart though another card is hidden in each."""
    known: dict[bytes, World] = {}
    for number in count(1):
        world = World(number.to_bytes(32))
        if world.key is None:
            continue
        other = known.setdefault(msgspec.json.encode(world.key), world)
        if other.hidden != world.hidden:
            yield other, world


def twins_of_one_deal() -> Iterator[tuple[World, World]]:
    """The same, but all hands were the same before the first move."""
    for number in count(1):
        pair = World(number.to_bytes(32)), World(number.to_bytes(32), hides=1)
        if pair[0].key is not None and pair[0].key == pair[1].key and pair[0].hidden != pair[1].hidden:
            yield pair


# What viewers ask and are told

# What those who look on are allowed, and in what the worlds differ
SPECTATORS = {"open": twins, "end": twins, "late": twins_of_one_deal, "nobody": twins}
CHANGING = "hello rename invite-device join-device set-passphrase sign-in new-token leave-devices forget-me"
CHANGING += " create seek daily regular watch unwatch stand undo resign replace nudge agree chat wish pace"
CHANGING += " continue"  # what would be done, has no answer, or is asked elsewhere here
ANSWERS = {
    "hint": "hinted",
    "beliefs": "believed",
    "chances": "chance",
    "preview": "previewed",
    "recall": "recalled",
    "my-tables": "tables",
    "my-results": "results",
    "my-statistics": "statistics",
    "my-turns": "turns",
    "my-identity": "identity",
    "ask-daily": "daily-results",
    "ask-regular": "regular-told",
    "leaderboard": "leaders",
    "public-tables": "public",
    "ping": "pong",
}


async def ask_everything(client: Client, table: str, number: int) -> None:
    """Every message of the protocol that changes nothing, or is refused, about a table."""
    stage = Stage(table, table, table, number, "lay 9", number)
    for type, form in forms(stage).items():
        if type in CHANGING.split():
            continue
        if type in COMMANDS:
            await client.ask(type, id=f"{type} {number}", **form)
        else:
            await client.say(type, **form)
            await client.hear(ANSWERS[type], "failed")


async def visit(server: Server, world: World, spectators: str) -> list[list[Any]]:
    """Everything that seat 0, a spectator and a stranger receive, from the deal to the last move."""
    async with (
        connected(server.port, name="Ann") as ann,
        connected(server.port, name="Bob") as bob,
        connected(server.port, name="Carl") as carl,
        connected(server.port, name="Dora") as dora,
    ):
        asked: Message = {"game": "tiny", "seats": ["me", "open"], "start": "full", "spectators": spectators}
        asked |= {"late_moves": MOVES, "regular": "Friday club"}
        table = (await ann.do("create", id="create", **asked))["table"]
        regular = (await ann.watch(table))["regular"]["name"]
        mine, here = Stream(server, ann, "stream"), Stream(server, ann, f"tables/{table}/stream")
        beside = Stream(server, carl, f"tables/{table}/stream")
        await bob.do("sit", table=table, id="sit")
        await carl.say("watch", table=table)
        await carl.hear("table", "gone")
        number = 2  # the cards are dealt in that row
        for turn, move in enumerate(world.moves):
            mover = ann if turn % 2 else bob
            for client in (ann, carl, dora) if turn in ASKING else ():
                await ask_everything(client, table, number)
            await carl.ask("undo", table=table, number=number, id=f"undo {turn}")
            await carl.ask("move", table=table, number=number, move=move, id=f"not mine {turn}")
            await mover.do("move", table=table, number=number, move=move, id=f"move {turn}")
            said = await bob.do("chat", table=table, text=f"chat {turn}", id=f"chat {turn}")
            number = said["number"]
        for client in (ann, carl):
            await client.say("watch", table=table)
            await client.hear("table", "gone")
            await ask_everything(client, table, number)
        for client in (ann, carl, dora):
            await visit_regular(client, regular)
        private = (await carl.ask("chat", table=table, text="bye", id="bye"))["type"] == "refused"
        streamed = mine.until("gameStart") + here.until(f"chat {MOVES - 1}")
        streamed += beside.until('"gameFull"' if private else '"bye"')
        received = [*(client.received for client in (ann, carl, dora)), streamed]
        told = [normalised(texts, table, regular) for texts in received]
        return [*told, await fetched(server, ann, table, regular)]


class Stream:
    """What a program is told, line by line."""

    def __init__(self, server: Server, client: Client, path: str) -> None:
        self._connection = HTTPConnection("127.0.0.1", server.port, timeout=60)
        token = {"Authorization": f"Bearer {client.welcome['token']}"}
        self._connection.request("GET", f"{ROOT}/{path}", headers=token)
        self._answer = self._connection.getresponse()
        assert self._answer.status == 200

    def until(self, last: str) -> list[str]:
        """All lines up to the first that has this; empty ones only show that the stream lives."""
        lines: list[str] = []
        while not (lines and last in lines[-1]):
            line = self._answer.readline().decode()
            assert line, "the stream has ended"
            lines += [line] if line.strip() else []
        self._answer.close()
        self._connection.close()
        return lines


async def visit_regular(client: Client, name: str) -> None:
    """Ask for a regular table, and go there."""
    await client.say("ask-regular", name=name)
    await client.hear("regular-told")
    await client.do("regular", name=name, id="visit")


async def fetched(server: Server, client: Client, table: str, regular: str = "none") -> list[Any]:
    """What a guest gets over plain HTTP: its turns, what is kept about it, a record, the programs' doors."""
    await client.say("my-turns")
    turns = await client.hear("turns")
    token = {"Authorization": f"Bearer {client.welcome['token']}"}
    paths = [turns["atom"], turns["calendar"], f"/api/tables/{table}/record", "/api/me", f"{ROOT}/tables"]
    found = []
    for path in paths:
        status, _, content = await fetch(server.port, path[path.index("/api") :], None, token)
        text = re.sub(MOMENT, "0", content.decode().replace(table, "TABLE").replace(regular, "REGULAR"))
        text = text.replace(f":{server.port}/", "/")
        for secret in (client.welcome["guest"], turns["atom"].rpartition("/")[2].partition(".")[0]):
            text = text.replace(secret, "SECRET")
        found.append((status, _plain(msgspec.json.decode(text)) if text.startswith("{") else text))
    return found


MOMENT = r"\d{4}-?\d\d-?\d\dT[\d:.]+(Z|\+00:00)?|\d{10}\.\d+"  # a date, or seconds since 1970
ALWAYS_DIFFERENT = ["time", "commitment", "guest", "token", "absent_seconds", "left", "atom", "calendar"]
ALWAYS_DIFFERENT += ["created", "seen", "since", "exported"]


def normalised(received: Sequence[str], table: str, regular: str = "none") -> list[Any]:
    """All that came, but for names, times and the secret's hash, which always differ.

    When presence is told depends on the moment; it has only who is connected.
    """
    same = [text.replace(table, "TABLE").replace(regular, "REGULAR") for text in received]
    messages = [_plain(msgspec.json.decode(text)) for text in same]
    return [message for message in messages if message["type"] != "presence"]


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: None if key in ALWAYS_DIFFERENT else _plain(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_plain(part) for part in value]
    return value


def leaks(start: Start, mutant: str | None) -> int:
    """In how many pairs of worlds somebody could tell which it is, until one is found."""
    found = 0
    for spectators, worlds in SPECTATORS.items():
        pair = next(worlds())
        received = []
        for world in pair:
            server = start(limits=ROOMY, secret=world.secret.hex(), mutant=mutant)
            received.append(told_by(partial(visit, server, world, spectators)))
            server.kill()
        found += received[0] != received[1]
        if found:
            break
    return found


def told_by(visiting: Callable[[], Awaitable[list[list[Any]]]]) -> list[list[Any]]:
    """What everybody is told on a visit."""
    told: list[list[Any]] = []

    @in_loop
    async def go() -> None:
        told.extend(await visiting())

    go()
    return told


def test_nobody_can_tell_worlds_apart_that_differ_in_what_is_hidden(start: Start) -> None:
    assert leaks(start, None) == 0


# The deal of the day


def daily_twins() -> tuple[bytes, bytes]:
    """Two secrets by which seat 0 of three begins with the same cards, and the others have other ones."""
    known: dict[bytes, tuple[bytes, Any]] = {}
    for number in count(1):
        secret = number.to_bytes(32)
        state = kibitz.game("tiny").deal(3, secret)
        hands = state.position()["hands"]
        seen = msgspec.json.encode((state.view(0), state.log(0)))
        other, others_hands = known.setdefault(seen, (secret, hands))
        if state.turn == 0 and hands != others_hands:
            return other, secret
    raise AssertionError


async def visit_daily(server: Server) -> list[list[Any]]:
    """Everything that one who plays the deal of the day receives before the first move, and a stranger."""
    async with connected(server.port, name="Ann") as ann, connected(server.port, name="Eve") as eve:
        table = (await ann.do("daily", game="tiny", id="daily"))["table"]
        number = (await ann.watch(table))["number"]
        await eve.say("watch", table=table)
        await eve.hear("gone")
        for client in (ann, eve):
            await ask_everything(client, table, number)
        told = [normalised(client.received, table) for client in (ann, eve)]
        return [*told, await fetched(server, ann, table)]


def test_nobody_can_tell_deals_of_the_day_apart_that_differ_in_what_is_hidden(start: Start) -> None:
    received: list[Any] = []
    for secret in daily_twins():
        server = start(limits=ROOMY, secret=secret.hex())
        received.append(told_by(partial(visit_daily, server)))
    assert received[0] == received[1]


@pytest.mark.parametrize(
    "mutant", ["open-events", "open-views", "open-legal-moves", "telling-errors", "late-too-soon"]
)
def test_a_planted_leak_is_caught(start: Start, mutant: str) -> None:
    assert leaks(start, mutant) > 0


@in_loop
async def test_the_secret_stays_until_the_game_is_over(server: Server) -> None:
    async with connected(server.port) as ann, connected(server.port) as bob:
        table = await ann.create("me", "open")
        await bob.do("sit", table=table)
        await ann.watch(table)
        secret = msgspec.json.decode(server.rows(table)[0].body)["secret"]
        assert not any(secret in text for client in (ann, bob) for text in client.received)
        await ann.do("resign", table=table)
        assert (await bob.watch(table))["secret"] == secret
