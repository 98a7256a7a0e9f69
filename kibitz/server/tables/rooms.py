"""All that is done with tables, each part in a room of its own."""

from kibitz.server.background import Background
from kibitz.server.limits import Limits
from kibitz.server.live_bots import LiveBots
from kibitz.server.nodes.bus import Bus
from kibitz.server.nodes.leases import Leases
from kibitz.server.nodes.neighbours import Neighbours
from kibitz.server.protocol import Chat, Wish
from kibitz.server.readiness import Readiness
from kibitz.server.stores.store import Store
from kibitz.server.study.analysts import Analysts, Reviews
from kibitz.server.tables.appender import Appender
from kibitz.server.tables.bot_turns import BotTurns
from kibitz.server.tables.clocks import Clocks
from kibitz.server.tables.daily import Daily
from kibitz.server.tables.hints import Hints
from kibitz.server.tables.live_tables import LiveTables
from kibitz.server.tables.lobby import Lobby
from kibitz.server.tables.past import Past
from kibitz.server.tables.previews import Previews
from kibitz.server.tables.regulars import Regulars
from kibitz.server.tables.rests import Rests
from kibitz.server.tables.results import Results
from kibitz.server.tables.seeking import Seeking
from kibitz.server.tables.watching import Watching
from kibitz.server.turns import Turns

NICE = 10  # by which reviews give way to games


class Tables:
    """The rooms, and how they are connected."""

    def __init__(self, store: Store, bus: Bus, readiness: Readiness, bots: LiveBots, limits: Limits) -> None:
        self.background = Background()
        drawing = Turns(1, limits.drawings)
        self.live = LiveTables(store, bus, readiness, self.background)
        # First of those who hear of changes: it says whether bots and clocks wait
        self.rests = Rests(self.live, bus, self.background, limits)
        self.neighbours = Neighbours(bus, self.live)
        self.watching = Watching(self.live, self.neighbours, self.rests, self.background, drawing, limits)
        self.appender = Appender(self.live, store, bus, limits)
        self.leases = Leases(store, bus)
        self.bot_turns = BotTurns(self.live, self.appender, bots, self.background, self.leases)
        self.clocks = Clocks(self.live, self.appender, store, bots, self.background)
        self.seeking = Seeking(self.live, self.appender, self.background)
        self.results = Results(store)
        self.analysts = Analysts(limits.analysts, limits.analyses, limits.analysis_seconds)
        self._reviewers = Analysts(  # no review holds up a hint
            limits.analysts, limits.reviews, limits.review_seconds, of_household=1, nice=NICE
        )
        self.reviews = Reviews(self._reviewers, self.background, limits)
        self.hints = Hints(self.live, self.analysts, readiness, limits)
        self.previews = Previews(self.live, drawing, limits)
        self.past = Past(self.live, drawing, limits)
        self.lobby = Lobby(self.live, self.appender, store, readiness, limits)
        self.regulars = Regulars(self.live, self.lobby, store, limits)
        self.daily = Daily(self.lobby, store, readiness, limits)
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
            self.background.start(self.live.keep_looking())
            self.background.start(self.neighbours.keep_telling())

    async def close(self) -> None:
        """Stop the bots; what was asked for before is on disk."""
        self.live.close()
        self.clocks.close()
        self.neighbours.close()
        self.seeking.close()
        await self.background.close()
        await self.leases.release_all()
        await self.analysts.close()
        await self._reviewers.close()
