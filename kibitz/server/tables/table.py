"""A table as its log tells it: a fold over the rows, the same wherever and whenever it is done.

Nothing here reads a clock, a disk or a socket; `commands` says which rows may follow, `table_view` what a
viewer is shown.
"""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from kibitz.core import registry
from kibitz.core.errors import KibitzError
from kibitz.core.game import Game
from kibitz.core.journal import EVERYBODY, KIND, SEEN_BY, Journal, Note
from kibitz.core.sentences import Seat
from kibitz.core.state import State
from kibitz.core.tallies import Tally, tally
from kibitz.server import protocol
from kibitz.server.names import distinct
from kibitz.server.people.ratings import Skill, SkillChange, pool_of
from kibitz.server.stores.store import Row, SeatFacts, Standing
from kibitz.server.tables import rows
from kibitz.server.tables.clock import Clock, TimeSheet


class Told(msgspec.Struct, frozen=True):
    """A row as it is told to viewers: its body, and the game's own notes of what it caused."""

    row: Row
    body: Any
    notes: Journal | None = None
    name: str = ""  # of whoever came or left, as the others see it
    bot: str = ""  # which has the seat now
    apart: bool = False  # said by who looks on at a game, for those who look on
    called: tuple[str, ...] = ()  # all names at the seats, if that has changed them
    undone: int | None = None  # the seat whose move was taken back with this answer


class OtherRules(KibitzError):
    """The table was played by rules that this Kibitz doesn't have."""


class Table:
    """A table: who sits where, and the game. `apply` is the only thing that changes it."""

    def __init__(self, first: Row, forgotten: frozenset[str] = frozenset()) -> None:
        self.id = first.table
        self._forgotten = forgotten  # whom nobody knows any more: they are told without name and talk
        self.skills: dict[str, Skill] = {}  # of guests at a rated table, before the deal
        self.rating_changes: list[SkillChange] = []  # by a rated game that is over, as the store has them
        self.told: list[Told] = []
        self.commands: dict[str, Row] = {}
        self.state: State | None = None
        self.movers: list[int] = []  # who made each of the moves that count
        self._told_more: list[bool] = []  # whether chance, or a secret for some, came of each of them
        self.undo_asked: rows.AskedUndo | None = None
        self.undo_agreed: set[int] = set()
        self.undo_refused = False  # nobody is asked about the same move twice
        self.practice = False
        self.resigned: int | None = None
        self._late = False  # not given up: the time was over
        self.ending: set[int] = set()  # the seats that would end the game
        self.agreed = False  # all would
        self.left: dict[int, str] = {}  # who had a seat before the bot that has it now ...
        self.left_names: dict[int, str] = {}  # ... and what they are called
        self.rematch: str | None = None
        self.changed = 0  # the last row that changed the game
        self.reseated = 0  # the last row that changed who sits where
        self.resettled = 0  # the last row that changed what is played, and how
        self.ready: set[int] = set()  # the seats that have said so, before the deal
        self.words: dict[int, str] = {}  # what seats add to the shuffle
        self.dealt_with: tuple[str, ...] = ()  # the words that were
        self.removed: set[str] = set()  # who was sent away by the host
        self.over = False  # it has ended, or was closed
        self.closed = False  # by whoever hosts the house
        self.turn: int | None = None  # the seat that decides now
        self.chats = 0
        self._leavers: set[str] = set()  # who had a seat and gave it up, or lost it
        self.voices: dict[str, str] = {}  # what guests were called when they last said something
        self.wishes = 0
        self.changes = 0  # of seats, and moves taken back
        self._counted: tuple[int, Tally] = (-1, {})  # for statistics, after which row
        self.created: rows.Created = rows.without(rows.body_of(first), first, forgotten)
        self.chairs: list[rows.Chair] = list(self.created.seats)
        self.talk: list[rows.Said] = list(self.created.talk)
        self.names = self._first_names()  # as the log has them
        self.times = _time_sheet(self.created)
        self.since = [0] * len(self.chairs)  # the row with which each seat was taken
        self.called: tuple[str, ...] = ()
        self._note_guests()
        self.game = self._game()
        self._apply(first, self.created)

    def _game(self) -> Game:
        game = registry.game(self.created.game)
        if not game.has_version(self.created.rules):
            raise OtherRules(
                "other-rules",
                f"This table was played by rules version {self.created.rules} of {game.title}; "
                f"this server has {game.versions_expected}.",
            )
        return game

    def _first_names(self) -> list[str]:
        names = list(self.created.names) or [""] * len(self.chairs)
        for seat, chair in enumerate(self.chairs):
            if chair.kind == rows.BOT:
                names[seat] = rows.bot_name(seat, names)
        return names

    def from_the_beginning(self) -> "Table":
        """The same table after its first row, with the same people forgotten."""
        return Table(self.told[0].row, self._forgotten)

    # The fold

    def apply(self, row: Row, body: Any = None) -> None:
        """Take the next row in; whoever has its body at hand may give it, too."""
        if body is None:
            body = rows.without(rows.body_of(row), row, self._forgotten, self.chairs)
        self._apply(row, body)

    def _apply(self, row: Row, body: Any) -> None:
        self.last = row
        self.number = row.number
        self.commands[row.command] = row
        before = self.called
        if row.kind in rows.CHANGES_THE_GAME:
            self.changed = row.number
            self.undo_asked = None
            self.undo_refused = False
        asked = self.undo_asked
        notes: Journal | None = FOLDS[type(body)](self, body, row)
        if type(body) in CHANGES:
            self.changes += 1
        if self.state is None and not self.created.waits and self.full:
            notes = self._begin(tuple(self.words_in_order) if self.words else ())
            self.changed = row.number
        if self.reseated == row.number:
            known = {guest: self.names[seat] for guest, seat in self._seat_of.items()}
            self.called = tuple(self.names_of(known))
        self.told.append(self._tell(row, body, notes, before, asked))
        if self.changed == row.number or self.agreed:
            self._note_turn()
        if self.times is not None:
            self._note_time(row, body, notes)

    def _tell(
        self,
        row: Row,
        body: Any,
        notes: Journal | None,
        before: tuple[str, ...],
        asked: rows.AskedUndo | None,
    ) -> Told:
        """A row as it is told; most are moves, about which there is no more to say."""
        if type(body) is rows.Played:
            return Told(row, body, notes)
        apart = isinstance(body, rows.Said) and body.seat is None and self.begun and not self.over
        called = () if self.called == before else self.called
        undone = asked.seat if asked and self.changed == row.number else None
        name = self._name_in(row, body, before)
        return Told(row, body, notes, name, self._bot_in(body), apart, called, undone)

    def _note_turn(self) -> None:
        if self.state is not None:
            self.over = self.ended
            self.turn = None if self.over else self.state.turn

    def _note_time(self, row: Row, body: Any, notes: Journal | None) -> None:
        """A decision begins with the move before, or when somebody else is to make it."""
        if self.times is None or self.state is None:
            return
        reseated = isinstance(body, rows.Seated) and body.seat == self.turn
        if not (self.changed == row.number or reseated) or isinstance(body, rows.Undone | rows.AnsweredUndo):
            return
        if notes is not None and Note.SCORED in kinds(notes):
            self.times.score(row.time)
        if self.turn is not None:
            self.times.begin(self.turn, row.time, self.state.phase in self.game.answers)
        if reseated:
            self.times.return_to(body.seat)

    # What each kind of row does

    def _open(self, body: rows.Created, row: Row) -> None:
        """The first row says what the table is like, which is known by now."""

    def _begin(self, words: tuple[str, ...]) -> Journal:
        settings = self.created
        self.dealt_with = words
        secret = bytes.fromhex(settings.secret)
        if settings.position is not None:
            self.state = self.game.from_position(settings.position, secret)
        else:
            self.state = self.game.deal(
                settings.players, secret, words, rules_version=settings.rules, **settings.options
            )
        alone = sum(chair.kind == rows.GUEST for chair in self.chairs) == 1
        self.practice = alone and settings.daily is None
        return self.state.news

    def _start(self, body: rows.Started, row: Row) -> Journal:
        self.changed = self.reseated = row.number
        return self._begin(tuple(body.words))

    def _play(self, body: rows.Played, row: Row) -> Journal:
        assert self.state is not None
        if self.times is not None:
            self.times.decided(body.seat, row.time, self.chairs[body.seat].kind == rows.GUEST)
        self.state.play(body.move, body.seat)
        self.movers.append(body.seat)
        news = self.state.news
        self._told_more.append(_tells_more(news))
        return news

    def _ask_undo(self, body: rows.AskedUndo, row: Row) -> None:
        self.undo_asked, self.undo_agreed = body, set()

    def _answer_undo(self, body: rows.AnsweredUndo, row: Row) -> None:
        """All other people have to agree; one who doesn't ends the asking."""
        asked = self.undo_asked
        if asked is None:
            return
        self.undo_agreed = self.undo_agreed | {body.seat}
        if not body.agree:
            self.undo_asked = None
            self.undo_refused = True
        elif self.undo_agreed | {asked.seat} >= set(self._seat_of.values()):
            self._take_back(rows.Undone(asked.seat, asked.moves), row)
            self.undo_asked = None
            self.changed = row.number

    def _take_back(self, body: rows.Undone, row: Row) -> None:
        if self.times is not None:
            self.times.take_back(body.moves, row.time)
        assert self.state is not None
        while len(self.movers) > body.moves:
            self.state.undo()
            self.movers.pop()
            self._told_more.pop()

    def _resign(self, body: rows.Resigned, row: Row) -> None:
        if body.chair is None:
            self.resigned = body.seat
            self._late = body.late
        else:
            self._place(body.seat, body.chair)

    def _agree(self, body: rows.Agreed, row: Row) -> None:
        """All people at the seats have to agree; one who doesn't ends the asking."""
        self.ending = self.ending | {body.seat} if body.end else set()
        self.agreed = self.ending >= set(self._seat_of.values())

    def _say(self, body: rows.Said, row: Row) -> None:
        self.chats += 1
        if body.seat is not None and body.at is None:
            self.talk.append(body)
        self.voices[row.actor] = body.name

    def _wish(self, body: rows.Wished, row: Row) -> None:
        self.wishes += 1

    def _go_on_elsewhere(self, body: rows.Rematched, row: Row) -> None:
        self.rematch = body.table

    def _resume(self, body: rows.Resumed, row: Row) -> None:
        if self.times is not None:
            self.times.resume(body.seconds)

    def _close(self, body: rows.Closed, row: Row) -> None:
        self.closed = self.over = True
        self.turn = None

    def _name(self, body: rows.Named, row: Row) -> None:
        self.names[body.seat] = body.name
        self.reseated = row.number

    # Before the deal

    def _seat(self, body: rows.Seated, row: Row) -> None:
        removed = self.chairs[body.seat].guest
        self._place(body.seat, body.chair, body.name if body.how != "remove" else "")
        if body.how == "remove" and removed is not None:
            self.removed.add(removed)
        self.ready.discard(body.seat)
        self.words.pop(body.seat, None)

    def _ready(self, body: rows.Readied, row: Row) -> None:
        self.reseated = row.number
        if body.ready:
            self.ready.add(body.seat)
        else:
            self.ready.discard(body.seat)

    def _add_word(self, body: rows.Worded, row: Row) -> None:
        self.words[body.seat] = body.word
        self.reseated = row.number

    def _swap(self, body: rows.Swapped, row: Row) -> None:
        order = list(range(len(self.chairs)))
        order[body.seat], order[body.other] = body.other, body.seat
        self._rearrange(order)

    def _change(self, body: rows.Changed, row: Row) -> None:
        self.created = msgspec.structs.replace(
            self.created,
            options=body.options,
            players=len(body.chairs),
            pace=body.pace,
            clock=body.clock,
            listed=body.listed,
        )
        self.times = _time_sheet(self.created)
        self._rearrange(body.chairs)
        self.ready = set()
        self.resettled = self.number

    def _rearrange(self, order: list[int]) -> None:
        """Each chair with all that belongs to it, from its seat to another; -1 is a new one."""
        self.chairs = [rows.Chair() if seat < 0 else self.chairs[seat] for seat in order]
        self.names = ["" if seat < 0 else self.names[seat] for seat in order]
        self.since = [self.number if seat < 0 else self.since[seat] for seat in order]
        self.ready = {seat for seat, before in enumerate(order) if before in self.ready}
        self.words = {seat: self.words[before] for seat, before in enumerate(order) if before in self.words}
        self.reseated = self.number
        self._note_guests()

    def _place(self, seat: int, chair: rows.Chair, name: str = "") -> None:
        before, was_bot = self.chairs[seat].guest, self.chairs[seat].kind == rows.BOT
        if chair.kind == rows.BOT and before is not None:
            self.left[seat] = before
            self.left_names[seat] = self.called[seat]
        elif chair.kind != rows.BOT:
            self.left.pop(seat, None)
            self.left_names.pop(seat, None)
        self.ending = set()
        self.undo_asked = None
        self.chairs[seat] = chair
        if chair.kind == rows.BOT:
            self.names[seat] = self.called[seat] if was_bot else rows.bot_name(seat, self.called)
        else:
            self.names[seat] = name if chair.kind == rows.GUEST else ""
        self.since[seat] = self.number
        self.reseated = self.number
        if before is not None:
            self._leavers.add(before)
        self._note_guests()

    def _note_guests(self) -> None:
        self._seat_of = {chair.guest: seat for seat, chair in enumerate(self.chairs) if chair.guest}
        self._kept_for = {chair.former: seat for seat, chair in enumerate(self.chairs) if chair.former}

    def _name_in(self, row: Row, body: Any, before: tuple[str, ...]) -> str:
        """What the others call whoever came, left, spoke or would play again."""
        if isinstance(body, rows.Seated) and body.chair.kind == rows.GUEST:
            return self.called[body.seat]
        if isinstance(body, rows.Seated | rows.Resigned) and body.name:
            return before[body.seat] or body.name
        if isinstance(body, rows.Named):
            return before[body.seat]
        if isinstance(body, rows.Rematched):
            return self.called[self._seat_of[row.actor]] if row.actor in self._seat_of else ""
        return body.name if isinstance(body, rows.Said) else ""

    def _bot_in(self, body: Any) -> str:
        """The bot that has the seat after somebody came or left."""
        if isinstance(body, rows.Seated | rows.Resigned) and self.chairs[body.seat].kind == rows.BOT:
            return self.called[body.seat]
        return ""

    # What it is like now

    @property
    def begun(self) -> bool:
        """Whether the cards are dealt."""
        return self.state is not None

    @property
    def full(self) -> bool:
        """Whether all seats are taken."""
        return all(chair.kind != rows.OPEN for chair in self.chairs)

    @property
    def deals_itself(self) -> bool:
        """Whether a `start` follows that nobody has to say."""
        return not self.begun and self.full and not self.created.waits_for_host

    @property
    def filled(self) -> float:
        """When the last seat was taken, or what is played was last changed."""
        return self.told[max(*self.since, self.resettled)].row.time

    @property
    def wins(self) -> dict[str, int]:
        """How often each has won in this series; this game counts when it is over."""
        result = self.result
        if result is None:
            return self.created.wins
        wins = dict(self.created.wins)
        for seat in result.winners:
            winner = self.winner_name(seat)
            wins[winner] = wins.get(winner, 0) + 1
        return wins

    @property
    def wins_by_seat(self) -> list[int]:
        """The same, for those who sit here now."""
        wins = self.wins
        if not wins:
            return [0] * len(self.chairs)
        return [wins.get(self.winner_name(seat), 0) for seat in range(len(self.chairs))]

    def winner_name(self, seat: int) -> str:
        """Under what the wins of a seat are counted: a guest's, or a bot's."""
        return self.chairs[seat].guest or f"bot/{seat}"

    @property
    def words_in_order(self) -> list[str]:
        """What each seat adds to the shuffle; nothing, if it has said nothing."""
        return [self.words.get(seat, "") for seat in range(len(self.chairs))]

    @property
    def bot_in_turn(self) -> int | None:
        """The seat in turn, if a bot has it."""
        turn = self.turn
        return turn if turn is not None and self.chairs[turn].kind == rows.BOT else None

    @property
    def due(self) -> float | None:
        """When something happens here by itself: the time of who decides is over, or a bot moves."""
        if self.times is None or self.turn is None or not self._seat_of:
            return None
        return self.last.time if self.chairs[self.turn].kind == rows.BOT else self.times.end(self.turn)

    @property
    def pool(self) -> str:
        """Whose ratings count here."""
        return pool_of(self.game.name, len(self.chairs))

    @property
    def guests(self) -> list[str]:
        """The people at the table."""
        return list(self._seat_of)

    @property
    def deserted(self) -> bool:
        """Whether bots keep the seats of people, and none of these is at the table any more."""
        return not self._seat_of and bool(self._kept_for)

    @property
    def host(self) -> str:
        """Who opened the table; when that guest has left, who has been at it for longest."""
        opener = self.created.creator
        if opener in self._seat_of or opener not in self._leavers:
            return opener
        return min(self._seat_of, key=lambda guest: self.since[self._seat_of[guest]], default=opener)

    def seat_of(self, guest: str) -> int | None:
        """Where a guest sits."""
        return self._seat_of.get(guest)

    def has_sat(self, guest: str) -> bool:
        """Whether a guest has a seat, had one, or has one kept for it."""
        return guest in self._seat_of or guest in self._leavers or guest in self._kept_for

    def kept_for(self, guest: str) -> int | None:
        """The seat that a bot keeps for a guest."""
        return self._kept_for.get(guest)

    def is_amid_turn(self, seat: int) -> bool:
        """Whether the last move was this seat's, and only a step of a turn that isn't finished."""
        if not self.game.steps or self.turn != seat or not self.movers or self.movers[-1] != seat:
            return False
        assert self.state is not None
        return str(self.state.history[-1]).split(" ")[0] in self.game.steps

    def could_be_taken_back(self, seat: int) -> bool:
        """Whether the last move was this seat's, and neither chance nor a secret came of it."""
        return bool(self.movers) and self.movers[-1] == seat and not self._told_more[-1]

    def last_decision(self, seat: int) -> int | None:
        """How many moves had been made when the seat last decided."""
        for index in range(len(self.movers) - 1, -1, -1):
            if self.movers[index] == seat:
                return index
        return None

    @property
    def ended(self) -> bool:
        """Whether the game came to an end: by the rules, or because somebody gave up, or all would."""
        over = self.resigned is not None or self.agreed
        return over or (self.state is not None and self.state.over)

    @property
    def result(self) -> protocol.TableResult | None:
        """How the game ended."""
        state = self.state
        if state is None or not self.over or not self.ended:
            return None
        if self.resigned is not None:
            winners = [seat for seat in range(state.players) if seat != self.resigned]
            reason = "table.late" if self._late else "table.resigned"
            return protocol.TableResult(winners, list(state.scores), reason, {"seat": Seat(self.resigned)})
        if self.agreed:
            return protocol.TableResult([], list(state.scores), "table.agreed")
        assert state.ending is not None
        return protocol.TableResult(list(state.winners), list(state.scores), f"ending.{state.ending.code}")

    def _seniority(self, seated: tuple[int, rows.Chair]) -> tuple[bool, int]:
        seat, chair = seated
        return chair.kind != rows.BOT, self.since[seat]

    def standing(self, names: Mapping[str, str]) -> Standing:
        """What lists tell of it."""
        result = self.result
        called = self.names_of(names)
        return Standing(
            game=self.game.name,
            creator=self.created.creator,
            seats=tuple(
                SeatFacts(chair.guest, called[seat], self.left.get(seat, chair.former), chair.level)
                for seat, chair in enumerate(self.chairs)
            ),
            begun=self.begun,
            over=self.over,
            winners=tuple(result.winners) if result else (),
            listed=self.created.listed and not self.begun,
            seeking=self.created.seeking,
            options=self.created.options if self.created.listed else {},
            clock=self.created.clock,
            scores=tuple(result.scores) if result else (),
            reason=result.reason if result else "",
            closed=self.closed and not self.ended,
            daily=self.created.daily or "",
            rated=self.created.rated,
            regular=self.created.regular.name if self.created.regular else "",
            title=self.created.regular.title if self.created.regular else "",
            tally=self._tally() if result else {},
        )

    def _tally(self) -> Tally:
        """What the game counts for statistics: of an end it is counted once."""
        if self._counted[0] != self.changed:
            assert self.state is not None
            found = tally(self.game.tallies, self.state.log(None), self.state.players)
            self._counted = self.changed, found
        return self._counted[1]

    def names_of(self, names: Mapping[str, str]) -> list[str]:
        """What those at the seats are called, each otherwise: bots as ever, then people as they sat down."""
        shown = [""] * len(self.chairs)
        for seat, chair in sorted(enumerate(self.chairs), key=self._seniority):
            name = self.names[seat] if chair.kind == rows.BOT else names.get(chair.guest or "", "")
            shown[seat] = distinct(name, filter(None, shown)) if name else ""
        return shown


# What a row of each kind does to a table. Looked up by type: a `match` asks one class after the other.
FOLDS: dict[type, Callable[[Table, Any, Row], Any]] = {
    rows.Created: Table._open,
    rows.Seated: Table._seat,
    rows.Readied: Table._ready,
    rows.Worded: Table._add_word,
    rows.Swapped: Table._swap,
    rows.Changed: Table._change,
    rows.Started: Table._start,
    rows.Played: Table._play,
    rows.Undone: Table._take_back,
    rows.AskedUndo: Table._ask_undo,
    rows.AnsweredUndo: Table._answer_undo,
    rows.Named: Table._name,
    rows.Said: Table._say,
    rows.Wished: Table._wish,
    rows.Resigned: Table._resign,
    rows.Agreed: Table._agree,
    rows.Resumed: Table._resume,
    rows.Rematched: Table._go_on_elsewhere,
    rows.Closed: Table._close,
}
CHANGES = frozenset(  # counted: a log has room for so many
    (
        rows.Undone,
        rows.AskedUndo,
        rows.AnsweredUndo,
        rows.Seated,
        rows.Readied,
        rows.Worded,
        rows.Swapped,
        rows.Changed,
        rows.Named,
        rows.Agreed,
    )
)

CHANCE = frozenset({Note.DRAW, Note.REVEAL, Note.RESHUFFLE, Note.ROUND, Note.SHOW, Note.SCORED})


def _tells_more(notes: Journal) -> bool:
    """Whether chance decided something with a move, or somebody learned what the others don't know."""
    return not CHANCE.isdisjoint(kinds(notes)) or notes[:, SEEN_BY].tolist().count(EVERYBODY) < len(notes)


def kinds(notes: Journal) -> list[int]:
    """What notes tell of, as plain numbers: a move has a few, for which NumPy takes ten times as long."""
    found: list[int] = notes[:, KIND].tolist()
    return found


def _time_sheet(created: rows.Created) -> TimeSheet | None:
    """The times of a table with a clock."""
    settings = created.clock
    if settings is None and created.patience is not None:
        settings = Clock(seconds=created.patience)
    return None if settings is None else TimeSheet(settings, created.players)
