"""Which rows may follow: a command is checked against the table, and becomes a row to be or a refusal."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from kibitz.bots.player import LEVELS
from kibitz.core.state import Observation
from kibitz.server import protocol
from kibitz.server.limits import CHANGES, CHATS, ROWS, WISHES
from kibitz.server.names import distinct
from kibitz.server.people.ratings import is_rated_bot, pool_of
from kibitz.server.programs import PROGRAMS
from kibitz.server.stores.store import Guest
from kibitz.server.tables import rows
from kibitz.server.tables.clock import ADDED, AT_ZERO, BANK, SECONDS, Clock
from kibitz.server.tables.refusals import NotAllowed
from kibitz.server.tables.table import Table
from kibitz.server.texts import clean

ABSENT_SECONDS = 60.0  # after which the others may give a seat to a bot
IDLE_SECONDS = 120.0  # for a decision, after which they may do so, too
NUDGE_SECONDS = 20.0  # for a decision, after which they may say that they wait
SUBSTITUTE = "medium"  # the bot that takes over for a person
PRESETS = ("hello", "good-game", "thanks", "well-played", "hurry", "oops", "clap", "laugh", "wow", "ouch")
SPECTATORS = ("open", "end", "late", "nobody")
ADVICE = ("off", "practice", "all")  # given never, where one person plays bots, to everybody
PACES = {"slow": 2.0, "normal": 0.9, "fast": 0.15}  # seconds from one bot's move to the next

Absence = Callable[[str], float | None]  # for how many seconds a guest has been away; None: is here
Idle = Callable[[], float]  # for how many seconds the seat in turn has been deciding

TableCommand = (
    protocol.Sit
    | protocol.Stand
    | protocol.PlayMove
    | protocol.UndoMove
    | protocol.AnswerUndo
    | protocol.Resign
    | protocol.Replace
    | protocol.Agree
    | protocol.Chat
    | protocol.Wish
)


class Draft(msgspec.Struct, frozen=True):
    """A row to be."""

    kind: str
    body: Any
    standing: bool = False  # whether it changes what lists tell, whatever it leads to


def draft(
    table: Table,
    guest: Guest,
    command: TableCommand,
    absence: Absence,
    idle: Idle,
    names: Mapping[str, str],
) -> Draft:
    """What a command comes to at this table; raises a KibitzError if it isn't allowed."""
    match command:
        case protocol.PlayMove():
            return move(table, guest, command)
        case protocol.UndoMove():
            return undo(table, guest, command)
        case protocol.AnswerUndo():
            return answer_undo(table, guest, command)
        case protocol.Sit():
            return sit(table, guest, command)
        case protocol.Stand():
            return stand(table, guest)
        case protocol.Resign():
            return resign(table, guest)
        case protocol.Replace():
            return replace(table, guest, command, absence, idle, names)
        case protocol.Agree():
            return agree(table, guest, command)
        case protocol.Chat():
            return chat(table, guest, command, names)
        case protocol.Wish():
            return wish(table, guest, command)


# Playing


def move(table: Table, guest: Guest, command: protocol.PlayMove) -> Draft:
    """The seat in turn plays, knowing all that has happened in the game."""
    seat = own_seat(table, guest)
    playing(table)
    if command.number > table.number:
        raise NotAllowed("future")
    if command.number < table.changed:
        raise NotAllowed("stale")
    return checked_move(table, seat, command.move)


def checked_move(
    table: Table, seat: int, text: str, fallback: str | None = None, late: bool = False
) -> Draft:
    """A legal move of the seat; what goes on without end isn't kept any longer."""
    assert table.state is not None
    if table.number >= ROWS:
        raise NotAllowed("game-too-long")
    found = table.state.check(text, seat)
    return Draft("move", rows.Played(seat, str(found), fallback, late))


def undo(table: Table, guest: Guest, command: protocol.UndoMove) -> Draft:
    """Back to the person's last decision: against bots always; among people a step of an unfinished turn.

    What else people can take back, the others are asked about.
    """
    seat = own_seat(table, guest)
    playing(table)
    if command.number > table.number:
        raise NotAllowed("future")
    if any(_decides(told.body, seat) for told in table.told[max(0, command.number + 1) :]):
        raise NotAllowed("stale")
    if refusal := why_no_undo(table, seat):
        raise NotAllowed(refusal)
    moves = table.last_decision(seat)
    assert moves is not None
    if not (table.practice or table.is_amid_turn(seat)):
        return Draft("ask-undo", rows.AskedUndo(seat, moves))
    return Draft("undo", rows.Undone(seat, moves))


def answer_undo(table: Table, guest: Guest, command: protocol.AnswerUndo) -> Draft:
    """All other people at the table are asked."""
    seat = own_seat(table, guest)
    playing(table)
    changeable(table)
    asked = table.undo_asked
    if asked is None or asked.seat == seat or seat in table.undo_agreed:
        raise NotAllowed("not-asked")
    return Draft("answer-undo", rows.AnsweredUndo(seat, command.agree))


def may_undo(table: Table, seat: int) -> bool:
    """Whether the seat may take a move back now."""
    return why_no_undo(table, seat) is None


def why_no_undo(table: Table, seat: int) -> str | None:
    """The code of the refusal; None if the seat may take a move back."""
    if not table.begun:
        return "not-begun"
    if table.over:
        return "over"
    if table.created.rated and not table.is_amid_turn(seat):
        return "rated-undo"
    if not (table.practice or table.is_amid_turn(seat)):
        if table.created.daily:
            return "daily-no-undo"
        if table.undo_asked is not None or table.undo_refused:
            return "said-already"
        if not table.could_be_taken_back(seat):
            return "not-practice"
    if table.changes >= CHANGES:
        return "table-full"
    return "nothing-to-undo" if table.last_decision(seat) is None else None


def _decides(body: Any, seat: int) -> bool:
    return isinstance(body, rows.Undone) or (isinstance(body, rows.Played) and body.seat == seat)


def resign(table: Table, guest: Guest) -> Draft:
    """Of two, the other wins; of more, a bot plays on."""
    seat = own_seat(table, guest)
    playing(table)
    if table.created.players == 2:
        return Draft("resign", rows.Resigned(seat, guest.name), standing=True)
    return Draft(
        "resign", rows.Resigned(seat, guest.name, rows.Chair(rows.BOT, level=SUBSTITUTE)), standing=True
    )


# Seats


def sit(table: Table, guest: Guest, command: protocol.Sit) -> Draft:
    """Take an open seat, or back the one that a bot keeps for me."""
    if table.seat_of(guest.id) is not None:
        raise NotAllowed("already-seated")
    changeable(table)
    if guest.id in table.removed:
        raise NotAllowed("removed")
    if table.created.rated:
        rateable(guest)
    kept = table.kept_for(guest.id)
    if kept is not None and command.seat in (None, kept) and not table.over:
        how = "return" if table.begun else "sit"
        return Draft(
            "seat", rows.Seated(kept, rows.Chair(rows.GUEST, guest.id), how, guest.name), standing=True
        )
    open_seats = [seat for seat, chair in enumerate(table.chairs) if chair == rows.Chair()]
    if command.seat is not None:
        known_seat(table, command.seat)
        if command.seat not in open_seats:
            raise NotAllowed("seat-taken")
    if not open_seats:
        raise NotAllowed("no-open-seat")
    seat = open_seats[0] if command.seat is None else command.seat
    return Draft(
        "seat", rows.Seated(seat, rows.Chair(rows.GUEST, guest.id), "sit", guest.name), standing=True
    )


def stand(table: Table, guest: Guest) -> Draft:
    """Before the game begins the seat is open again, taken or only kept; later a bot keeps it."""
    invited = None if table.begun or table.seat_of(guest.id) is not None else table.kept_for(guest.id)
    seat = own_seat(table, guest) if invited is None else invited
    if table.over:
        raise NotAllowed("over")
    chair = rows.Chair(rows.BOT, level=SUBSTITUTE, former=guest.id) if table.begun else rows.Chair()
    return Draft("seat", rows.Seated(seat, chair, "stand", guest.name), standing=True)


def replace(
    table: Table,
    guest: Guest,
    command: protocol.Replace,
    absence: Absence,
    idle: Idle,
    names: Mapping[str, str],
) -> Draft:
    """A bot for an open seat, or for a guest who has been away or deciding for long."""
    if table.over:
        raise NotAllowed("over")
    mine = table.seat_of(guest.id)
    if mine is None and guest.id != table.host:
        raise NotAllowed("not-seated")
    known_seat(table, command.seat)
    known_level(command.level)
    chair = table.chairs[command.seat]
    if table.created.waits_for_host and not table.begun:
        return _bot_before_the_deal(table, guest, command)
    if chair.kind == rows.BOT:
        raise NotAllowed("seat-taken")
    if chair.kind == rows.OPEN and table.created.rated:
        rated_bot(pool_of(table.game.name, len(table.chairs)), command.level)
    if chair.kind == rows.GUEST:
        if table.times is not None and table.times.clock.unhurried:
            raise NotAllowed("clock-decides")
        late = idle() if table.turn == command.seat else None
        _may_be_replaced(chair, mine, command.seat, absence, late)
        if late is not None and absence(chair.guest or "") is None:
            return played_on(table, command.seat, names, command.level)
    bot = rows.Chair(rows.BOT, level=command.level, former=chair.guest)
    left = "" if chair.guest is None else names.get(chair.guest, "")
    return Draft("seat", rows.Seated(command.seat, bot, "replace", left), standing=True)


def _bot_before_the_deal(table: Table, guest: Guest, command: protocol.Replace) -> Draft:
    """The host gives open seats to bots, and bots another level."""
    if guest.id != table.host:
        raise NotAllowed("not-host")
    if table.chairs[command.seat].kind == rows.GUEST:
        raise NotAllowed("seat-taken")
    if table.created.rated:
        rated_bot(pool_of(table.game.name, len(table.chairs)), command.level)
    changeable(table)
    return Draft(
        "seat", rows.Seated(command.seat, rows.Chair(rows.BOT, level=command.level), "replace"), standing=True
    )


def _may_be_replaced(
    chair: rows.Chair, mine: int | None, seat: int, absence: Absence, late: float | None
) -> None:
    assert chair.guest is not None
    away = absence(chair.guest)
    if mine is None:
        raise NotAllowed("not-seated")
    if seat == mine or (away is None and late is None):
        raise NotAllowed("not-absent")
    if late is not None and late >= IDLE_SECONDS:
        return
    if away is None:
        assert late is not None
        raise NotAllowed("not-idle-long", count=max(1, round(IDLE_SECONDS - late)))
    if away < ABSENT_SECONDS:
        raise NotAllowed("not-absent-long", count=max(1, round(ABSENT_SECONDS - away)))


def played_on(table: Table, seat: int, names: Mapping[str, str], level: str = SUBSTITUTE) -> Draft:
    """A bot plays on for a guest who takes too long, and keeps the seat."""
    guest = table.chairs[seat].guest
    assert guest is not None
    return Draft(
        "seat",
        rows.Seated(seat, rows.Chair(rows.BOT, level=level, former=guest), "late", names.get(guest, "")),
        standing=True,
    )


def late(table: Table, names: Mapping[str, str]) -> Draft:
    """The time of whoever decides is over, and the seat goes to a bot: for now, or for good."""
    seat, times = table.turn, table.times
    assert seat is not None
    assert times is not None
    if times.clock.at_zero != "lost":
        return played_on(table, seat, names)
    bot = None if table.created.players == 2 else rows.Chair(rows.BOT, level=SUBSTITUTE)
    name = names.get(table.chairs[seat].guest or "", "")
    return Draft("resign", rows.Resigned(seat, name, bot, late=True), standing=True)


def resumed(seconds: float) -> Draft:
    """The row that tells for how long no server ran."""
    return Draft("resume", rows.Resumed(seconds))


def time_over(table: Table, now: float) -> bool:
    """Whether somebody decides at a table with a clock whose time is over."""
    seat, times = table.turn, table.times
    if seat is None or times is None or table.chairs[seat].kind != rows.GUEST or table.changes >= CHANGES:
        return False
    return now >= times.end(seat)


def nudge(table: Table, guest: Guest, absence: Absence, idle: Idle) -> str:
    """Somebody at the table may tell who decides that the others wait; that guest."""
    seat = own_seat(table, guest)
    playing(table)
    assert table.turn is not None
    waited_for = table.chairs[table.turn].guest
    if waited_for is None or table.turn == seat:
        raise NotAllowed("nobody-to-nudge")
    if absence(waited_for) is not None:
        raise NotAllowed("not-here")
    if (late := idle()) < NUDGE_SECONDS:
        raise NotAllowed("not-idle-long", count=max(1, round(NUDGE_SECONDS - late)))
    return waited_for


def agree(table: Table, guest: Guest, command: protocol.Agree) -> Draft:
    """All people at a table can end its game without a winner."""
    seat = own_seat(table, guest)
    playing(table)
    changeable(table)
    if (seat in table.ending) if command.end else not table.ending:
        raise NotAllowed("said-already")
    return Draft("agree", rows.Agreed(seat, command.end))


# Talking


def chat(table: Table, guest: Guest, command: protocol.Chat, names: Mapping[str, str]) -> Draft:
    """Free text, or a preset's key, under a name that nobody else has here."""
    if table.chats >= CHATS:
        raise NotAllowed("chat-full")
    seat = table.seat_of(guest.id)
    looking_on(table, guest.id)
    if command.at is not None and not 0 <= command.at <= table.number:
        raise NotAllowed("no-such-row")
    name = name_at(table, guest, names)
    if command.preset is not None:
        if command.preset not in PRESETS:
            raise NotAllowed("unknown-preset")
        return Draft("chat", rows.Said(name, seat, preset=command.preset, at=command.at))
    text = clean(command.text, protocol.CHAT_LENGTH)
    if not text:
        raise NotAllowed("nothing-said")
    return Draft("chat", rows.Said(name, seat, text, at=command.at))


def report(table: Table, guest: Guest, number: int, absence: Absence, desk: bool) -> rows.Said:
    """Somebody at a seat tells what was said: the host who is here, and the desk of the house if it has one.

    Nobody is told what they have said themselves.
    """
    own_seat(table, guest)
    if not 0 <= number <= table.number or not isinstance(said := table.told[number].body, rows.Said):
        raise NotAllowed("no-such-row")
    if not desk and absence(table.host) is not None:
        raise NotAllowed("host-away")
    if not desk and said_by_host(table, number):
        raise NotAllowed("host-said")
    return said


def said_by_host(table: Table, number: int) -> bool:
    """Whether what was said in a row was said by the host of the table."""
    return table.told[number].row.actor == table.host


def looking_on(table: Table, guest: str) -> None:
    """A game may be for those at its seats alone."""
    if not may_look_on(table, guest):
        raise NotAllowed("no-spectators")


def may_look_on(table: Table, guest: str) -> bool:
    """Whether a table is shown to a guest."""
    if table.created.spectators != "nobody" or not table.begun or table.over:
        return True
    return table.seat_of(guest) is not None or table.kept_for(guest) is not None or guest == table.host


def known_spectators(kind: str) -> str:
    """Who may look on."""
    if kind not in SPECTATORS:
        raise NotAllowed("bad-spectators")
    return kind


def name_at(table: Table, guest: Guest, names: Mapping[str, str]) -> str:
    """What a guest is called at a table: at a seat, or looking on."""
    called = table.names_of({**names, guest.id: guest.name})
    seat = table.seat_of(guest.id)
    if seat is not None:
        return called[seat]
    others = [name for speaker, name in table.voices.items() if speaker != guest.id]
    return distinct(guest.name, [*filter(None, called), *others])


def renamed(table: Table, guest: Guest) -> Draft | None:
    """The row that tells what a guest at a seat is called now, if the log doesn't know."""
    seat = table.seat_of(guest.id)
    if seat is None or table.names[seat] == guest.name or table.changes >= CHANGES:
        return None
    return Draft("name", rows.Named(seat, guest.name), standing=True)


def wish(table: Table, guest: Guest, command: protocol.Wish) -> Draft:
    """What a rival of the seat in turn would trade with it; what it has and means is its own affair."""
    seat = own_seat(table, guest)
    playing(table)
    known_seat(table, command.to)
    names = table.game.wishes.names(table.created.options) if table.game.wishes else ()
    if not names:
        raise NotAllowed("no-wishes")
    if seat == table.turn:
        raise NotAllowed("wish-in-turn")
    if command.to != table.turn:
        raise NotAllowed("wish-not-in-turn")
    for side in (command.offered, command.wanted):
        if len(side) > protocol.WISH_CARDS:
            raise NotAllowed("wish-too-long", most=protocol.WISH_CARDS)
        for name in side:
            if name not in names:
                raise NotAllowed("unknown-card")
    if not command.offered and not command.wanted:
        raise NotAllowed("nothing-said")
    if table.wishes >= WISHES:
        raise NotAllowed("chat-full")
    return Draft("wish", rows.Wished(seat, command.to, command.offered, command.wanted))


def rematch(table: Table) -> None:
    """Another game follows, when this one is over."""
    if not table.over:
        raise NotAllowed("not-over")
    if table.created.daily:
        raise NotAllowed("daily-once")


def rematched(new: str) -> Draft:
    """The row that tells where it goes on."""
    return Draft("rematch", rows.Rematched(new))


# What several commands ask


def own_seat(table: Table, guest: Guest) -> int:
    """The guest's seat; those who look on have none."""
    seat = table.seat_of(guest.id)
    if seat is None:
        raise NotAllowed("not-seated")
    return seat


def playing(table: Table) -> None:
    """The game has begun and isn't over."""
    if not table.begun:
        raise NotAllowed("not-begun")
    if table.over:
        raise NotAllowed("over")


def decision_of(table: Table, guest: Guest) -> Observation:
    """What the guest knows who has to decide now."""
    seat = own_seat(table, guest)
    playing(table)
    if table.turn != seat:
        raise NotAllowed("not-your-decision")
    assert table.state is not None
    return table.state.observation(seat)


def known_clock(clock: Clock | None) -> Clock | None:
    """A clock that a table can have."""
    if clock is None:
        return None
    times = [(clock.answer, SECONDS), (clock.bank, BANK)]
    times.append((clock.seconds, SECONDS if clock.bank is None else ADDED))
    for seconds, allowed in times:
        if seconds is not None and seconds not in allowed:
            raise NotAllowed("bad-clock", least=allowed[0], most=allowed[-1])
    if clock.at_zero not in AT_ZERO:
        raise NotAllowed("bad-at-zero")
    return clock


def why_no_advice(table: Table) -> str | None:
    """The code of the refusal; None if a kibitzer may speak at this table: hints, chances, beliefs."""
    advice = table.created.advice
    if advice == "off" or table.created.rated:
        return "no-advice"
    if advice != "all" and not table.practice:
        return "practice-advice"
    return None


def rateable(guest: Guest) -> None:
    """Only who can be known again is rated."""
    if not guest.lasting:
        raise NotAllowed("rated-passphrase")


def rated_bot(pool: str, level: str) -> None:
    """At a rated table only bots of known strength play, unless they stand in for somebody."""
    if not is_rated_bot(pool, level):
        raise NotAllowed("rated-bots")


def known_advice(advice: str) -> str:
    """When a kibitzer may speak."""
    if advice not in ADVICE:
        raise NotAllowed("bad-advice")
    return advice


def changeable(table: Table) -> None:
    """The table's log has room for another change."""
    if table.changes >= CHANGES:
        raise NotAllowed("table-full")


def known_seat(table: Table, seat: int) -> None:
    """There is such a seat."""
    if not 0 <= seat < len(table.chairs):
        raise NotAllowed("no-such-seat")


def known_level(level: str) -> None:
    """There is such a bot."""
    if level not in LEVELS and level not in PROGRAMS:
        raise NotAllowed("unknown-bot")
