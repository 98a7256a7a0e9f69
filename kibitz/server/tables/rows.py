"""What each kind of row says: the bodies of a table's log, and the chairs they speak of."""

import logging
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from kibitz.server.names import distinct
from kibitz.server.stores.store import Row
from kibitz.server.tables.clock import Clock
from kibitz.server.tables.refusals import NotAllowed

log = logging.getLogger("kibitz.rows")

BOT_NAMES = ("Ada", "Bruno", "Clara", "Dante", "Elsa", "Fidel", "Greta", "Hugo", "Irma", "Julio")

OPEN, GUEST, BOT = "open", "guest", "bot"
DEALER = "bot/dealer"  # the actor of a `start` that nobody has said


def bot_name(seat: int, taken: Iterable[str] = ()) -> str:
    """What a bot at that seat is called: its seat's name, or the next that nobody at the table has."""
    return next(name for name in BOT_NAMES[seat:] + BOT_NAMES if distinct(name, taken) == name)


class Chair(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who sits at a seat. `former` is the guest for whom a bot keeps it, or for whom it is kept open."""

    kind: str = OPEN
    guest: str | None = None
    level: str | None = None
    former: str | None = None


class Regular(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table that people come back to: its name in its address, and what they call it."""

    name: str
    title: str


class Created(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The body of row 0. The secret stays here until the game is over.

    What is as usual isn't written down: a neighbouring version that doesn't know a newer choice yet serves
    the tables that don't make it. So a default here never changes.
    """

    game: str
    rules: int
    options: dict[str, Any]
    players: int
    seats: list[Chair]
    pace: str
    creator: str
    secret: str
    commitment: str
    rematch_of: str | None = None
    patience: int | None = None  # what older servers had in place of a clock
    clock: Clock | None = None
    spectators: str = "open"
    late_moves: int = 10  # after so many, who looks on at a `late` table sees all hands
    whole: bool = False  # all that was played openly is drawn
    advice: str = "practice"  # off, practice or all
    rated: bool = False
    position: dict[str, Any] | None = None  # the one it begins with, if it isn't dealt
    names: list[str] = []  # of the people at the seats, or invited to them; logs of older servers don't say
    waits: bool = False  # the cards are dealt at a `start`; else, as at first ever, when all seats are taken
    fills: bool = False  # that `start` isn't the host's to say: it follows when all seats are taken
    listed: bool = False  # everybody is shown that it waits for players
    seeking: bool = False  # whoever looks for players of this game is led here
    wins: dict[str, int] = {}  # of guests, and of bots by `bot/<seat>`, in the games of the series before
    games: int = 0  # so many they were
    talk: list["Said"] = []  # what was said at the table before
    bots_after: int | None = None  # seconds from the opening, after which bots take the open seats
    daily: str | None = None  # the day whose deal it is
    regular: Regular | None = None  # the table it belongs to, evening after evening

    @property
    def waits_for_host(self) -> bool:
        """Whether the host says when the cards are dealt: where anybody was awaited as it was opened."""
        awaited = any(chair.kind == OPEN for chair in self.seats)
        return self.waits and awaited and not (self.fills or self.seeking or self.rematch_of)


class Played(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The body of a `move`; `fallback` tells why a bot's move was left to chance."""

    seat: int
    move: str
    fallback: str | None = None
    late: bool = False  # made by a bot for somebody whose time was over


class Undone(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of an `undo`: so many moves remain."""

    seat: int
    moves: int


class AskedUndo(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of an `ask-undo`: the seat would take its last move back, so that so many remain."""

    seat: int
    moves: int


class AnsweredUndo(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of an `answer-undo`; with the last who agrees the move is taken back."""

    seat: int
    agree: bool


class Seated(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The body of a `seat` row: who has it from now on, and how it came.

    That is: sit, stand, replace, return; remove, by the host; or late: the time was over.
    """

    seat: int
    chair: Chair
    how: str
    name: str = ""  # of the guest who sat down or stood up


class Readied(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of a `ready`: whether the seat is."""

    seat: int
    ready: bool


class Worded(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of a `word`: what the seat adds to the shuffle. Nobody else is told before the deal."""

    seat: int
    word: str


class Swapped(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of a `swap`: who sits at these seats, or nobody, changes places."""

    seat: int
    other: int


class Changed(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The body of a `change`: what the table is like from now on, and which chairs stay (-1: a new one)."""

    options: dict[str, Any]
    chairs: list[int]
    pace: str
    clock: Clock | None
    listed: bool


class Started(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of a `start`: the words of the seats, in their order."""

    words: list[str]


class Named(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of a `name`: who sits there is called this from now on."""

    seat: int
    name: str


class Said(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The body of a `chat`."""

    name: str
    seat: int | None = None
    text: str = ""
    preset: str | None = None
    at: int | None = None


class Wished(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of a `wish`: what a seat would give the seat in turn, and what it would like for it."""

    seat: int
    to: int
    offered: list[str]
    wanted: list[str]


class Resigned(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The body of a `resign`; with more than two players a bot plays on."""

    seat: int
    name: str
    chair: Chair | None = None
    late: bool = False  # not given up: the time was over


class Resumed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of a `resume`: for so many seconds no server ran, and nobody is charged for them."""

    seconds: float


class Agreed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of an `agree`: whether the seat would end the game."""

    seat: int
    end: bool


class Rematched(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of a `rematch`: where it goes on."""

    table: str


class Closed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of a `close`: whoever hosts the house has closed the table, and nothing follows."""


BODIES: dict[str, Any] = {
    "create": msgspec.json.Decoder(Created),
    "seat": msgspec.json.Decoder(Seated),
    "ready": msgspec.json.Decoder(Readied),
    "word": msgspec.json.Decoder(Worded),
    "swap": msgspec.json.Decoder(Swapped),
    "change": msgspec.json.Decoder(Changed),
    "start": msgspec.json.Decoder(Started),
    "move": msgspec.json.Decoder(Played),
    "undo": msgspec.json.Decoder(Undone),
    "ask-undo": msgspec.json.Decoder(AskedUndo),
    "answer-undo": msgspec.json.Decoder(AnsweredUndo),
    "name": msgspec.json.Decoder(Named),
    "chat": msgspec.json.Decoder(Said),
    "wish": msgspec.json.Decoder(Wished),
    "resign": msgspec.json.Decoder(Resigned),
    "agree": msgspec.json.Decoder(Agreed),
    "resume": msgspec.json.Decoder(Resumed),
    "rematch": msgspec.json.Decoder(Rematched),
    "close": msgspec.json.Decoder(Closed),
}
FORGOTTEN = "–"  # what somebody is called whom nobody knows any more


def without(body: Any, row: Row, forgotten: frozenset[str], chairs: Sequence[Chair] = ()) -> Any:
    """What a row says, but for the names and the talk of those who are forgotten: the log itself stays."""
    if not forgotten:
        return body
    match body:
        case Created():
            whose = [chair.guest or chair.former for chair in body.seats]
            gone = {name for name, guest in zip(body.names, whose) if guest in forgotten}
            return replace(
                body,
                names=[FORGOTTEN if guest in forgotten else name for name, guest in zip(body.names, whose)],
                talk=[said for said in body.talk if said.name not in gone],
            )
        case Said() if row.actor in forgotten:
            return Said(FORGOTTEN, body.seat, FORGOTTEN, at=body.at)
        case Seated() if {row.actor, body.chair.guest, body.chair.former} & forgotten and body.name:
            return replace(body, name=FORGOTTEN)
        case Named() | Resigned() if chairs[body.seat].guest in forgotten:
            return replace(body, name=FORGOTTEN)
        case _:
            return body


def people_of(rows: Sequence[Row]) -> set[str]:
    """The guests whom a log names: who began there, was invited, or has done something."""
    invited = {guest for chair in body_of(rows[0]).seats for guest in (chair.guest, chair.former) if guest}
    return invited | {row.actor for row in rows if not row.actor.startswith("bot/")}


CHANGES_THE_GAME = frozenset(("move", "undo", "resign"))


def body_of(row: Row) -> Any:
    """What a row says; a table with one that only a newer server understands is refused, not guessed at."""
    try:
        return BODIES[row.kind].decode(row.body)
    except (KeyError, msgspec.ValidationError) as error:
        log.warning("table %s has a row of kind %s that is not known here: %s", row.table, row.kind, error)
        raise NotAllowed("table-newer") from error
