"""Carrying commands out: each is checked, appended and synced, acknowledged, then shown to all."""

import hashlib
import time
from collections.abc import Callable
from typing import Any, get_args

import msgspec

from kibitz.core.errors import KibitzError
from kibitz.server.limits import Limits, Rate
from kibitz.server.nodes.bus import Appended, Bus
from kibitz.server.protocol import Chat, Done, Wish
from kibitz.server.readiness import Tell
from kibitz.server.stores.store import Conflict, Guest, Row, Store, next_row
from kibitz.server.tables import commands, opening
from kibitz.server.tables.commands import Draft, TableCommand
from kibitz.server.tables.live_tables import LiveTable, LiveTables
from kibitz.server.tables.opening import OpeningCommand
from kibitz.server.tables.refusals import NotAllowed
from kibitz.server.tables.rows import DEALER
from kibitz.server.tables.table import Table
from kibitz.server.tally import Tally

encode = msgspec.json.Encoder().encode

OPENING = frozenset(get_args(OpeningCommand))

Acknowledge = Callable[[Done], None]


class Appender:
    """Adds rows to the tables' logs."""

    def __init__(self, tables: LiveTables, store: Store, bus: Bus, limits: Limits) -> None:
        self._tables = tables
        self._store = store
        self._bus = bus
        self.tally = Tally()
        self.talk = {
            Chat: Rate(limits.chats, limits.chat_seconds),
            Wish: Rate(limits.wishes, limits.wish_seconds),
        }

    async def carry_out(
        self, guest: Guest, command: TableCommand | OpeningCommand, acknowledge: Acknowledge, tell: Tell
    ) -> None:
        """Carry a command out, once; acknowledge it when it is on disk, then show everybody."""
        asked = fingerprint(guest.id, command)
        async with self._tables.hold(command.table, tell) as live:
            row = known_row(live.table, guest.id, command.id, asked)
            if row is None and (talk := self.talk.get(type(command))):
                talk.take(guest.id)
            while row is None:
                try:
                    draft = self._draft(live, guest, command)
                except KibitzError:
                    if await self._tables.catch_up(live):  # another node knew more
                        row = known_row(live.table, guest.id, command.id, asked)
                        continue
                    raise
                if (renamed := commands.renamed(live.table, guest)) is not None:
                    await self.append(live, guest.id, f"name/{live.table.number + 1}", b"", renamed)
                    continue
                if draft.kind == "seat":
                    live.names[guest.id] = guest.name
                    live.left[guest.id] = time.monotonic()
                row = await self.append(live, guest.id, command.id, asked, draft)
            await self.deal(live)
            acknowledge(Done(command.id, live.id, row.number))
            self._tables.show(live)

    def _draft(self, live: LiveTable, guest: Guest, command: Any) -> Draft:
        if type(command) in OPENING:
            return opening.draft(live.table, guest, command, live.absence, live.names)
        return commands.draft(live.table, guest, command, live.absence, live.idle, live.names)

    async def deal(self, live: LiveTable) -> None:
        """Have the cards dealt where nobody has to say so; whoever calls holds the table."""
        while (at := opening.deals_at(await self._tables.table_of(live))) is not None and at <= time.time():
            draft = opening.start_by_itself(live.table)
            await self.append(live, DEALER, f"{DEALER}/{live.table.number + 1}", b"", draft)

    async def append(
        self, live: LiveTable, actor: str, command: str, asked: bytes, draft: Draft
    ) -> Row | None:
        """Add a row to the log; None if the log had moved on: look again.

        The table in memory takes the row *before* the log does, so that what lists tell is stored with it.
        Nobody is shown that: whoever calls holds the table, and if the append fails the memory is forgotten
        and the log read again.
        """
        table = live.table
        row = next_row(
            table.last,
            table=table.id,
            kind=draft.kind,
            actor=actor,
            time=time.time(),
            command=command,
            fingerprint=asked,
            body=encode(draft.body),
        )
        try:
            begun = table.begun
            table.apply(row, draft.body)
            tell_lists = draft.standing or table.over or table.begun != begun
            standing = table.standing(live.names) if tell_lists else None
            asked_at = time.monotonic()
            stored = await self._store.append(row, table.turn, standing, table.due)
        except Conflict:
            self.tally.conflicts += 1
            await self._tables.read_again(live)
            return None
        except BaseException:
            self._tables.read_again_soon(live)  # it may be on disk nevertheless
            raise
        if stored is not row:  # another node has carried this command out
            await self._tables.read_again(live)
            return known_row(live.table, actor, command, asked)
        if table.over or not table.begun:
            await self._tables.note_ratings(live)
        self.tally.appended(time.monotonic() - asked_at)
        self._bus.publish(Appended(live.id, row.number))
        return row


def fingerprint(guest: str, command: Any) -> bytes:
    """What was asked, by whom, in short."""
    return hashlib.sha256(guest.encode() + b"/" + encode(command)).digest()[:16]


def known_row(table: Table, actor: str, command: str, asked: bytes) -> Row | None:
    """The row that a command has made before; the same id for anything else is refused."""
    row = table.commands.get(command)
    if row is not None and (row.actor, row.fingerprint) != (actor, asked):
        raise NotAllowed("same-id")
    return row
