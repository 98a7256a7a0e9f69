"""What a viewer is shown of a table, as bytes: made once for all who may see the same.

Viewers differ only by the seat they have. A view comes from `State.view_json`; the events of a row from the
game's notes, of which `seen` leaves what this viewer may know.
"""

import time
from collections.abc import Callable, Mapping
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
from kibitz.server.people.ratings import SkillChange, anchors
from kibitz.server.tables import rows
from kibitz.server.tables.commands import Absence, may_undo, why_no_advice
from kibitz.server.tables.daily_deal import sealed
from kibitz.server.tables.rows import BOT, GUEST
from kibitz.server.tables.table import Table, Told

encode = msgspec.json.Encoder().encode

HAPPENINGS = 4096  # kept, of all games together; one or two kilobytes each

Seat = int | None  # None: who looks on


class Viewer(NamedTuple):
    """Who looks: the seat it has, or that is kept for it; whether it is the host, or was sent away.

    And who it is, if some of what it is shown was said by it.
    """

    seat: Seat
    kept: Seat = None
    hosts: bool = False
    removed: bool = False
    voice: str = ""


def viewer_of(table: Table, guest: str) -> Viewer:
    """What a guest is at a table."""
    seat = table.seat_of(guest)
    if seat is not None:
        return Viewer(seat, hosts=guest == table.host)
    return Viewer(None, table.kept_for(guest), guest == table.host, guest in table.removed)


class LogLines:
    """A table's lines as viewers may know them."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._latest = -1, msgspec.Raw(b"")  # the last line that is the same for all, with its number

    def lines(self, viewer: Viewer, since: int | None) -> list[msgspec.Raw]:
        """The lines after a row, or all, as a viewer may know them."""
        told = self._table.told[0 if since is None else since + 1 :]
        lines = [self._line(each, viewer) for each in told if viewer.seat is None or not each.apart]
        return lines if since is not None else [*carried(self._table, viewer.seat), *lines]

    def _line(self, told: Told, viewer: Viewer) -> msgspec.Raw:
        if said_by(told, viewer.voice):
            return msgspec.Raw(encode(replace(line(self._table, told, None), you=True)))
        seat = viewer.seat
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


def said_by(told: Told, guest: str) -> bool:
    """Whether a row is what a guest said."""
    return told.row.actor == guest and type(told.body) is rows.Said


def speakers(table: Table, since: int | None) -> frozenset[str]:
    """Who has said something after a row, or ever."""
    told = table.told[0 if since is None else since + 1 :]
    return frozenset(each.row.actor for each in told if type(each.body) is rows.Said)


def carried(table: Table, seat: Seat) -> list[msgspec.Raw]:
    """What was said at the seats in the game before, in front of the log: with numbers below 0."""
    talk, time = table.created.talk, table.told[0].row.time
    return [
        msgspec.Raw(encode(said_before(said, number - len(talk), time, said.seat == seat)))
        for number, said in enumerate(talk)
    ]


def said_before(said: rows.Said, number: int, time: float, you: bool) -> protocol.LogLine:
    """One of these lines."""
    told = protocol.LogLine(number, time, "chat", said.seat, said.name, text=said.text, preset=said.preset)
    return replace(told, you=you)


def line(table: Table, told: Told, notes: Journal | None) -> protocol.LogLine:
    """What one row tells a viewer who may know these notes."""
    row, body = told.row, told.body
    happened = NOTHING if notes is None else happening(table.game, notes.tobytes())
    beside = table_sentences(table.game, told)
    return protocol.LogLine(
        number=row.number,
        time=row.time,
        kind=row.kind,
        seat=getattr(body, "seat", None),
        name=told.name,
        called=list(told.called),
        text=getattr(body, "text", happened.move),
        preset=getattr(body, "preset", None),
        at=getattr(body, "at", None),
        sentences=[*beside, *happened.sentences] if beside else happened.sentences,
        events=happened.events,
        wish=_wish(body) if type(body) is rows.Wished else UNSET,
    )


def _wish(body: rows.Wished) -> protocol.WishTold:
    return protocol.WishTold(body.to, body.offered, body.wanted)


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


def table_sentences(game: Game, told: Told) -> list[Any]:
    """What happened at the table beside the game, in the server's own words; a wish in its game's."""
    if type(told.body) is rows.Wished:
        assert game.wishes is not None
        body = told.body
        return [game.wishes.sentence(body.seat, body.to, body.offered, body.wanted)]
    say = SENTENCES.get(type(told.body))
    sentence = say and say(told.body, told)
    said = [sentence] if sentence else []
    if told.undone is not None:
        said.append(Sentence("table.undo", {"seat": ToldSeat(told.undone)}))
    return said


def _created(body: rows.Created, told: Told) -> Sentence | None:
    return Sentence("table.late-hands", {"count": body.late_moves}) if body.spectators == "late" else None


def _played(body: rows.Played, told: Told) -> Sentence | None:
    if body.late:
        return _by_seat("table.late.move", body)
    return None if body.fallback is None else _by_seat("table.fallback", body)


def _seated(body: rows.Seated, told: Told) -> Sentence:
    return _by_name(f"table.{_how(body)}", body, told)


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


def _named(body: rows.Named, told: Told) -> Sentence | None:
    if not (told.name and told.called):
        return None
    return Sentence("table.name", {"name": told.name, "new": told.called[body.seat]})


def _resigned(body: rows.Resigned, told: Told) -> Sentence:
    key = "table.lost" if body.late else "table.resign"
    return _by_name(key if body.chair is None else f"{key}.bot", body, told)


def _by_seat(key: str, body: Any) -> Sentence:
    return Sentence(key, {"seat": ToldSeat(body.seat)})


def _by_name(key: str, body: rows.Seated | rows.Resigned, told: Told) -> Sentence:
    """Who came or left, and the bot that has the seat now."""
    data: dict[str, Value] = {"seat": ToldSeat(body.seat), "name": told.name}
    if told.bot:
        data["bot"] = told.bot
    if body.chair is not None and body.chair.level is not None:
        data["level"] = Sentence(f"bot.{body.chair.level}", {})
    return Sentence(key, data)


SENTENCES: dict[type, Callable[[Any, Told], Sentence | None]] = {
    rows.Created: _created,
    rows.Played: _played,
    rows.Seated: _seated,
    rows.Named: _named,
    rows.Resigned: _resigned,
    rows.Undone: lambda body, told: _by_seat("table.undo", body),
    rows.AskedUndo: lambda body, told: _by_seat("table.ask-undo", body),
    rows.AnsweredUndo: lambda body, told: _by_seat(
        "table.agree-undo" if body.agree else "table.refuse-undo", body
    ),
    rows.Agreed: lambda body, told: _by_seat("table.agree" if body.end else "table.play-on", body),
    rows.Readied: lambda body, told: _by_seat("table.ready" if body.ready else "table.unready", body),
    rows.Worded: lambda body, told: _by_seat("table.word" if body.word else "table.no-word", body),
    rows.Swapped: lambda body, told: Sentence("table.swap", {"one": body.seat + 1, "other": body.other + 1}),
    rows.Changed: lambda body, told: Sentence("table.change", {}),
    rows.Started: lambda body, told: None if told.row.actor == rows.DEALER else Sentence("table.start", {}),
    rows.Rematched: lambda body, told: Sentence(
        "table.rematch.by" if told.name else "table.rematch", {"name": told.name}
    ),
}


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
    rating, error = _rating(table, chair)
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
        rating=rating,
        error=error,
    )


def _rating(table: Table, chair: rows.Chair) -> tuple[int, int] | tuple[None, None]:
    """How well those are known to play who are about to play a rated game."""
    if table.begun or not table.created.rated:
        return None, None
    skill = table.skills.get(chair.guest or "") or anchors().get(table.pool, {}).get(chair.level or "")
    return skill.shown if skill else (None, None)


def alike(table: Table) -> protocol.TableView:
    """What all viewers of a table are told alike; `table_view` fills in what differs."""
    created = table.created
    return protocol.TableView(
        table=table.id,
        number=table.number,
        seat=None,
        begun=table.begun,
        practice=table.practice,
        can_undo=False,
        advice=table.begun and why_no_advice(table) is None,
        view=None,
        legal=[],
        lines=[],
        thinking=None if table.deserted else table.bot_in_turn,
        result=table.result,
        ratings=[_rating_change(table, change) for change in table.rating_changes],
        words=list(table.dealt_with),
        secret=created.secret if table.over and not sealed(created) else None,
        rematch=table.rematch,
        host=table.seat_of(table.host),
        wins=table.wins_by_seat,
        games=created.games + table.over,
        ending=sorted(table.ending),
        undo_asked=_undo_asked(table),
        time=time_left(table, time.time()),
    )


def table_view(
    log: LogLines,
    table: Table,
    viewer: Viewer,
    since: int | None,
    names: Mapping[str, str],
    absence: Absence,
    figures: bool,
    shared: protocol.TableView | None = None,
) -> protocol.TableView:
    """The table for a viewer: everything, or what is new since a row. `shared` is made once for several."""
    seat, state = viewer.seat, table.state
    message = replace(
        shared or alike(table),
        since=since,
        seat=seat,
        you_host=viewer.hosts,
        removed=viewer.removed,
        can_undo=seat is not None and may_undo(table, seat),
        view=None if state is None else msgspec.Raw(state.view_json(seat)),
        legal=_legal(table, seat),
        lines=log.lines(viewer, since),
        word="" if state is not None or seat is None else table.words.get(seat, ""),
    )
    if figures and state is not None:
        message = replace(message, figures=state.figures(seat))
    if since is None or since < table.reseated:
        message = replace(message, seats=seats(table, viewer, names, absence))
    return _with_settings(message, table) if since is None or since < table.resettled else message


def _legal(table: Table, seat: Seat) -> list[str]:
    if table.state is None or seat is None or seat != table.turn:
        return []
    return [str(move) for move in table.state.legal_moves]


def _undo_asked(table: Table) -> protocol.UndoAsked | None:
    asked = table.undo_asked
    return None if asked is None else protocol.UndoAsked(asked.seat, sorted(table.undo_agreed))


def _with_settings(message: protocol.TableView, table: Table) -> protocol.TableView:
    """… and what the table is like, which seldom changes."""
    created = table.created
    return replace(
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
        waits=created.waits_for_host,
        listed=created.listed,
        daily=created.daily,
        rated=created.rated,
        regular=None if created.regular is None else protocol.RegularName(*astuple(created.regular)),
        bots_at=None if created.bots_after is None else table.told[0].row.time + created.bots_after,
    )


def _rating_change(table: Table, change: SkillChange) -> protocol.RatingChange:
    (before, _), (after, error) = change.before.shown, change.after.shown
    left = table.left_names.get(change.seat, "")
    return protocol.RatingChange(change.seat, after, error, after - before, left)


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
