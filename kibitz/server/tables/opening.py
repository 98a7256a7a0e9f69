"""Before the deal: who sits where, what is played, who is ready, what each seat adds to the shuffle."""

from collections.abc import Mapping, Sequence

from msgspec import UNSET

from kibitz.server import protocol
from kibitz.server.people.ratings import pool_of
from kibitz.server.stores.store import Guest
from kibitz.server.tables import commands
from kibitz.server.tables.commands import (
    PACES,
    Absence,
    Draft,
    changeable,
    known_clock,
    known_seat,
    own_seat,
)
from kibitz.server.tables.refusals import NotAllowed
from kibitz.server.tables.rows import (
    BOT,
    GUEST,
    OPEN,
    Chair,
    Changed,
    Readied,
    Seated,
    Started,
    Swapped,
    Worded,
)
from kibitz.server.tables.table import Table
from kibitz.server.texts import clean

WORD_SECONDS = 10.0  # from the last seat taken to the deal, where people meet and no host deals: for a word

OpeningCommand = (
    protocol.Ready | protocol.AddWord | protocol.Swap | protocol.Remove | protocol.Change | protocol.Start
)


def draft(
    table: Table, guest: Guest, command: OpeningCommand, absence: Absence, names: Mapping[str, str]
) -> Draft:
    """What a command comes to at a table that waits; raises a KibitzError if it isn't allowed."""
    if isinstance(command, protocol.Ready | protocol.AddWord):
        seat = own_seat(table, guest)
        waiting(table)
        return (
            ready(table, seat, command) if isinstance(command, protocol.Ready) else word(table, seat, command)
        )
    as_host(table, guest, absence)
    waiting(table)
    match command:
        case protocol.Swap():
            return swap(table, command)
        case protocol.Remove():
            return remove(table, guest, command, names)
        case protocol.Change():
            return change(table, command)
        case protocol.Start():
            return start(table)


# Everybody at the table


def ready(table: Table, seat: int, command: protocol.Ready) -> Draft:
    """The seat is ready, or not yet."""
    if (seat in table.ready) == command.ready:
        raise NotAllowed("said-already")
    return Draft("ready", Readied(seat, command.ready))


def word(table: Table, seat: int, command: protocol.AddWord) -> Draft:
    """A word for the shuffle, sealed until the deal; an empty one takes it back."""
    added = clean(command.word, protocol.WORD_LENGTH)
    if added == table.words.get(seat, ""):
        raise NotAllowed("said-already")
    return Draft("word", Worded(seat, added))


# The host


def swap(table: Table, command: protocol.Swap) -> Draft:
    """Those at two seats change places."""
    for seat in (command.seat, command.other):
        known_seat(table, seat)
    if command.seat == command.other:
        raise NotAllowed("same-seat")
    return Draft("swap", Swapped(command.seat, command.other), standing=True)


def remove(table: Table, guest: Guest, command: protocol.Remove, names: Mapping[str, str]) -> Draft:
    """The seat is open again; a guest who had it can't sit down here any more."""
    known_seat(table, command.seat)
    chair = table.chairs[command.seat]
    if chair == Chair():
        raise NotAllowed("seat-open")
    if chair.guest == guest.id:
        raise NotAllowed("remove-yourself")
    return Draft(
        "seat", Seated(command.seat, Chair(), "remove", names.get(chair.guest or "", "")), standing=True
    )


def change(table: Table, command: protocol.Change) -> Draft:
    """Another number of seats, other options; whoever was ready has to say so again."""
    settings = table.created
    players = table.game.checked_players(command.players or settings.players)
    options = settings.options if command.options is None else command.options
    if settings.rated:
        for chair in table.chairs:
            if chair.level is not None:
                commands.rated_bot(pool_of(table.game.name, players), chair.level)
    pace = command.pace or settings.pace
    if pace not in PACES:
        raise NotAllowed("bad-pace")
    return Draft(
        "change",
        Changed(
            options=table.game.checked_options(options, players),
            chairs=_resized(table.chairs, players),
            pace=pace,
            clock=settings.clock if command.clock is UNSET else known_clock(command.clock),
            listed=settings.listed if command.listed is None else command.listed,
        ),
        standing=True,
    )


def _resized(chairs: Sequence[Chair], players: int) -> list[int]:
    """The chairs that stay: nobody loses a seat, and open ones go first."""
    last_first = range(len(chairs) - 1, -1, -1)
    going = [seat for kind in (OPEN, BOT) for seat in last_first if chairs[seat].kind == kind]
    spare = len(chairs) - players
    if spare > len(going):
        raise NotAllowed("too-few-seats")
    staying = [seat for seat in range(len(chairs)) if seat not in going[: max(0, spare)]]
    return staying + [-1] * max(0, -spare)


def start(table: Table) -> Draft:
    """The cards are dealt, when all seats are taken and everybody but the host has said to be ready."""
    if not table.full:
        raise NotAllowed("not-full")
    waited_for = [
        chair.guest
        for seat, chair in enumerate(table.chairs)
        if chair.kind == GUEST and seat not in table.ready and chair.guest != table.host
    ]
    if waited_for:
        raise NotAllowed("not-ready", count=len(waited_for))
    return Draft("start", Started(table.words_in_order), standing=True)


def deals_at(table: Table) -> float | None:
    """When the cards are dealt without anybody's saying so; None: never.

    Who comes last, too, has time to add a word to the shuffle; unless all are ready before it is over.
    """
    if not table.deals_itself:
        return None
    people = {seat for seat, chair in enumerate(table.chairs) if chair.kind == GUEST}
    at_once = table.created.fills or len(people) < 2 or people <= table.ready
    return table.filled if at_once else table.filled + WORD_SECONDS


def start_by_itself(table: Table) -> Draft:
    """Nobody has to say so: all seats are taken at a table where that is enough."""
    return Draft("start", Started(table.words_in_order if table.words else []), standing=True)


# What several ask


def as_host(table: Table, guest: Guest, absence: Absence) -> None:
    """The host, or anybody at the table while the host has been away for long."""
    if guest.id == table.host:
        return
    away = absence(table.host)
    if table.seat_of(guest.id) is None or away is None or away < commands.ABSENT_SECONDS:
        raise NotAllowed("not-host")


def waiting(table: Table) -> None:
    """The cards aren't dealt yet, and the log has room."""
    if table.begun:
        raise NotAllowed("begun")
    changeable(table)
