"""A game in progress: the checked edge around the rules, and what a seat may know of it."""

import hashlib
from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
import numpy.typing as npt
from numpy.random import Generator

from kibitz.core.description import encode
from kibitz.core.errors import (
    BadOptions,
    GameOver,
    IllegalMove,
    KibitzError,
    NothingToUndo,
    NotYourTurn,
    Refusal,
)
from kibitz.core.events import AnyEvent, events, seen
from kibitz.core.journal import Journal
from kibitz.core.layout import NOBODY, OVER, AnyRecord, blank, duplicate, plain
from kibitz.core.move import GivenMove, Move
from kibitz.core.numbers import whole
from kibitz.core.preview import preview, worlds
from kibitz.core.record import Record, Result
from kibitz.core.rows import Rows
from kibitz.core.secret import Source, bot_generator
from kibitz.core.sheet import as_text
from kibitz.core.tensors import Numbers, returns
from kibitz.core.workspace import BEFORE, COLUMN_BYTES, MADE, TOLD, Workspace, columns_of_past

if TYPE_CHECKING:
    from kibitz.core.game import Game

Memory = npt.NDArray[Any]
Mask = npt.NDArray[np.int8]

FEW_MOVES = 8  # for which there is room at first


class EndingInWords(msgspec.Struct, frozen=True):
    """Why a game is over: a code of the catalogues, and the English sentence."""

    code: str
    sentence: str


class Observation:
    """What one seat knows: its view, its legal moves (none unless it decides), and the log it was shown.

    Bots get this and nothing else.
    """

    def __init__(self, game: "Game", memory: Memory, legal_moves: tuple[Move, ...], shown: Rows) -> None:
        self.game = game
        self._memory = memory
        self.legal_moves = legal_moves
        self._shown = shown  # rows of the journal as the seat may know them

    @classmethod
    def of_view(cls, game: "Game", memory: Memory, log: tuple[AnyEvent, ...]) -> "Observation":
        """From a view and a log from outside: what is legal follows from any state that fits the view."""
        observation = cls(game, memory, (), Rows())
        if memory[0].turn == memory[0].observer and memory[0].phase != OVER:
            observation.legal_moves = observation.imagine(0).legal_moves
        observation.__dict__["log"] = log
        return observation

    @property
    def seat(self) -> int | None:
        """Whose observation it is; None for a spectator."""
        return _seat(self._memory[0].observer)

    @property
    def turn(self) -> int | None:
        """The seat that decides now; None when over."""
        return _seat(self._memory[0].turn)

    @property
    def phase(self) -> str:
        """The part of the round, in the rules' words."""
        return self.game.text.PHASES[int(self._memory[0].phase)]

    def __repr__(self) -> str:
        who = "a spectator" if self.seat is None else f"p{self.seat}"
        asked = f", {len(self.legal_moves)} legal moves" if self.legal_moves else ""
        return f"<Observation of {self.game.title} by {who}: {self.phase}, turn {self.turn}{asked}>"

    def _repr_html_(self) -> str:
        """What a notebook shows: the table as this seat sees it."""
        return self.game.drawn(self.view)

    def sample(self, rng: Generator) -> "State":
        """`imagine`, with a generator of NumPy's."""
        if not isinstance(rng, Generator):
            raise BadOptions("rng", "a numpy.random.Generator", rng)
        return self.imagine(int(rng.integers(2**63)))

    def imagine(self, seed: int | None = None) -> "State":
        """A whole state that agrees with all that this seat knows; the rest of it is dealt by chance.

        Its log is what this seat was shown.
        """
        view = self._memory[0]
        if view.observer == NOBODY or view.phase == OVER:
            raise KibitzError("nothing-to-imagine", "Only a seat of a running game imagines what is hidden.")
        imagined = blank(self.game.rules.STATE)
        self.game.rules.imagine(view, bot_generator(seed), imagined[0])
        return State(self.game, imagined, None, self._shown.copy(), news=self._shown.total)

    def fields(self) -> AnyRecord:
        """The view as the rules' own record: a copy, to look at or to call kernels with."""
        return duplicate(self._memory)[0]

    @cached_property
    def view(self) -> dict[str, Any]:
        """The view, as JSON."""
        return self.game.describe(self._memory[0])

    @cached_property
    def tensor(self) -> Numbers:
        """The view as an array of numbers; `docs/tensors.md` says which."""
        return self.game.tensor.of(self._memory)

    @cached_property
    def mask(self) -> Mask:
        """A number for each move there is: 1 if it is legal now."""
        return _mask(self.game, self.legal_moves)

    @cached_property
    def log(self) -> tuple[AnyEvent, ...]:
        """The events that this seat was shown, what was hidden from it as `?`."""
        return events(self._shown.since(0), self.game.text)

    @cached_property
    def worlds(self) -> list["State"]:
        """Some states that fit what this seat knows: previews play in copies of these."""
        return [State(self.game, world, None) for world in worlds(self)]

    def preview(self, move: GivenMove) -> tuple[AnyEvent, ...]:
        """What one of the legal moves would surely do, by what this seat knows: its first events."""
        game, found = self.game, self.game.move(move)
        if found not in self.legal_moves:
            if self.seat is None or self._memory[0].turn != self.seat:
                raise not_your_turn(game, self.seat, _seat(self._memory[0].turn))
            world = self.worlds[0].fields()
            raise game.illegal(game.text.why_illegal(world, found.id), IllegalMove, move=str(found))
        return preview(self, found)


class State:
    """A game in progress. Moves are checked here; a refused one changes nothing."""

    def __init__(
        self, game: "Game", memory: Memory, origin: Source | None, told: Rows | None = None, news: int = 0
    ) -> None:
        self.game = game
        self._memory = memory  # one record of `game.rules.STATE`
        self._told = Rows() if told is None else told
        self._news: int | None = news  # the row with which the news begin; None: with the last move's
        self._shown: dict[int, Rows] = {}  # of the same, what observers may know, as far as they have looked
        self.start: dict[str, Any] | None = None  # the position it began with, if it wasn't dealt
        self._origin = origin
        self._past = Rows(columns=columns_of_past(memory.dtype))  # what was before each move
        self._space: Workspace | None = None  # its moves are the legal ones; None until somebody asks
        self._legal: tuple[Move, ...] | None = None
        self._look()

    def _look(self) -> None:
        """What is asked for at every move is kept as Python's own numbers."""
        self._turn = int(self._memory["turn"].item())
        self._phase = int(self._memory["phase"].item())

    @property
    def journal(self) -> Journal:
        """All that the rules have told, in rows; it holds what nobody may know."""
        return self._told.since(0)

    @property
    def rows(self) -> int:
        """How many rows the journal has now."""
        return self._told.total

    @property
    def news(self) -> Journal:
        """What the last thing that happened, the deal or a move, told."""
        if self._news is None:
            self._news = self._past.since(self._past.total - 1).item(TOLD)
        return self._told.since(self._news)

    # What everybody may know

    @property
    def rules_version(self) -> int:
        """The version of the rules that it is played by."""
        return self.game.version_of(self._memory[0])

    @property
    def players(self) -> int:
        """How many take part."""
        return int(self._memory["players"].item())

    @property
    def turn(self) -> int | None:
        """The seat that decides now; None when over."""
        return None if self._turn == NOBODY else self._turn

    @property
    def phase(self) -> str:
        """The part of the round, in the rules' words."""
        return self.game.text.PHASES[self._phase]

    @property
    def round(self) -> int:
        """The round, from 1."""
        return int(self._memory["round_number"][0])

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._phase == OVER

    @property
    def scores(self) -> tuple[int, ...]:
        """The running score of each seat."""
        return tuple(self._memory[0].scores[: self.players].tolist())

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that have won; none until the game is over, several for a shared win."""
        return tuple(np.flatnonzero(self._memory[0].winners).tolist())

    @property
    def returns(self) -> tuple[float, ...]:
        """What the game was worth to each seat, from -1 to 1, in all nothing; 0 until it is over."""
        return returns(self.players, self.winners)

    @property
    def ending(self) -> EndingInWords | None:
        """Why the game is over; None until then."""
        if not self.over:
            return None
        code = self.game.text.ENDINGS[self._memory[0].ending]
        return EndingInWords(code, self.game.words("en")(f"ending.{code}"))

    @property
    def history(self) -> tuple[Move, ...]:
        """The moves made, in order."""
        moves = self.game.moves
        return tuple([moves[number] for [number] in self._past.since(0, slice(MADE, MADE + 1)).tolist()])

    # Moving

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """What the seat in turn may do, in ascending order of the moves' numbers."""
        if self._legal is None:
            self._prepare()
        return self._legal  # type: ignore[return-value]

    def _prepare(self) -> Workspace:
        """Make room for a move, and find the legal ones."""
        self._space = Workspace(
            self._memory,
            np.empty(self.game.num_moves + 1, np.int16),
            self._told.room(self.game.rules.MAX_NOTES),
            self._past.room(FEW_MOVES),
            self.game.moves,
        )
        self._legal = self.game.verbs.legal_moves_in(self._space)
        return self._space

    def allows(self, move: Move) -> bool:
        """Whether the seat in turn may do that."""
        return move.id in [legal.id for legal in self.legal_moves]

    def check(self, move: GivenMove, seat: int | None = None) -> Move:
        """The move that `play` would make of it, or what it would raise; changes nothing."""
        game = self.game
        if self.over:
            raise game.illegal(Refusal("over", "end"), GameOver)
        if seat is not None and _whole(seat) != self.turn:
            raise not_your_turn(game, seat, self.turn)
        found = game.move(move)
        if not self.allows(found):
            raise game.illegal(game.text.why_illegal(self._memory[0], found.id), IllegalMove, move=str(found))
        return found

    def play(self, move: GivenMove, seat: int | None = None) -> None:
        """Make a move, given as text, number or Move. With a seat given, it must be that seat's turn."""
        game = self.game
        if seat is not None or type(move) is not Move or move.game is not game:
            move = self.check(move, seat)
        legal, turn, phase = game.verbs.play_in(self._space or self._prepare(), move.id)
        if turn < NOBODY:
            self.check(move)  # says why it is refused
            legal, turn, phase = game.verbs.play_in(self._prepare(), move.id)
            assert turn >= NOBODY, f"{move} is legal after all"
        self._legal, self._turn, self._phase, self._news = legal, turn, phase, None

    def undo(self) -> Move:
        """Take back the last move, chance and all, and return it."""
        if not self._past.total:
            raise NothingToUndo("nothing-to-undo", "There is no move to take back.")
        last = self._past.pop()
        rows = last.item(TOLD)
        self._memory = np.frombuffer(last, self.game.rules.STATE, 1, BEFORE * COLUMN_BYTES)
        for told in (self._told, *self._shown.values()):
            told.cut(min(rows, told.total))
        self._news, self._space, self._legal = rows, None, None
        self._look()
        return self.game.moves[last.item(MADE)]

    # Looking

    def position(self) -> dict[str, Any]:
        """Everything there is to know, as JSON; of older rules versions in the form of the newest."""
        return self.game.describe(self._memory[0])

    def view(self, seat: int | None) -> dict[str, Any]:
        """What a seat may see of it; None: a spectator."""
        return self.game.describe(self._seen_by(seat)[0])

    def view_json(self, seat: int | None) -> bytes:
        """The same as JSON, which is faster than to build the view and encode it."""
        return self.game.view_json(self._seen_by(seat), self._options)

    def figures(self, seat: int | None) -> Any:
        """What follows from a seat's view by the rules, as JSON; None if the game has no such figures."""
        if self.game.figures is None:
            return None
        asked = seat is not None and seat == self.turn
        return self.game.figures(
            self.view(seat), seat, [str(move) for move in self.legal_moves] if asked else []
        )

    @cached_property
    def _options(self) -> bytes:
        return encode(self.game.layout.read_options(plain(self._memory[0])))

    def tensor(self, seat: int) -> Numbers:
        """What a seat sees as an array of numbers; `docs/tensors.md` says which."""
        return self.game.tensor.of(self._seen_by(seat))

    @property
    def mask(self) -> Mask:
        """A number for each move there is: 1 if the seat in turn may make it."""
        return _mask(self.game, self.legal_moves)

    def log(self, seat: int | None, since: int = 0) -> tuple[AnyEvent, ...]:
        """What a seat was shown from the beginning, or `since` so many `rows`; None: a spectator."""
        return events(self._shown_to(self._observer(seat)).since(since), self.game.text)

    def _shown_to(self, observer: int) -> Rows:
        """The journal as an observer may know it; only what is new since its last look is gone through."""
        shown = self._shown.setdefault(observer, Rows())
        if shown.total < self._told.total:
            shown.append(seen(self._told.since(shown.total), observer))
        return shown

    def observation(self, seat: int | None) -> Observation:
        """What a seat knows: all that a bot gets."""
        legal = self.legal_moves if seat is not None and seat == self.turn else ()
        return Observation(self.game, self._seen_by(seat), legal, self._shown_to(self._observer(seat)).copy())

    def preview(self, move: GivenMove) -> tuple[AnyEvent, ...]:
        """What a move of the seat in turn would surely do, by what that seat knows: its first events."""
        return self.observation(self.turn).preview(self.check(move))

    def _seen_by(self, seat: int | None) -> Memory:
        memory = blank(self.game.rules.VIEW)
        self.game.verbs.observe_in(self._memory, self._observer(seat), memory)
        return memory

    def _observer(self, seat: int | None) -> int:
        if seat is None:
            return NOBODY
        number = _whole(seat)
        if not 0 <= number < self.players:
            raise _no_seat(seat)
        return number

    # Keeping

    @property
    def hash(self) -> str:
        """SHA-256 of the position's JSON, as its rules version writes it.

        It tells of hidden cards: not for players before the end.
        """
        position = self.game.in_its_version(self._memory[0])
        return hashlib.sha256(msgspec.json.encode(position)).hexdigest()

    def fields(self) -> AnyRecord:
        """The rules' own record, hidden things and all: a copy, to look at or to call kernels with."""
        return duplicate(self._memory)[0]

    def __bytes__(self) -> bytes:
        """The whole record, the generator too: `game.from_bytes` restores it."""
        return self._memory.tobytes()

    def copy(self) -> "State":
        """The same state, with its own future."""
        twin = object.__new__(type(self))
        known = twin.__dict__ = self.__dict__.copy()
        known["_memory"] = duplicate(self._memory)
        known["_past"] = self._past.copy()
        told = known["_told"] = self._told.copy()
        shown = self._shown.items()
        known["_shown"] = {observer: rows.copy() for observer, rows in shown} if shown else {}
        known["_news"], known["_space"] = told.first, None
        return twin

    __copy__ = copy

    def __getstate__(self) -> dict[str, Any]:
        """A pickle has each array once; the workspace is made anew."""
        return vars(self) | {"_space": None, "_legal": None}

    def record(self, seats: tuple[str, ...] = ()) -> Record:
        """The game so far as a Record, with the names of who sat where."""
        if self._origin is None:
            raise KibitzError("no-beginning", "A state restored from bytes doesn't know its beginning.")
        result = Result(self.scores, self.winners, self.ending.code) if self.ending else None
        return Record(
            game=self.game.name,
            rules=self.rules_version,
            players=self.players,
            options=self.game.options_of(self._memory[0]),
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

    def __eq__(self, other: object) -> bool:
        """Whether it is the same game with the same bytes, whatever led there."""
        return isinstance(other, State) and (self.game.name, bytes(self)) == (other.game.name, bytes(other))

    def __str__(self) -> str:
        """Everything there is to know, in lines."""
        return as_text(self.game.title, self.position())

    def _repr_html_(self) -> str:
        """What a notebook shows: the whole table, drawn."""
        return self.game.drawn(self.position())

    def __repr__(self) -> str:
        return f"{self.game!r}.from_position({self.game.in_its_version(self._memory[0])!r})"


def not_your_turn(game: "Game", seat: int | None, turn: int | None) -> IllegalMove:
    """The error for a seat that would move out of turn; `None` is a spectator."""
    return game.illegal(Refusal("not-your-turn", "turn", seat=f"p{seat}", turn=f"p{turn}"), NotYourTurn)


def _mask(game: "Game", legal_moves: tuple[Move, ...]) -> Mask:
    mask = np.zeros(game.num_moves, np.int8)
    mask[[move.id for move in legal_moves]] = 1
    return mask


def _whole(seat: Any) -> int:
    number = whole(seat)
    if number is None:
        raise _no_seat(seat)
    return number


def _no_seat(seat: Any) -> KibitzError:
    return KibitzError("no-such-seat", f"There is no seat {seat!r} here.", {"seat": seat})


def _seat(number: int) -> int | None:
    return None if number == NOBODY else int(number)
