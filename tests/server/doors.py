"""Every door of the server: what a stranger can send, each message and each address, in a form that works.

`test_doors.py` floods them all; a message or an address that is missing here fails a test there.
"""

from dataclasses import dataclass
from typing import Any

import msgspec

from kibitz.server import protocol
from kibitz.server.bot_api.shapes import ROOT
from tests.server.client import Client, connected, fresh_id

Form = dict[str, Any]

AT_ONCE = 75  # lines said over one connection
CHATS = 4 * AT_ONCE  # lines at the waiting table: its log is long to show, and to go through


@dataclass
class Stage:
    """Tables of a guest who means no good: one waits, at one it has to decide, one is over."""

    waiting: str = "ABCDEFGH"
    playing: str = "ABCDEFGH"
    over: str = "ABCDEFGH"
    number: int = 1
    move: str = "lay 1"
    last: int = 1


def forms(stage: Stage) -> dict[str, Form]:
    """Each message that can be sent, by its type; commands lack their id."""
    waiting, playing = {"table": stage.waiting}, {"table": stage.playing}
    at_number = playing | {"number": stage.number}
    return {
        "hello": {"protocol": protocol.PROTOCOL},
        "rename": {"name": "Mallory"},
        "invite-device": {},
        "join-device": {"code": "ABCDEFGH"},
        "set-passphrase": {"login": "mallory", "passphrase": "no good at all, not at all"},
        "sign-in": {"login": "mallory", "passphrase": "no good at all, not at all"},
        "new-token": {},
        "leave-devices": {},
        "daily": {"game": "tiny"},
        "ask-daily": {"game": "tiny"},
        "regular": {"name": "Mondays"},
        "ask-regular": {"name": "Mondays"},
        "my-identity": {},
        "leaderboard": {"game": "tiny", "players": 2},
        "create": {"game": "tiny", "seats": ["me", "open"], "pace": "fast", "listed": True},
        "seek": {"game": "tiny", "players": 2, "bots_after": 60},
        "find": {"code": stage.waiting[: protocol.CODE_LENGTH]},
        "public-tables": {},
        "watch": waiting,
        "unwatch": waiting,
        "sit": waiting | {"seat": 1},
        "stand": waiting,
        "ready": waiting | {"ready": True},
        "word": waiting | {"word": "abracadabra"},
        "swap": waiting | {"seat": 0, "other": 1},
        "remove": waiting | {"seat": 1},
        "change": waiting | {"pace": "slow", "listed": True},
        "start": waiting,
        "move": at_number | {"move": stage.move},
        "undo": at_number,
        "answer-undo": playing | {"agree": True},
        "resign": {"table": stage.over},
        "replace": waiting | {"seat": 1, "level": "easy"},
        "nudge": playing,
        "agree": playing | {"end": False},
        "rematch": {"table": stage.over},
        "chat": waiting | {"preset": "clap", "at": 0},
        "report": waiting | {"number": stage.last},
        "wish": playing | {"to": 1, "offered": ["1"], "wanted": ["2"]},
        "hint": playing,
        "beliefs": playing,
        "chances": playing,
        "preview": playing | {"moves": [stage.move] * 64},
        "recall": waiting | {"number": stage.last},
        "pace": playing | {"pace": "fast"},
        "continue": at_number,
        "my-tables": {},
        "my-results": {},
        "my-statistics": {"game": "tiny"},
        "my-turns": {},
        "ping": {},
        "forget-me": {},
    }


COMMANDS = {
    kind.__struct_config__.tag for kind in protocol.FromClient.__args__ if issubclass(kind, protocol.Command)
}


def message(type: str, form: Form) -> Form:
    """A message as it is sent, a command with an id of its own."""
    return {"type": type, **({"id": fresh_id()} if type in COMMANDS else {}), **form}


async def set_the_stage(guest: Client, port: int, local: str) -> Stage:
    """Open the tables; the one that waits has much to show."""
    waiting = await guest.create("me", "open", start="host")
    for _ in range(CHATS // AT_ONCE):
        async with connected(port, guest.welcome["token"], local=local) as talking:
            for number in range(AT_ONCE):
                text = f"{number}: " + "much to say, and much to show " * 3
                await talking.do("chat", table=waiting, text=text)
    playing = await guest.create("me", "easy")
    now = await guest.watch(playing)
    while not now["legal"]:
        now = await guest.hear("table", table=playing)
    over = await guest.create("me", "easy")
    await guest.do("resign", table=over)
    return Stage(waiting, playing, over, now["number"], now["legal"][0], CHATS)


# Addresses


@dataclass
class Address:
    """A route's path, a request that it answers, and what is sent along."""

    path: str
    asked: str = ""
    content: bytes | None = None
    token: str = ""

    @property
    def request(self) -> str:
        """What is asked for."""
        return self.asked or self.path


def addresses(stage: Stage, record: bytes, turns: str, token: str) -> list[Address]:
    """Each route, with something to ask of it."""
    secret = turns.removesuffix(".atom").removeprefix("/api/turns/")
    tiny = "/api/games/tiny"
    at = f"{ROOT}/tables/{stage.waiting}"
    return [
        Address("/host/{act}", "/host/close", b"{}"),
        Address("/api/me", token=token),
        Address("/api/games/{game}/position.json", f"{tiny}/position.json"),
        Address("/api/puzzles.json"),
        Address("/api/games/{game}/puzzles/{puzzle}/answer", f"{tiny}/puzzles/1/answer?move=lay+1", b""),
        Address(f"{ROOT}/openapi.json"),
        Address(f"{ROOT}/account", content=b'{"name": "Mallory"}'),
        Address(f"{ROOT}/tables", token=token),
        Address(f"{ROOT}/stream"),  # without a token: with one, it never ends
        Address(f"{ROOT}/offers", content=b'{"game": "tiny"}', token=token),
        Address(f"{ROOT}/offers/{{table}}/accept", f"{ROOT}/offers/{stage.waiting}/accept", b"", token),
        Address(f"{ROOT}/tables/{{table}}/stream", f"{at}/stream"),
        Address(f"{ROOT}/tables/{{table}}/move/{{move:path}}", f"{at}/move/lay%201", b"", token),
        Address(f"{ROOT}/tables/{{table}}/chat", f"{at}/chat", b'{"text": "hi"}', token),
        Address(f"{ROOT}/tables/{{table}}/resign", f"{at}/resign", b"", token),
        Address(f"{ROOT}/tables/{{table}}/leave", f"{at}/leave", b"", token),
        Address("/readyz"),
        Address("/metrics"),
        Address("/host.json"),
        Address("/healthz"),
        Address("/api/host"),
        Address("/api/games"),
        Address("/api/bots"),
        Address("/api/games/{game}/words.{language}.json", f"{tiny}/words.es.json"),
        Address("/api/games/{game}/rulebook.{language}.html", "/api/games/kaching/rulebook.en.html"),
        Address("/api/games/{game}/pictures/{file}", "/api/games/kaching/pictures/nothing.svg"),
        Address("/api/games/{game}/lesson.{language}.json", "/api/games/kaching/lesson.en.json"),
        Address("/api/games/{game}/lesson/{step}/refusal", "/api/games/kaching/lesson/1/refusal?move=buy"),
        Address("/api/games/{game}/score", "/api/games/kaching/score", b"{}"),
        Address("/api/tables/{table}/record", f"/api/tables/{stage.over}/record"),
        Address("/api/turns/{secret}.{form}", f"/api/turns/{secret}.ics"),
        Address("/api/record/moments", content=record),
        Address("/api/record/review", content=record),
        Address("/api/reviews/{review}", "/api/reviews/0123456789abcdef"),
        Address("/api/games/{game}/puzzles/{puzzle}", f"{tiny}/puzzles/1?move=lay+1", b""),
        Address("/api/qr.svg", "/api/qr.svg?path=/" + "x" * 190),
        Address("/api/{rest:path}", "/api/nothing"),
        Address("/{path:path}", "/games"),
    ]


def encoded(type: str, form: Form) -> bytes:
    """A message as its bytes."""
    return msgspec.json.encode(message(type, form))
