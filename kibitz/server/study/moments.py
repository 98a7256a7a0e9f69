"""Games beside the tables, as the page draws them: each moment as a viewer is shown it, and what is new."""

from functools import cache
from typing import Any

import msgspec

from kibitz.bots.puzzles import puzzles, set_up
from kibitz.core.events import seen
from kibitz.core.layout import NOBODY
from kibitz.core.moments import PlayedMoment, played
from kibitz.core.record import Record
from kibitz.core.registry import game
from kibitz.server import protocol
from kibitz.server.tables.rows import BOT, bot_name
from kibitz.server.tables.table_view import encode, happening

ALL_OPEN = "open"
UNKNOWN = "unknown"  # as a kind of seat: a record names people and bots alike

Viewpoint = int | str | None  # a seat; `open`: everything; None: a spectator


def shown(
    table: str, moment: PlayedMoment, number: int, at: Viewpoint, seats: list[protocol.SeatInfo]
) -> protocol.TableView:
    """One moment as it is drawn from somewhere."""
    state = moment.state
    seat = at if isinstance(at, int) else None
    view: Any = state.position() if at == ALL_OPEN else msgspec.Raw(state.view_json(seat))
    return protocol.TableView(
        table=table,
        number=number,
        game=state.game.name,
        options=state.position()["options"],
        players=state.players,
        pace="normal",
        commitment="",
        seats=seats,
        seat=seat,
        begun=True,
        practice=True,
        can_undo=False,
        view=view,
        figures=state.figures(seat),
        legal=[str(move) for move in state.legal_moves] if state.turn == seat is not None else [],
        lines=[line(moment, number, at)],
    )


def line(moment: PlayedMoment, number: int, at: Viewpoint) -> protocol.LogLine:
    """What a move told somebody; all open: what it told who made it."""
    reader = moment.mover if at == ALL_OPEN else at
    told = happening(
        moment.state.game, seen(moment.news, reader if isinstance(reader, int) else NOBODY).tobytes()
    )
    return protocol.LogLine(
        number=number,
        time=0.0,
        kind="create" if moment.mover is None else "move",
        seat=moment.mover,
        text=told.move,
        sentences=told.sentences,
        events=told.events,
    )


def sitting(players: int, names: tuple[str, ...], you: Viewpoint = None) -> list[protocol.SeatInfo]:
    """Who sat where: those a record names, or bots' names."""
    return [
        protocol.SeatInfo(
            kind=UNKNOWN if names else BOT,
            name=(names[seat] if names else "") or bot_name(seat),
            here=True,
            you=seat == you,
        )
        for seat in range(players)
    ]


def moments_of(record: Record, at: Viewpoint) -> list[protocol.TableView]:
    """A recorded game, move by move, from somewhere."""
    state = record.begin()
    if isinstance(at, int):
        state.view(at)  # raises for a seat that isn't there
    seats = sitting(state.players, record.seats, at)
    steps = played(state, record.moves)
    return [shown("record", moment, number, at, seats) for number, moment in enumerate(steps)]


@cache
def position_json(name: str) -> bytes:
    """A moment well into a real game, as the seat in turn sees it, with many moves; or a new game."""
    found = max(puzzles(name).puzzles, key=lambda one: len(one.moves) * len(one.chances), default=None)
    state = set_up(name, found) if found else game(name).deal(seed=0)
    moment = PlayedMoment(state, None, state.news)
    return encode(shown("position", moment, 0, state.turn, sitting(state.players, (), state.turn)))
