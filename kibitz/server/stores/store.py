"""What a table's log is, and what any store has to promise: a row that is answered for is on disk, once."""

import hashlib
import logging
from collections.abc import Sequence
from sys import intern
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import msgspec
from msgspec.structs import replace

from kibitz.core.errors import KibitzError
from kibitz.core.tallies import Tally
from kibitz.server.tables.clock import Clock

if TYPE_CHECKING:
    from kibitz.server.people.ratings import Skill, SkillChange

log = logging.getLogger("kibitz.store")

NO_HASH = bytes(32)  # before the first row
SEEN_EVERY = 86400.0  # seconds between two notes that a guest was seen


class Row(msgspec.Struct, frozen=True):
    """One row of a table's log. Rows are only ever added; the hash ties each to all before it."""

    table: str
    number: int
    kind: str
    actor: str  # a guest's id, or `bot/<seat>`
    time: float  # seconds since 1970
    command: str  # the id made by whoever asked for it; unique in its table
    fingerprint: bytes  # of what was asked: the same id must ask the same
    body: bytes  # JSON
    previous: bytes
    hash: bytes


def next_row(
    last: Row | None,
    *,
    table: str,
    kind: str,
    actor: str,
    time: float,
    command: str,
    fingerprint: bytes,
    body: bytes,
) -> Row:
    """The row that would follow the last one."""
    number = 0 if last is None else last.number + 1
    previous = NO_HASH if last is None else last.hash
    told = msgspec.json.encode((table, number, kind, actor, time, command, fingerprint.hex()))
    digest = hashlib.sha256(previous + told + body).digest()
    return Row(table, number, kind, actor, time, command, fingerprint, body, previous, digest)


def chained(rows: Sequence[Row], last: Row | None = None) -> bool:
    """Whether the rows are a whole log, or go on from the last one, each tied to the one before."""
    return first_broken(rows, last) is None


def first_broken(rows: Sequence[Row], last: Row | None = None) -> int | None:
    """The index of the first row that isn't what was once written after the one before; None if all are."""
    for index, row in enumerate(rows):
        try:
            again = next_row(
                last,
                table=row.table,
                kind=row.kind,
                actor=row.actor,
                time=row.time,
                command=row.command,
                fingerprint=row.fingerprint,
                body=row.body,
            )
        except (TypeError, AttributeError, ValueError):  # not even of the right types
            return index
        if (row.number, row.previous, row.hash) != (again.number, again.previous, again.hash):
            return index
        last = row
    return None


def told_once(rows: list[Row]) -> list[Row]:
    """The same rows of a table, holding what they share only once."""
    shared: list[Row] = []
    for row in rows:
        last = shared[-1] if shared else row
        previous = last.hash if last.hash == row.previous else row.previous
        kind = intern(str(row.kind))  # a damaged one may be anything
        shared.append(replace(row, kind=kind, previous=previous))
    return shared


class SeatFacts(msgspec.Struct, frozen=True):
    """Who sits there, for lists: a guest, or a bot by its name, or nobody."""

    guest: str | None = None
    name: str = ""
    left: str | None = None  # the guest who had it before the bot that has it now
    level: str | None = None  # of a bot


class Standing(msgspec.Struct, frozen=True):
    """What lists tell of a table without reading its log; stored with the row that changes it."""

    game: str
    creator: str
    seats: tuple[SeatFacts, ...]
    begun: bool
    over: bool
    winners: tuple[int, ...] = ()
    listed: bool = False  # it waits for players, whoever they are
    seeking: bool = False  # and whoever looks for players of its game is led to it
    options: dict[str, Any] = {}  # of a listed table
    clock: Clock | None = None
    scores: tuple[int, ...] = ()  # when it is over
    reason: str = ""  # why it is: a key of the catalogues
    closed: bool = False  # by whoever hosts the house: over, and no result
    daily: str = ""  # the day whose deal it is
    rated: bool = False  # the game counts for the ratings of those who play it
    regular: str = ""  # the regular table at which it is played
    title: str = ""  # what that one is called
    tally: Tally = {}  # when it is over: what the game counts for statistics

    @property
    def filed(self) -> tuple[str, ...]:
        """Under which names its result is filed, beside those of the guests."""
        daily = (daily_file(self.game, self.daily),) if self.daily else ()
        return (*daily, regular_file(self.regular)) if self.regular else daily


class Addition(NamedTuple):
    """A row to add, after which that seat is in turn; what lists then tell, and when something is due."""

    row: Row
    turn: int | None
    standing: Standing | None
    due: float | None


def daily_file(game: str, day: str) -> str:
    """Under which name the results of a day's deal are filed."""
    return f"daily/{game}/{day}"


def lasting_settings(created: bytes) -> bytes:
    """What a regular table keeps of the row that opened its latest game: no secret, no name, no talk."""
    return msgspec.json.encode(msgspec.json.decode(created) | {"secret": "", "names": [], "talk": []})


def regular_file(name: str) -> str:
    """Under which name the results of a regular table are filed."""
    return f"regular/{name}"


class Finished(msgspec.Struct, frozen=True):
    """How a game ended, as it is remembered when its log has long been forgotten."""

    table: str
    time: float  # of its end
    seat: int  # of whoever asks
    standing: Standing


def finished(rows: Sequence[tuple[str, float, int, bytes]]) -> list[Finished]:
    """Games that are over, as stores keep them."""
    return [
        Finished(table, time, seat, msgspec.json.decode(told, type=Standing))
        for table, time, seat, told in rows
    ]


class Listed(msgspec.Struct, frozen=True):
    """A table in a guest's list."""

    table: str
    standing: Standing
    time: float  # of the last row
    turn: int | None
    due: float | None = None  # when the time of who decides is over, at a table with a clock


def listed(found: Sequence[tuple[Any, ...]]) -> list[Listed]:
    """Tables as a store has them for lists: id, standing, time, turn and due; none that is damaged."""
    tables = []
    for id, told, last, turn, due in found:
        try:
            tables.append(Listed(id, msgspec.json.decode(told, type=Standing), last, turn, due))
        except (msgspec.MsgspecError, TypeError, UnicodeError) as error:
            log.error("what lists tell of a table is damaged: %s", error)
    return tables


class Guest(msgspec.Struct, frozen=True):
    """A player without an account. Who shows the token is this guest; only its SHA-256 is kept."""

    id: str
    name: str
    language: str
    created: float
    lasting: bool = False  # has a passphrase


class Lasting(msgspec.Struct, frozen=True):
    """How a guest signs in at other devices: a name that nobody else has, and a passphrase."""

    guest: str
    login: str
    looks: str  # of that name: no other looks the same
    hash: str  # by Argon2


class Rated(msgspec.Struct, frozen=True):
    """What somebody's rating was after a game."""

    pool: str  # a game and its number of players
    table: str
    time: float
    mu: float
    sigma: float


class Conflict(Exception):
    """Another row has that number already: look again."""


class StoreFailed(KibitzError):
    """The disk didn't take it; nothing has changed."""


class StoreDamaged(StoreFailed):
    """The store's file is damaged: nothing is written to it any more."""


class Store(Protocol):
    """Where logs and guests are kept. Everything written is on disk when the call returns."""

    key: bytes  # this store's own random key, made at its beginning

    async def append(
        self, row: Row, turn: int | None, standing: Standing | None = None, due: float | None = None
    ) -> Row:
        """Add a row, after which that seat is in turn; a table's first row brings its standing.

        At a table with a clock something is due then by itself; without a standing or a time it stays so.
        Returns the row, or the one that the same command has made before; raises Conflict.
        """
        ...

    async def rows(self, table: str, after: int = -1) -> list[Row]:
        """The rows of a table after one."""
        ...

    async def ends(self, tables: Sequence[str]) -> dict[str, int]:
        """The number of each table's last row, of those that have one."""
        ...

    async def expired(self, table: str) -> bool:
        """Whether such a table has been, and is gone."""
        ...

    async def add_guest(self, guest: Guest, token_hash: bytes) -> None:
        """Keep a new guest."""
        ...

    async def guest(self, token_hash: bytes) -> Guest | None:
        """The guest with that token, noting that it was seen."""
        ...

    async def add_device(self, guest: str, token_hash: bytes) -> None:
        """Another token is this guest, too."""
        ...

    async def leave_devices(self, guest: str, but: bytes) -> None:
        """All tokens of a guest end, but one."""
        ...

    async def add_code(self, code_hash: bytes, guest: str, until: float) -> None:
        """A code by which another device becomes this guest; those before it end."""
        ...

    async def take_code(self, code_hash: bytes) -> str | None:
        """The guest of a code, once."""
        ...

    async def keep_passphrase(self, lasting: Lasting) -> bool:
        """Keep or change how a guest signs in; False if somebody else signs in by such a name."""
        ...

    async def lasting(self, looks: str) -> Lasting | None:
        """Who signs in by a name that looks so."""
        ...

    async def lasting_guest(self, guest: str) -> Lasting | None:
        """How a guest signs in; None without a passphrase."""
        ...

    async def rating_changes(self, table: str) -> list["SkillChange"]:
        """What the game at a table has changed: written with the row that ended it, once."""
        ...

    async def ratings_of(self, guest: str) -> list[Rated]:
        """A guest's rating after each rated game, the first game first."""
        ...

    async def skill_of(self, pool: str, guest: str) -> "Skill":
        """How well a guest plays by now; as everybody begins without a rated game."""
        ...

    async def leaders(self, pool: str, most: int) -> list[tuple[str, str, float, float, int]]:
        """The best of a pool, surely: guest, the name they sign in by, mu and sigma, games."""
        ...

    async def renames_of(self, guest: str) -> list[tuple[str, float]]:
        """The names that a guest has chosen lately, and when."""
        ...

    async def forget_guest(self, guest: str) -> None:
        """Nothing tells of a guest any more but the logs of tables with others, until they expire."""
        ...

    async def names(self, guests: Sequence[str]) -> dict[str, str]:
        """What guests are called now."""
        ...

    async def rename(self, guest: str, command: str, fingerprint: bytes, name: str) -> bytes:
        """Give a guest another name, once a command; returns the fingerprint stored for the command."""
        ...

    async def tables_of(self, guest: str, most: int) -> list[Listed]:
        """The tables at which a guest has a seat, the latest first."""
        ...

    async def listed_tables(self, most: int) -> list[Listed]:
        """The listed tables that wait for players, the latest first."""
        ...

    async def waiting_tables(self, beginning: str) -> list[str]:
        """The tables whose games haven't begun and whose ids begin so: two of them at most."""
        ...

    async def results(self, guest: str, most: int) -> list[Finished]:
        """The games that a guest has finished, the latest first; they outlive the tables' logs."""
        ...

    async def filed_results(self, name: str, most: int) -> list[Finished]:
        """The results filed under a name, one for each person, the earliest first."""
        ...

    async def regular(self, name: str) -> tuple[str, bytes] | None:
        """The latest table of a regular one, which may have expired, and what its first row laid down."""
        ...

    async def open_tables(self, guest: str) -> int:
        """How many tables a guest has opened that aren't over."""
        ...

    async def lease(self, name: str, holder: str, seconds: float) -> bool:
        """Whether that holder has the lease of that name from now on for so long; it may renew its own."""
        ...

    async def release(self, holder: str, name: str | None = None) -> None:
        """Let go of a lease, or of all that a holder has."""
        ...

    async def expire(self, unbegun_before: float, others_before: float, keep: Sequence[str]) -> list[str]:
        """Forget tables whose last row is older than that, but for those in use; returns which."""
        ...

    async def due(self, before: float, most: int) -> list[str]:
        """The tables at which something is due before a time, the earliest first."""
        ...

    async def alive(self, now: float) -> float | None:
        """Note that a server runs; returns when this was noted last, if ever."""
        ...

    async def latest_tables(self, most: int) -> list[Listed]:
        """The tables that aren't over, the latest first."""
        ...

    async def house(self) -> dict[str, bytes]:
        """What whoever hosts the house has laid down, by name."""
        ...

    async def lay_down(self, name: str, value: bytes | None) -> None:
        """Lay something down for the whole house, or lift it."""
        ...

    async def size(self) -> int:
        """How many bytes it takes on disk."""
        ...

    async def close(self) -> None:
        """Finish what was asked for, then let go."""
        ...
