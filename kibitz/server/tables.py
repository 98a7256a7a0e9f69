"""All that is done with tables, each part in a room of its own."""

from kibitz.server.appender import Appender
from kibitz.server.background import Background
from kibitz.server.bot_turns import BotTurns, Hints
from kibitz.server.bus import Bus
from kibitz.server.clocks import Clocks
from kibitz.server.limits import Limits
from kibitz.server.live_bots import LiveBots
from kibitz.server.live_tables import LiveTables
from kibitz.server.lobby import Lobby
from kibitz.server.past import Past
from kibitz.server.previews import Previews
from kibitz.server.readiness import Readiness
from kibitz.server.store import Store
from kibitz.server.watching import Watching


class Tables:
    """The rooms, and how they are connected."""

    def __init__(self, store: Store, bus: Bus, readiness: Readiness, bots: LiveBots, limits: Limits) -> None:
        self._background = Background()
        self.live = LiveTables(store, bus, readiness, self._background)
        self.watching = Watching(self.live, self._background, limits)
        self.appender = Appender(self.live, store, bus, limits)
        self.bot_turns = BotTurns(self.live, self.appender, bots, self._background)
        self.clocks = Clocks(self.live, self.appender, store, bots, self._background)
        self.hints = Hints(self.live, bots, limits)
        self.previews = Previews(self.live, limits)
        self.past = Past(self.live, limits)
        self.lobby = Lobby(self.live, self.appender, store, readiness, limits)

    async def close(self) -> None:
        """Stop the bots; what was asked for before is on disk."""
        self.live.close()
        self.clocks.close()
        await self._background.close()
