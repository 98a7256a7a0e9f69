"""All hands, some moves late: what is shown to those who look on, where a table allows it.

They see the table as it was before its latest moves, with every hand open. Whoever has had a seat there, and
might take it again, sees what lies open now, as at any other table; when the game is over, so do all.
"""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from kibitz.core.events import seen
from kibitz.server import protocol
from kibitz.server.tables.commands import Absence
from kibitz.server.tables.rows import Played
from kibitz.server.tables.table import Table, Told
from kibitz.server.tables.table_view import LogLines, Viewer, encode, line, said_by, table_view

LATE = "late"


class LateTable:
    """A table some moves ago, with all hands open."""

    def __init__(self, table: Table) -> None:
        self._now = table
        self.then = table.from_the_beginning()
        self._lines = OpenLines(self.then)
        self.catch_up()

    def catch_up(self) -> None:
        """Take in what has become old enough."""
        for told in self._now.told[self.then.number + 1 : self._shown()]:
            self.then.apply(told.row, told.body)

    def _shown(self) -> int:
        """How many rows may be shown: those before the latest moves; at first, those before any move."""
        late = self._moves[-self._now.created.late_moves :]
        return late[0] if late else len(self._now.told)

    @property
    def _moves(self) -> list[int]:
        return [index for index, told in enumerate(self._now.told) if isinstance(told.body, Played)]

    @property
    def _open(self) -> bool:
        """Whether what is shown is old enough for all hands."""
        return len(self._moves) >= self._now.created.late_moves

    @property
    def latest(self) -> int:
        """The last row that is shown: an old one, or what somebody who looks on has just said."""
        talk = (told.row.number for told in self._now.told[self.then.number + 1 :] if told.apart)
        return max(talk, default=self.then.number)

    def view(
        self, guest: str, since: int | None, names: Mapping[str, str], absence: Absence, figures: bool
    ) -> protocol.TableView:
        """The table as it was then, and what those who look on have said to each other since."""
        viewer = Viewer(None, voice=guest)
        told = table_view(self._lines, self.then, viewer, since, names, absence, figures)
        state = self.then.state
        talk: list[Any] = [
            replace(line(self._now, each, None), you=said_by(each, guest))
            for each in self._now.told[self.then.number + 1 :]
            if each.apart
        ]
        view = state.position() if state is not None and self._open else told.view
        return replace(told, view=view, lines=[*told.lines, *talk], time=None)

    def message(self, *facts: Any) -> bytes:
        """The same, as it is sent."""
        return encode(self.view(*facts))


class OpenLines(LogLines):
    """Lines of moves as those know them who made them; the deal, which may be fresh, as all know it."""

    def _line(self, told: Told, viewer: Viewer) -> msgspec.Raw:
        if told.notes is None or not isinstance(told.body, Played):
            return super()._line(told, viewer)
        return msgspec.Raw(encode(line(self._table, told, seen(told.notes, told.body.seat))))


def sees_late(table: Table, guest: str) -> bool:
    """Whether somebody is shown all hands, some moves late."""
    return table.created.spectators == LATE and table.begun and not table.over and not table.has_sat(guest)
