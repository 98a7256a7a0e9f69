"""All that is done with tables, each part in a room of its own."""

from kibitz.server.analysts import Analysts, Reviews
from kibitz.server.appender import Appender
from kibitz.server.background import Background
from kibitz.server.bot_turns import BotTurns
from kibitz.server.bus import Bus
from kibitz.server.clocks import Clocks
from kibitz.server.hints import Hints
from kibitz.server.leases import Leases
from kibitz.server.limits import Limits
from kibitz.server.live_bots import LiveBots
from kibitz.server.live_tables import LiveTables
from kibitz.server.lobby import Lobby
from kibitz.server.neighbours import Neighbours
from kibitz.server.past import Past
from kibitz.server.previews import Previews
from kibitz.server.protocol import Chat, Wish
from kibitz.server.readiness import Readiness
from kibitz.server.rests import Rests
from kibitz.server.results import Results
from kibitz.server.seeking import Seeking
from kibitz.server.store import Store
from kibitz.server.watching import Watching

NICE = 10  # by which reviews give way to games


class Tables:
    """The rooms, and how they are connected."""

    def __init__(self, store: Store, bus: Bus, readiness: Readiness, bots: LiveBots, limits: Limits) -> None:
        self._background = Background()
        self.live = LiveTables(store, bus, readiness, self._background)
        self.rests = Rests(self.live, self._background, limits)  # first: it says whether bots and clocks wait
        self.neighbours = Neighbours(bus, self.live)
        self.watching = Watching(self.live, self.neighbours, self.rests, self._background, limits)
        self.appender = Appender(self.live, store, bus, limits)
        self.leases = Leases(store, bus)
        self.bot_turns = BotTurns(self.live, self.appender, bots, self._background, self.leases)
        self.clocks = Clocks(self.live, self.appender, store, bots, self._background)
        self.seeking = Seeking(self.live, self.appender, self._background)
        self.results = Results(store)
        self.analysts = Analysts()
        self._reviewers = Analysts(nice=NICE)  # others: no review holds up a hint
        self.reviews = Reviews(self._reviewers, self._background)
        self.hints = Hints(self.live, self.analysts, limits)
        self.previews = Previews(self.live, limits)
        self.past = Past(self.live, limits)
        self.lobby = Lobby(self.live, self.appender, store, readiness, limits)
        self.neighbours.share(
            {
                "chat": self.appender.talk[Chat],
                "wish": self.appender.talk[Wish],
                "nudge": self.watching.nudges,
                "hint": self.hints.rate,
            }
        )
        self._bus = bus

    def start(self) -> None:
        """Begin what is done now and then, once there is a loop."""
        if self._bus.far:
            self._background.start(self.live.keep_looking())
            self._background.start(self.neighbours.keep_telling())

    async def close(self) -> None:
        """Stop the bots; what was asked for before is on disk."""
        self.live.close()
        self.clocks.close()
        self.neighbours.close()
        self.seeking.close()
        await self._background.close()
        await self.leases.release_all()
        await self.analysts.close()
        await self._reviewers.close()
