"""What moves would surely do, for the guest who has to choose one."""

import asyncio

import msgspec

from kibitz.core.events import Moved
from kibitz.core.state import Observation
from kibitz.server.limits import Limits, Rate
from kibitz.server.protocol import Previewed, SurelyDone
from kibitz.server.readiness import Tell
from kibitz.server.tables import commands
from kibitz.server.tables.live_tables import LiveTables, Watcher
from kibitz.server.tables.refusals import NotAllowed
from kibitz.server.turns import Turns


class Previews:
    """What a guest's moves would surely do, by what the guest knows."""

    def __init__(self, tables: LiveTables, drawing: Turns, limits: Limits) -> None:
        self._tables = tables
        self._drawing = drawing
        self._most = limits.previewed_moves
        self._rate = Rate(limits.previews, limits.preview_seconds)

    async def preview(self, by: Watcher, id: str, moves: list[str], tell: Tell) -> Previewed:
        """Each move with its first events; the guest must be in turn, and the moves legal."""
        if len(moves) > self._most:
            raise NotAllowed("too-many-previews", most=self._most)
        async with self._tables.hold(id, tell) as live:
            observation = commands.decision_of(live.table, by.guest)
            number = live.table.number
        self._rate.take(by.guest.id)
        async with self._drawing.turn(by.asker):
            return Previewed(id, number, [await surely_done(observation, move) for move in moves])


async def surely_done(observation: Observation, move: str) -> SurelyDone:
    """A move with its first events, which all states share that fit the observation."""
    events = await asyncio.to_thread(observation.preview, move)  # long, while the rules are interpreted
    return SurelyDone(
        move,
        [msgspec.to_builtins(sentence) for sentence in observation.game.sentences(events)],
        [msgspec.to_builtins(event) for event in events if not isinstance(event, Moved)],
    )
