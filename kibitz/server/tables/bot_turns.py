"""The bots' turns at live tables."""

import asyncio
import logging
import time

from kibitz.server.background import Background
from kibitz.server.live_bots import LiveBots
from kibitz.server.nodes.leases import Leases
from kibitz.server.protocol import Pace
from kibitz.server.readiness import Tell
from kibitz.server.stores.store import Guest, StoreDamaged, StoreFailed
from kibitz.server.tables import commands
from kibitz.server.tables.appender import Appender
from kibitz.server.tables.commands import PACES
from kibitz.server.tables.daily_deal import bot_seed
from kibitz.server.tables.live_tables import LiveTable, LiveTables
from kibitz.server.tables.refusals import NotAllowed

log = logging.getLogger("kibitz.bot_turns")

RETRY_SECONDS = 1.0  # until a bot tries again after something has failed
THINKING = 0.6  # of a bot's pace it may search at most
LEAST_PACES = {"expert": 2.5}  # seconds: who thinks further is never faster


class BotTurns:
    """Has a bot move whenever one is in turn at a table that people sit at or watch."""

    def __init__(
        self,
        tables: LiveTables,
        appender: Appender,
        bots: LiveBots,
        background: Background,
        leases: Leases,
    ) -> None:
        self._tables = tables
        self._appender = appender
        self._bots = bots
        self._background = background
        self._leases = leases
        tables.on_change(self._begin)

    async def set_pace(self, guest: Guest, asked: Pace, tell: Tell) -> None:
        """Play at another pace where the guest has a seat; it isn't logged."""
        if asked.pace not in PACES:
            raise NotAllowed("bad-pace")
        async with self._tables.hold(asked.table, tell) as live:
            commands.own_seat(live.table, guest)
            live.pace = asked.pace

    def _begin(self, live: LiveTable) -> None:
        if live.bots is None and live.table.bot_in_turn is not None and _matters(live):
            live.bots = self._background.start(self._play(live))

    async def _play(self, live: LiveTable) -> None:
        """One bot's turn after the other, while this node has the lease for them."""
        lease = self._leases.lease(f"bots/{live.id}")
        try:
            while _matters(live):
                try:
                    async with lease as mine:
                        if not await (self._play_one(live) if mine else self._let_play(live)):
                            break
                except (NotAllowed, StoreDamaged):
                    break  # the table is gone, or will never change again
                except StoreFailed:
                    await asyncio.sleep(RETRY_SECONDS)
                except Exception:
                    log.exception("a bot at table %s could not move", live.id)
                    await asyncio.sleep(RETRY_SECONDS)
        finally:
            live.bots = None
            self._tables.let_rest(live)
            self._background.start(lease.release())

    async def _let_play(self, live: LiveTable) -> bool:
        """Another node plays the bots here; its lease soon ends if it is gone. False: no bot is in turn."""
        await asyncio.sleep(RETRY_SECONDS)
        async with self._tables.hold(live.id):
            await self._tables.catch_up(live)
            return live.table.bot_in_turn is not None

    async def _play_one(self, live: LiveTable) -> bool:
        """One bot's move; False if no bot is in turn.

        It comes when the pace says, however soon it is found: the time tells nothing about hidden cards.
        """
        if live.rest is not None:
            await live.rest.over.wait()
        started = time.monotonic()
        async with self._tables.hold(live.id):
            table = live.table
            seat = table.bot_in_turn
            if seat is None:
                return False
            assert table.state is not None
            changed, level = table.changed, table.chairs[seat].level
            observation = table.state.observation(seat)
            seed = bot_seed(table, seat)
        pace = max(PACES[live.pace or table.created.pace], LEAST_PACES.get(level or "", 0.0))
        level = level or commands.SUBSTITUTE
        if seed is not None or table.created.rated:  # the same bots for everybody, none below its level
            await self._tables.compiled(table.game.name)
        move, fallback = await self._bots.choose(level, observation, THINKING * pace, seed, live.asker)
        self._appender.tally.thoughts += 1
        await asyncio.sleep(max(0.0, started + pace - time.monotonic()))
        async with self._tables.hold(live.id):
            table = live.table
            if table.changed == changed and table.bot_in_turn == seat:
                await self._move(live, seat, str(move), fallback)
        return True

    async def _move(self, live: LiveTable, seat: int, move: str, fallback: str | None) -> None:
        command = f"bot/{seat}/{live.table.number + 1}"
        draft = commands.checked_move(live.table, seat, move, fallback)
        if await self._appender.append(live, f"bot/{seat}", command, b"", draft):
            self._tables.show(live)


def _matters(live: LiveTable) -> bool:
    """Whether anybody sits at the table, or watches it; a game that all have left for now isn't finished."""
    if not live.loaded:
        return bool(live.watchers)
    return bool(live.table.guests or (live.watchers and not live.table.deserted))
