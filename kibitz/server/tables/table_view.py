"""What a viewer is shown of a table, as bytes: made once for all who may see the same.

Viewers differ only by the seat they have. A view comes from `State.view_json`; the events of a row from the
game's notes, of which `seen` leaves what this viewer may know.
"""

import time
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec
import numpy as np
from msgspec import UNSET
from msgspec.structs import astuple, replace

from kibitz.core.events import Moved, events, seen
from kibitz.core.game import Game
from kibitz.core.journal import COLUMNS, Journal
from kibitz.core.layout import NOBODY
from kibitz.core.sentences import Seat as ToldSeat
from kibitz.core.sentences import Sentence, Value
from kibitz.server import protocol
from kibitz.server.people.ratings import SkillChange
from kibitz.server.tables import rows
from kibitz.server.tables.commands import Absence, may_undo, why_no_advice
from kibitz.server.tables.daily_deal import sealed
from kibitz.server.tables.rows import BOT, GUEST
from kibitz.server.tables.table import Table, Told

encode = msgspec.json.Encoder().encode

HAPPENINGS = 4096  # kept, of all games together; one or two kilobytes each

Seat = int | None  # None: who looks on


class Viewer(NamedTuple):
    """Who looks: the seat it has, or the seat that is kept for it; and whether it is the host."""

    seat: Seat
    kept: Seat = None
    hosts: bool = False


def viewer_of(table: Table, guest: str) -> Viewer:
    """What a guest is at a table."""
    seat = table.seat_of(guest)
    return Viewer(seat, None if seat is not None else table.kept_for(guest), guest == table.host)


class LogLines:
    """A table's lines as viewers may know them."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._latest = -1, msgspec.Raw(b"")  # the last line that is the same for all, with its number

    def lines(self, seat: Seat, since: int | None) -> list[msgspec.Raw]:
        """The lines after a row, or all, as a seat may know them."""
        told = self._table.told[0 if since is None else since + 1 :]
        lines = [self._line(each, seat) for each in told if seat is None or not each.apart]
        return lines if since is not None else [*carried(self._table), *lines]

    def _line(self, told: Told, seat: Seat) -> msgspec.Raw:
        number, latest = self._latest
        if number == told.row.number:
            return latest
        notes = told.notes
        if notes is not None:
            notes = seen(notes, NOBODY if seat is None else seat)
        text = msgspec.Raw(encode(line(self._table, told, notes)))
        if notes is told.notes:
            self._latest = told.row.number, text
        return text


def carried(table: Table) -> list[msgspec.Raw]:
    """What was said at the table of the game before, in front of the log: with numbers below 0."""
    talk, time = table.created.talk, table.told[0].row.time
    return [
        msgspec.Raw(encode(said_before(said, number - len(talk), time))) for number, said in enumerate(talk)
    ]


def said_before(said: rows.Said, number: int, time: float) -> protocol.LogLine:
    """One of these lines."""
    return protocol.LogLine(number, time, "chat", said.seat, said.name, text=said.text, preset=said.preset)


def line(table: Table, told: Told, notes: Journal | None) -> protocol.LogLine:
    """What one row tells a viewer who may know these notes."""
    row, body = told.row, told.body
    happened = NOTHING if notes is None else happening(table.game, notes.tobytes())
    sentences: list[Any] = [*table_sentences(table.game, told), *happened.sentences]
    return protocol.LogLine(
        number=row.number,
        time=row.time,
        kind=row.kind,
        seat=getattr(body, "seat", None),
        name=told.name,
        called=list(told.called),
        text=body.text if isinstance(body, rows.Said) else happened.move,
        preset=getattr(body, "preset", None),
        at=getattr(body, "at", None),
        sentences=sentences,
        events=happened.events,
        wish=protocol.WishTold(body.to, body.offered, body.wanted)
        if isinstance(body, rows.Wished)
        else UNSET,
    )


class Happening(NamedTuple):
    """What the game tells a viewer of a row: the move as it may know it, sentences and events as JSON."""

    move: str
    sentences: list[Any]
    events: Any


NOTHING = Happening("", [], [])


@lru_cache(HAPPENINGS)
def happening(game: Game, notes: bytes) -> Happening:
    """What notes that were made ready by `seen` tell; the same is told at many tables."""
    journal = np.frombuffer(notes, np.int32).reshape(-1, COLUMNS)
    happened = events(journal, game.text)
    return Happening(
        next((event.move for event in happened if isinstance(event, Moved)), ""),
        [msgspec.Raw(encode(sentence)) for sentence in game.sentences(happened)],
        msgspec.Raw(encode(happened)),
    )


def table_sentences(game: Game, told: Told) -> list[Sentence]:
    """What happened at the table beside the game, in the server's own words; a wish in its game's."""
    body = told.body
    match body:
        case rows.Created(spectators="late"):
            return [Sentence("table.late-hands", {"count": body.late_moves})]
        case rows.Played(late=True):
            return [Sentence("table.late.move", {"seat": ToldSeat(body.seat)})]
        case rows.Played(fallback=None):
            return []
        case rows.Played():
            return [Sentence("table.fallback", {"seat": ToldSeat(body.seat)})]
        case rows.Undone():
            return [Sentence("table.undo", {"seat": ToldSeat(body.seat)})]
        case rows.Seated():
            data: dict[str, Value] = {
                "seat": ToldSeat(body.seat),
                "name": told.name,
                "bot": rows.bot_name(body.seat),
            }
            if body.chair.level is not None:
                data["level"] = Sentence(f"bot.{body.chair.level}", {})
            return [Sentence(f"table.{_how(body)}", data)]
        case rows.AskedUndo():
            return [Sentence("table.ask-undo", {"seat": ToldSeat(body.seat)})]
        case rows.AnsweredUndo():
            key = "table.agree-undo" if body.agree else "table.refuse-undo"
            return [Sentence(key, {"seat": ToldSeat(body.seat)})]
        case rows.Agreed():
            return [Sentence("table.agree" if body.end else "table.play-on", {"seat": ToldSeat(body.seat)})]
        case rows.Named() if told.name and told.called:
            return [Sentence("table.name", {"name": told.name, "new": told.called[body.seat]})]
        case rows.Wished():
            assert game.wishes is not None
            return [game.wishes.sentence(body.seat, body.to, body.offered, body.wanted)]
        case rows.Resigned():
            key = "table.lost" if body.late else "table.resign"
            key += "" if body.chair is None else ".bot"
            data = {"seat": ToldSeat(body.seat), "name": told.name, "bot": rows.bot_name(body.seat)}
            if body.chair is not None:
                data["level"] = Sentence(f"bot.{body.chair.level}", {})
            return [Sentence(key, data)]
        case rows.Readied():
            return [Sentence("table.ready" if body.ready else "table.unready", {"seat": ToldSeat(body.seat)})]
        case rows.Worded():
            key = "table.word" if body.word else "table.no-word"
            return [Sentence(key, {"seat": ToldSeat(body.seat)})]
        case rows.Swapped():
            return [Sentence("table.swap", {"one": body.seat + 1, "other": body.other + 1})]
        case rows.Changed():
            return [Sentence("table.change", {})]
        case rows.Started():
            return [Sentence("table.start", {})]
        case rows.Rematched():
            return [Sentence("table.rematch", {"table": body.table})]
        case _:
            return []


def _how(body: rows.Seated) -> str:
    if body.how == "stand":
        return f"stand.{body.chair.kind}"
    if body.how == "replace" and body.name:
        return "replace.absent"
    if body.how == "late":
        return "late.bot"
    if body.how == "remove" and not body.name:
        return "remove.bot"
    return body.how


# The whole table


def seats(
    table: Table, viewer: Viewer, names: Mapping[str, str], absence: Absence
) -> list[protocol.SeatInfo]:
    """Who sits where, and who is here."""
    called = table.names_of(names)
    return [_seat(table, seat, viewer, name, absence) for seat, name in enumerate(called)]


def _seat(table: Table, seat: int, viewer: Viewer, name: str, absence: Absence) -> protocol.SeatInfo:
    chair = table.chairs[seat]
    away = None if chair.guest is None else absence(chair.guest)
    return protocol.SeatInfo(
        kind=chair.kind,
        name=name,
        level=chair.level,
        here=chair.kind == BOT or (chair.guest is not None and away is None),
        absent_seconds=None if away is None else int(away),
        you=seat == viewer.seat,
        kept_for_you=seat == viewer.kept,
        kept_for=table.names[seat] if chair.kind == rows.OPEN and chair.former else "",
        ready=seat in table.ready and not table.begun,
        worded=bool(table.words.get(seat)) and not table.begun,
    )


def table_view(
    log: LogLines,
    table: Table,
    viewer: Viewer,
    since: int | None,
    names: Mapping[str, str],
    absence: Absence,
    figures: bool,
) -> protocol.TableView:
    """The table for a viewer: everything, or what is new since a row."""
    state = table.state
    over = table.over
    asked = state is not None and viewer.seat is not None and viewer.seat == table.turn
    legal = state.legal_moves if asked and state is not None else ()
    view: Any = None if state is None else msgspec.Raw(state.view_json(viewer.seat))
    lines: Any = log.lines(viewer.seat, since)
    message = protocol.TableView(
        table=table.id,
        number=table.number,
        since=since,
        seat=viewer.seat,
        begun=state is not None,
        practice=table.practice,
        advice=state is not None and why_no_advice(table) is None,
        can_undo=viewer.seat is not None and may_undo(table, viewer.seat),
        view=view,
        legal=[str(move) for move in legal],
        lines=lines,
        thinking=table.bot_in_turn,
        result=table.result,
        ratings=[_rating_change(change) for change in table.rating_changes],
        word="" if table.begun or viewer.seat is None else table.words.get(viewer.seat, ""),
        words=list(table.dealt_with),
        secret=table.created.secret if over and not sealed(table.created) else None,
        rematch=table.rematch,
        host=table.seat_of(table.host),
        you_host=viewer.hosts,
        wins=[table.wins.get(table.winner_name(seat), 0) for seat in range(len(table.chairs))],
        games=table.created.games + table.over,
        ending=sorted(table.ending),
        undo_asked=None
        if table.undo_asked is None
        else protocol.UndoAsked(table.undo_asked.seat, sorted(table.undo_agreed)),
        time=time_left(table, time.time()),
    )
    if figures and state is not None:
        message = replace(message, figures=state.figures(viewer.seat))
    if since is None or since < table.reseated:
        message = replace(message, seats=seats(table, viewer, names, absence))
    if since is None or since < table.resettled:
        created = table.created
        message = replace(
            message,
            game=table.game.name,
            options=created.options,
            players=created.players,
            pace=created.pace,
            spectators=created.spectators,
            late_moves=created.late_moves,
            whole=created.whole,
            clock=None if table.times is None else table.times.clock,
            commitment=created.commitment,
            waits=created.waits,
            listed=created.listed,
            daily=created.daily,
            rated=created.rated,
            regular=None if created.regular is None else protocol.RegularName(*astuple(created.regular)),
            bots_at=None if created.bots_after is None else table.told[0].row.time + created.bots_after,
        )
    return message


def _rating_change(change: SkillChange) -> protocol.RatingChange:
    (before, _), (after, error) = change.before.shown, change.after.shown
    return protocol.RatingChange(change.seat, after, error, after - before)


def time_left(table: Table, now: float) -> protocol.TimeLeft | None:
    """What the clocks show now; None without one, or while nobody decides."""
    times, turn = table.times, table.turn
    if times is None or turn is None:
        return None
    left = [round(times.left(seat, turn, now), 2) for seat in range(len(table.chairs))]
    running = turn if table.chairs[turn].kind == GUEST else None
    return protocol.TimeLeft(left, running, times.answering, max(0.0, round(times.since - now, 2)))


def table_message(*facts: Any) -> bytes:
    """The same, as it is sent."""
    return encode(table_view(*facts))
