"""How much time players have, and what is left of it: worked out from the log's times alone."""

from typing import NamedTuple

import msgspec
from msgspec import UNSET, UnsetType

AT_ZERO = ("move", "play-on", "lost")
SECONDS = range(10, 14 * 24 * 3600 + 1)  # for a decision
BANK = range(30, 4 * 3600 + 1)  # seconds for a whole game ...
ADDED = range(1, 601)  # ... and what a decision adds to them
UNHURRIED = 24 * 3600  # seconds for a decision from which on nobody is expected to sit and wait
ROUND_SECONDS = 30.0  # for looking at what a round has brought, which nobody is charged for


class Clock(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """So many seconds for every decision; or a bank for the game, which each decision adds them to."""

    seconds: int
    bank: int | None = None  # for the whole game
    answer: int | None = None  # for answering others, beside the bank: duels, trades, passing; None: as ever
    at_zero: str = "play-on"  # a bot makes that one `move`, or `play-on`s until one returns; or all is `lost`
    quiet: bool | UnsetType = UNSET  # it hurries nobody: for those who forget, shown when it is nearly over

    @property
    def unhurried(self) -> bool:
        """Whether players come and go between their moves: being away costs nobody a seat."""
        return self.bank is None and self.seconds >= UNHURRIED


class Spell(NamedTuple):
    """A decision that was made: how long it took, and what its seat had in the bank before."""

    seat: int
    spent: float
    bank: float


class TimeSheet:
    """What each seat has spent, and the decision that is being made."""

    def __init__(self, clock: Clock, players: int) -> None:
        self.clock = clock
        self.banks = [float(clock.bank or 0)] * players
        self.since = 0.0  # when the decision began, seconds since 1970; what isn't charged is added to it
        self.answering = False
        self._reads_until = [0.0] * players  # by then each has read the score of the last round
        self._spells: list[Spell] = []  # one for each move that counts

    def score(self, time: float) -> None:
        """A round is over: everybody may read its score first."""
        self._reads_until = [time + ROUND_SECONDS] * len(self.banks)

    def begin(self, seat: int, time: float, answering: bool) -> None:
        """A seat has to decide from now on; who may still be reading a score, a little later."""
        self.since = max(time, self._reads_until[seat])
        self.answering = answering

    def resume(self, seconds: float) -> None:
        """For so long no server ran."""
        self.since += seconds
        self._reads_until = [until + seconds for until in self._reads_until]

    def decided(self, seat: int, time: float, charged: bool) -> None:
        """A move was made; bots aren't charged. Who moves reads no more."""
        self._reads_until[seat] = 0.0
        spent = max(0.0, time - self.since) if charged else 0.0
        before = self.banks[seat]
        self._spells.append(Spell(seat, spent, before))
        if charged and self._banked:
            self.banks[seat] = max(0.0, before - spent) + self.clock.seconds

    def take_back(self, moves: int, time: float) -> None:
        """So many moves remain; what was spent on the decision that is made again stays spent."""
        while len(self._spells) > moves:
            seat, spent, bank = self._spells.pop()
            self.banks[seat] = bank
            self.since = time - spent

    def return_to(self, seat: int) -> None:
        """Somebody takes the seat back: there is time for one decision at least."""
        if self.clock.bank is not None:
            self.banks[seat] = max(self.banks[seat], self.clock.seconds)

    @property
    def _banked(self) -> bool:
        return self.clock.bank is not None and not (self.answering and self.clock.answer is not None)

    def allowed(self, seat: int) -> float:
        """How long the decision may take."""
        if self.answering and self.clock.answer is not None:
            return self.clock.answer
        return self.clock.seconds if self.clock.bank is None else self.banks[seat]

    def end(self, seat: int) -> float:
        """When that time is over."""
        return self.since + self.allowed(seat)

    def left(self, seat: int, turn: int | None, now: float) -> float:
        """What a seat has: in the bank, or for this decision."""
        if seat != turn:
            return float(self.clock.seconds) if self.clock.bank is None else self.banks[seat]
        return max(0.0, self.end(seat) - max(now, self.since))
