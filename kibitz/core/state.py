"""A game in progress: the checked edge around the rules, and what a seat may know of it."""

import hashlib
from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
import numpy.typing as npt

from kibitz.core.description import encode
from kibitz.core.errors import GameOver, IllegalMove, KibitzError, NothingToUndo, NotYourTurn, Refusal
from kibitz.core.events import AnyEvent, events, seen
from kibitz.core.journal import Journal, new_journal, told
from kibitz.core.layout import NOBODY, OVER, blank, plain
from kibitz.core.move import GivenMove, Move
from kibitz.core.record import Record, Result
from kibitz.core.secret import Source, bot_generator

if TYPE_CHECKING:
    from kibitz.core.game import Game

Memory = npt.NDArray[Any]

NO_ROWS = new_journal(0)[1:]


class Ending(msgspec.Struct, frozen=True):
    """Why a game is over: a code of the catalogues, and the English sentence."""

    code: str
    sentence: str


class Observation:
    """What one seat knows: its view, its legal moves (none unless it decides), and the log it was shown.

    Bots get this and nothing else. `memory` is the view as the rules' own record.
    """

    def __init__(self, game: "Game", memory: Memory, legal_moves: tuple[Move, ...], journal: Journal) -> None:
        self.game = game
        self.memory = memory
        self.legal_moves = legal_moves
        self._journal = journal  # holds only what the seat was shown

    @classmethod
    def of_view(cls, game: "Game", memory: Memory, log: tuple[AnyEvent, ...]) -> "Observation":
        """From a view and a log from outside: what is legal follows from any state that fits the view."""
        legal: tuple[Move, ...] = ()
        view = memory[0]
        if view.turn == view.observer and view.phase != OVER:
            imagined = np.zeros(1, game.rules.STATE)
            game.rules.imagine(view, bot_generator(0), imagined[0])
            legal = tuple(game.moves[number] for number in legal_numbers(game, imagined))
        observation = cls(game, memory, legal, NO_ROWS)
        observation.__dict__["log"] = log
        return observation

    @property
    def seat(self) -> int | None:
        """Whose observation it is; None for a spectator."""
        return _seat(self.memory[0].observer)

    @cached_property
    def view(self) -> dict[str, Any]:
        """The view, as JSON."""
        return self.game.describe(self.memory[0])

    @cached_property
    def log(self) -> tuple[AnyEvent, ...]:
        """The events that this seat was shown, what was hidden from it as `?`."""
        return events(self._journal, self.game.text)


class State:
    """A game in progress. Moves are checked here; a refused one changes nothing."""

    def __init__(self, game: "Game", memory: Memory, origin: Source | None) -> None:
        self.game = game
        self.memory = memory  # one record of `game.rules.STATE`
        self._rows = 0  # of the journal
        self._chunks: list[Journal] = []
        self.news: Journal = NO_ROWS  # what the last thing that happened, the deal or a move, told
        self.start: dict[str, Any] | None = None  # the position it began with, if it wasn't dealt
        self._origin = origin
        self._past: list[tuple[bytes, int, Move]] = []  # before each move: record, rows of the journal
        self._numbers: list[int] | None = None  # of the legal moves
        self._legal: tuple[Move, ...] | None = None

    @property
    def journal(self) -> Journal:
        """All that the rules have told, in rows; it holds what nobody may know."""
        if len(self._chunks) != 1:
            self._chunks = [np.concatenate([NO_ROWS, *self._chunks])]
        return self._chunks[0]

    @journal.setter
    def journal(self, rows: Journal) -> None:
        self._rows = len(rows)
        self._chunks = [rows]

    # What everybody may know

    @property
    def players(self) -> int:
        """How many take part."""
        return int(self.memory["players"].item())

    @property
    def turn(self) -> int | None:
        """The seat that decides now; None when over."""
        return _seat(self.memory["turn"].item())

    @property
    def phase(self) -> str:
        """The part of the round, in the rules' words."""
        return self.game.text.PHASES[int(self.memory["phase"][0])]

    @property
    def round(self) -> int:
        """The round, from 1."""
        return int(self.memory["round_number"][0])

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.memory["phase"].item() == OVER)

    @property
    def scores(self) -> tuple[int, ...]:
        """The running score of each seat."""
        return tuple(self.memory[0].scores[: self.players].tolist())

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that have won; none until the game is over, several for a shared win."""
        return tuple(np.flatnonzero(self.memory[0].winners).tolist())

    @property
    def ending(self) -> Ending | None:
        """Why the game is over; None until then."""
        if not self.over:
            return None
        code = self.game.text.ENDINGS[self.memory[0].ending]
        return Ending(code, self.game.words("en")(f"ending.{code}"))

    @property
    def history(self) -> tuple[Move, ...]:
        """The moves made, in order."""
        return tuple(move for _, _, move in self._past)

    # Moving

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """What the seat in turn may do, in ascending order of the moves' numbers."""
        if self._legal is None:
            self._legal = tuple(map(self.game.moves.__getitem__, self._legal_numbers))
        return self._legal

    @property
    def _legal_numbers(self) -> list[int]:
        if self._numbers is None:
            self._numbers = legal_numbers(self.game, self.memory)
        return self._numbers

    def allows(self, move: Move) -> bool:
        """Whether the seat in turn may do that."""
        return move.id in self._legal_numbers

    def play(self, move: GivenMove, seat: int | None = None) -> None:
        """Make a move, given as text, number or Move. With a seat given, it must be that seat's turn."""
        checked = self._checked(move, seat)
        game = self.game
        self._past.append((self.memory.tobytes(), self._rows, checked))
        journal = new_journal(game.rules.MAX_NOTES)
        game.verbs.play_in(self.memory, checked.id, journal)
        self.news = told(journal)
        self._chunks.append(self.news)
        self._rows += len(self.news)
        self._numbers = self._legal = None

    def _checked(self, move: GivenMove, seat: int | None) -> Move:
        game = self.game
        if self.over:
            raise game.illegal(Refusal("over", "end"), GameOver)
        if seat is not None and seat != self.turn:
            refusal = Refusal("not-your-turn", "turn", seat=f"p{seat}", turn=f"p{self.turn}")
            raise game.illegal(refusal, NotYourTurn)
        found = game.move(move)
        if not self.allows(found):
            raise game.illegal(game.text.why_illegal(self.memory[0], found.id), IllegalMove, move=str(found))
        return found

    def undo(self) -> Move:
        """Take back the last move, chance and all, and return it."""
        if not self._past:
            raise NothingToUndo("nothing-to-undo", "There is no move to take back.")
        before, rows, move = self._past.pop()
        self.memory = np.frombuffer(before, self.game.rules.STATE).copy()
        self.journal = self.journal[:rows]
        self.news = NO_ROWS
        self._numbers = self._legal = None
        return move

    # Looking

    def position(self) -> dict[str, Any]:
        """Everything there is to know, as JSON."""
        return self.game.describe(self.memory[0])

    def view(self, seat: int | None) -> dict[str, Any]:
        """What a seat may see of it; None: a spectator."""
        return self.game.describe(self._seen_by(seat)[0])

    def view_json(self, seat: int | None) -> bytes:
        """The same as JSON, which is faster than to build the view and encode it."""
        return self.game.view_json(self._seen_by(seat), self._options)

    @cached_property
    def _options(self) -> bytes:
        return encode(self.game.text.read_options(plain(self.memory[0])))

    def log(self, seat: int | None) -> tuple[AnyEvent, ...]:
        """What a seat was shown since the beginning; None: a spectator."""
        return events(seen(self.journal, self._observer(seat)), self.game.text)

    def observation(self, seat: int | None) -> Observation:
        """What a seat knows: all that a bot gets."""
        legal = self.legal_moves if seat is not None and seat == self.turn else ()
        return Observation(self.game, self._seen_by(seat), legal, seen(self.journal, self._observer(seat)))

    def _seen_by(self, seat: int | None) -> Memory:
        memory = blank(self.game.rules.VIEW)
        self.game.verbs.observe_in(self.memory, self._observer(seat), memory)
        return memory

    def _observer(self, seat: int | None) -> int:
        if seat is None:
            return NOBODY
        if type(seat) is not int or not 0 <= seat < self.players:
            raise KibitzError("no-such-seat", f"There is no seat {seat!r} here.", {"seat": seat})
        return seat

    # Keeping

    @property
    def hash(self) -> str:
        """SHA-256 of the position's JSON. It tells of hidden cards: not for players before the end."""
        return hashlib.sha256(msgspec.json.encode(self.position())).hexdigest()

    def __bytes__(self) -> bytes:
        """The whole record, the generator too: `game.from_bytes` restores it."""
        return self.memory.tobytes()

    def copy(self) -> "State":
        """The same state, with its own future."""
        twin = State(self.game, self.memory.copy(), self._origin)
        twin.journal = self.journal
        twin.start = self.start
        twin._past = self._past.copy()
        twin._numbers, twin._legal = self._numbers, self._legal
        return twin

    __copy__ = copy

    def record(self, seats: tuple[str, ...] = ()) -> Record:
        """The game so far as a Record, with the names of who sat where."""
        if self._origin is None:
            raise KibitzError("no-beginning", "A state restored from bytes doesn't know its beginning.")
        result = Result(self.scores, self.winners, self.ending.code) if self.ending else None
        return Record(
            game=self.game.name,
            rules=self.game.rules_version,
            players=self.players,
            options=self.game.text.read_options(plain(self.memory[0])),
            seats=seats,
            seed=self._origin.seed,
            secret=None if self._origin.secret is None else self._origin.secret.hex(),
            words=self._origin.words,
            commitment=self._origin.commitment,
            start=self.start,
            moves=tuple(str(move) for move in self.history),
            result=result,
            hash=self.hash,
        )

    def __repr__(self) -> str:
        return f"{self.game!r}.from_position({self.position()!r})"


def legal_numbers(game: "Game", memory: Memory) -> list[int]:
    """The numbers of the moves that are legal in a state."""
    buffer = np.empty(game.num_moves, np.int16)
    count = game.verbs.legal_moves_in(memory, buffer)
    numbers: list[int] = buffer[:count].tolist()
    return numbers


def _seat(number: int) -> int | None:
    return None if number == NOBODY else int(number)
