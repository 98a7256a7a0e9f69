"""The API for bots: its operations in one list, for routes and OpenAPI alike; what is sent and answered."""

from dataclasses import dataclass
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from kibitz.server.protocol import CHAT_LENGTH, NAME_LENGTH, PublicTable, Summary
from kibitz.server.tables.clock import Clock

TITLE = "BOT"  # before a bot's name, so that everybody sees what it is
VERSION = "1"
ROOT = "/api/bot"


class Asked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is sent along."""


class NewBot(Asked, frozen=True):
    """How a bot would be called; `BOT` stands before it."""

    name: Annotated[str, Meta(min_length=1, max_length=NAME_LENGTH - len(TITLE) - 1)]


class Offer(Asked, frozen=True):
    """A game that a bot would play: open seats but its own, dealt when they are taken."""

    game: str
    players: Annotated[int, Meta(ge=2, le=8)] | None = None  # None: the fewest
    options: dict[str, Any] = {}
    clock: Clock | None = None
    listed: bool = True  # among the tables that everybody is shown


class Saying(Asked, frozen=True):
    """What is said at a table."""

    text: Annotated[str, Meta(min_length=1, max_length=CHAT_LENGTH)]


class BotAccount(msgspec.Struct, frozen=True):
    """Who asks."""

    guest: str
    name: str


class NewBotAccount(BotAccount, frozen=True):
    """A new bot, with the token that proves it: keep it secret."""

    token: str


class Stored(msgspec.Struct, frozen=True):
    """It is done, in this row of the table's log."""

    table: str
    number: int | None = None


class WhyNot(msgspec.Struct, frozen=True):
    """Why something isn't done: a code, and a sentence."""

    code: str
    reason: str
    key: str = ""
    data: dict[str, Any] = {}


class StreamLine(msgspec.Struct, frozen=True):
    """One line of a stream; what else it has depends on its type: see docs/bot-api.md."""

    type: str


@dataclass(frozen=True)
class Operation:
    """Something that can be asked for."""

    name: str  # of the method that does it
    method: str
    path: str
    summary: str
    answer: Any
    asked: type[Asked] | None = None
    status: int = 200
    known: bool = True  # whether a token is needed
    stream: bool = False
    once: bool = False  # it changes something: a request that is repeated with its key isn't done twice


OPERATIONS = (
    Operation(
        "enrol", "POST", "/account", "Become a bot, and get its token.", NewBotAccount, NewBot, 201, False
    ),
    Operation("account", "GET", "/account", "Who I am.", BotAccount),
    Operation(
        "tables", "GET", "/tables", "The tables at which I have a seat, the latest first.", list[Summary]
    ),
    Operation("events", "GET", "/stream", "Offers, and games that begin and end.", StreamLine, stream=True),
    Operation("offers", "GET", "/offers", "The tables that wait for players.", list[PublicTable]),
    Operation("offer", "POST", "/offers", "Offer to play.", Stored, Offer, 201, once=True),
    Operation(
        "accept", "POST", "/offers/{table}/accept", "Take a seat at a table that waits.", Stored, once=True
    ),
    Operation(
        "watch",
        "GET",
        "/tables/{table}/stream",
        "A table, and all that happens there.",
        StreamLine,
        stream=True,
    ),
    Operation("move", "POST", "/tables/{table}/move/{move}", "Play a move.", Stored, once=True),
    Operation("chat", "POST", "/tables/{table}/chat", "Say something.", Stored, Saying, once=True),
    Operation("resign", "POST", "/tables/{table}/resign", "Give the game up.", Stored, once=True),
    Operation("leave", "POST", "/tables/{table}/leave", "Give the seat up.", Stored, once=True),
)


def openapi() -> dict[str, Any]:
    """The description of all this in OpenAPI's form."""
    kinds = [
        WhyNot,
        *{each.asked for each in OPERATIONS if each.asked},
        *(each.answer for each in OPERATIONS),
    ]
    schemas, components = msgspec.json.schema_components(
        sorted(kinds, key=str), ref_template="#/components/schemas/{name}"
    )
    schema = {str(kind): found for kind, found in zip(sorted(kinds, key=str), schemas)}
    paths: dict[str, dict[str, Any]] = {}
    for each in OPERATIONS:
        paths.setdefault(f"{ROOT}{each.path}", {})[each.method.lower()] = _described(each, schema)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Kibitz for bots", "version": VERSION, "license": {"name": "MIT"}},
        "paths": paths,
        "components": {
            "schemas": dict(sorted(components.items())),
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _described(each: Operation, schema: dict[str, Any]) -> dict[str, Any]:
    why_not = {"content": {"application/json": {"schema": schema[str(WhyNot)]}}}
    kind = "application/x-ndjson" if each.stream else "application/json"
    told: dict[str, Any] = {
        "operationId": each.name,
        "summary": each.summary,
        "parameters": _parameters(each),
        "responses": {
            str(each.status): {
                "description": "Done.",
                "content": {kind: {"schema": schema[str(each.answer)]}},
            },
            "400": {"description": "It can't be understood.", **why_not},
            **({"401": {"description": "The token is missing or unknown.", **why_not}} if each.known else {}),
            "404": {"description": "There is no such table, or game.", **why_not},
            "409": {"description": "That can't be done there, or not now.", **why_not},
            "429": {
                "description": "Too much; Retry-After says how many seconds to wait.",
                "headers": {"Retry-After": {"schema": {"type": "integer"}}},
                **why_not,
            },
        },
    }
    if each.known:
        told["security"] = [{"token": []}]
    if each.asked:
        told["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": schema[str(each.asked)]}},
        }
    return told


def _parameters(each: Operation) -> list[dict[str, Any]]:
    text = {"type": "string", "minLength": 1}
    found: list[dict[str, Any]] = [
        {"name": name, "in": "path", "required": True, "schema": text}
        for name in ("table", "move")
        if f"{{{name}}}" in each.path
    ]
    if each.once:
        key = {"type": "string", "pattern": "^[0-9A-Za-z_-]{1,64}$"}
        found.append({"name": "Idempotency-Key", "in": "header", "required": False, "schema": key})
    if each.name == "move":
        number = {"type": "integer", "minimum": 0, "maximum": 2**31 - 1}
        found.append({"name": "number", "in": "query", "required": False, "schema": number})
    return found
