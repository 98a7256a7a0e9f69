"""A game: its facts, its rules and its texts, and the ways to begin one."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from kibitz.core import edge, registry
from kibitz.core.description import Description, Writer, encode, fields_of
from kibitz.core.errors import BadOptions, BadPosition, IllegalMove, Refusal
from kibitz.core.events import HIDDEN, AnyEvent, Drew, Moved, Sentence, turns
from kibitz.core.journal import Journal, new_journal, told
from kibitz.core.kernel import specialise
from kibitz.core.layout import MAX_ROUNDS, NOBODY, OVER, AnyRecord, Field, Moves, Points, Rng, plain
from kibitz.core.move import GivenMove, Move
from kibitz.core.options import Option, Value, checked_options
from kibitz.core.reader import Reader, as_whole
from kibitz.core.secret import source
from kibitz.core.state import Memory, Observation, State
from kibitz.core.words import Words, catalogue

COMMON_KEYS = ("game", "options", "players", "round", "turn", "phase", "scores", "over", "winners", "moves")


class Rules(Protocol):
    """A game's rules: the memory layout and the verbs, all kernels. They trust their input."""

    STATE_FIELDS: list[Field]
    STATE: np.dtype[np.record]
    VIEW: np.dtype[np.record]
    NUM_MOVES: int
    MAX_MOVES: int
    MAX_NOTES: int

    def set_up(self, state: AnyRecord, journal: Journal) -> None: ...
    def legal_moves(self, state: AnyRecord, moves: Moves) -> int: ...
    def play(self, state: AnyRecord, move: int, journal: Journal) -> None: ...
    def is_over(self, state: AnyRecord) -> bool: ...
    def score(self, state: AnyRecord, points: Points) -> None: ...
    def observe(self, state: AnyRecord, observer: int, view: AnyRecord) -> None: ...
    def imagine(self, view: AnyRecord, rng: Rng, state: AnyRecord) -> None: ...


class Text(Protocol):
    """A game's texts: options, notation, the JSON of positions and views, and the reasons of refusals."""

    OPTIONS: tuple[Option, ...]
    PHASES: tuple[str, ...]
    STEPS: tuple[str, ...]
    ENDINGS: tuple[str, ...]
    MASKS: tuple[str, ...]
    KEYS: tuple[str, ...]

    def check_options(self, options: Mapping[str, Value]) -> None: ...
    def write_options(self, options: Mapping[str, Value], state: AnyRecord) -> None: ...
    def read_options(self, fields: Any) -> dict[str, Value]: ...
    def card_text(self, card: int) -> str: ...
    def move_text(self, move: int) -> str: ...
    def parse_move(self, text: str) -> int | Refusal: ...
    def why_illegal(self, state: AnyRecord, move: int) -> Refusal: ...
    @property
    def describe(self) -> Callable[[Any], dict[str, Any]]: ...  # best a Description
    def read_position(self, reader: Reader, state: AnyRecord) -> None: ...
    def read_view(self, reader: Reader, log: Sequence[AnyEvent], view: AnyRecord) -> None: ...
    def sentences(self, turn: Sequence[AnyEvent]) -> list[Sentence]: ...


# From a score sheet as JSON to what everybody has, as JSON; raises a KibitzError for a sheet that can't be.
Calculator = Callable[[Any], dict[str, Any]]


@dataclass(frozen=True, eq=False)
class Game:
    """One of the games. Get it by `kibitz.game(name)`."""

    name: str
    title: str
    players: range
    minutes: int
    rules_version: int
    rules: Rules
    text: Text
    package: str
    # First words of moves that are only steps of a turn: it is told in one line, and they can be taken back.
    steps: tuple[str, ...] = ()
    calculator: Calculator | None = None  # counts the score of a game with real cards

    @property
    def options(self) -> tuple[Option, ...]:
        """The options, in their order."""
        return self.text.OPTIONS

    @property
    def num_moves(self) -> int:
        """How many different moves there are; their numbers are 0 to this minus one."""
        return self.rules.NUM_MOVES

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """All moves there are, by number."""
        return tuple(Move(self, id) for id in range(self.num_moves))

    @cached_property
    def _moves_by_text(self) -> dict[str, Move]:
        return {str(move): move for move in self.moves if self.text.parse_move(str(move)) == move.id}

    @cached_property
    def verbs(self) -> Any:
        """The rules' verbs as the edge calls them."""
        rules = self.rules
        return specialise(
            edge.TEMPLATES,
            self.name,
            legal_moves=rules.legal_moves,
            play=rules.play,
            observe=rules.observe,
        )

    def words(self, language: str = "en") -> Words:
        """What a player reads, in a language."""
        return catalogue(language, self.package)

    def __repr__(self) -> str:
        return f"kibitz.game({self.name!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return registry.game, (self.name,)

    def turns(self, log: Sequence[AnyEvent]) -> list[list[AnyEvent]]:
        """A log in paragraphs: a turn each, all its steps with what they caused."""
        return turns(log, self.steps)

    def sentences(self, log: Sequence[AnyEvent]) -> list[Sentence]:
        """A log in words: messages of the catalogues with their data."""
        return [sentence for turn in self.turns(log) for sentence in self.text.sentences(turn)]

    # Beginning

    def deal(
        self,
        players: int | None = None,
        seed: int | bytes | None = None,
        words: Sequence[str] = (),
        **options: Any,
    ) -> State:
        """A new game. The same seed, words, players and options give the same deal; no seed, a fresh one."""
        players = self.checked_players(players)
        checked = self.checked_options(options, players)
        origin = source(seed, words)
        state = State(self, np.zeros(1, self.rules.STATE), origin)
        record = state.memory[0]
        record.key[:] = origin.key()
        record.players = players
        self.text.write_options(checked, record)
        journal = new_journal(self.rules.MAX_NOTES)
        self.rules.set_up(record, journal)
        state.journal = state.news = told(journal)
        return state

    def from_position(self, position: Mapping[str, Any], seed: int | bytes | None = None) -> State:
        """The game in a given position; later shuffles come from the seed."""
        reader = Reader(position)
        reader.only((*COMMON_KEYS, *self.text.KEYS))
        origin = source(seed)
        state = State(self, np.zeros(1, self.rules.STATE), origin)
        record = state.memory[0]
        record.key[:] = origin.key()
        self._read_common(reader, record)
        self.text.read_position(reader, record)
        reader.exactly("winners", [] if record.phase != OVER else self._best(record), "by the scores")
        record.winners[list(reader.raw("winners"))] = True
        state.start = self.describe(record)
        return state

    def from_bytes(self, data: bytes) -> State:
        """The state that `bytes(state)` saved, its generator too."""
        if len(data) != self.rules.STATE.itemsize:
            raise BadPosition("bytes", f"{self.rules.STATE.itemsize} bytes of {self.title}", data)
        return State(self, np.frombuffer(data, self.rules.STATE).copy(), None)

    def observation(
        self, view: Mapping[str, Any], log: Sequence[AnyEvent] = (), seat: int | None = None
    ) -> Observation:
        """What a seat (by default the one in turn) knows from a view and a log that came from outside."""
        reader = Reader(view)
        reader.only((*COMMON_KEYS, *self.text.KEYS))
        memory = np.zeros(1, self.rules.VIEW)
        record = memory[0]
        self._read_common(reader, record)
        record.observer = record.turn if seat is None else as_whole(seat, "seat", 0, record.players - 1)
        _check_shown_to(int(record.observer), log)
        self.text.read_view(reader, log, record)
        return Observation.of_view(self, memory, tuple(log))

    # Checks at the edge

    def checked_players(self, players: int | None) -> int:
        """The number of players, by default the fewest."""
        if players is None:
            return self.players.start
        if type(players) is not int or players not in self.players:
            raise BadOptions("players", self._players_expected, players)
        return players

    def checked_options(self, given: Mapping[str, Any], players: int) -> dict[str, Value]:
        """All options, each as given or by default."""
        options = checked_options(self.options, given, players)
        self.text.check_options(options)
        return options

    @property
    def _players_expected(self) -> str:
        fewest, most = self.players.start, self.players.stop - 1
        return str(fewest) if fewest == most else f"{fewest} to {most}"

    def move(self, given: GivenMove) -> Move:
        """The move that a text, a number or a move of this game means; IllegalMove if there is none."""
        if isinstance(given, str):
            known = self._moves_by_text.get(given)
            return self._parsed(given) if known is None else known
        if isinstance(given, Move) and given.game.name == self.name:
            return given
        if (
            isinstance(given, int | np.integer)
            and not isinstance(given, bool)
            and 0 <= given < self.num_moves
        ):
            return self.moves[given]
        raise self._no_move(given, Refusal("unknown-move", "notation"))

    def _parsed(self, text: str) -> Move:
        found = self.text.parse_move(text)
        if isinstance(found, Refusal):
            raise self._no_move(text, found)
        return self.moves[found]

    def _no_move(self, given: object, refusal: Refusal) -> IllegalMove:
        return self.illegal(refusal, IllegalMove, move=str(given), game=self.title)

    def illegal(self, refusal: Refusal, kind: type[IllegalMove], **data: Any) -> IllegalMove:
        """The error for a refusal, with its English sentence."""
        data = {**data, **refusal.data}
        reason = self.words("en")(f"refusal.{refusal.code}", **data)
        return kind(refusal.code, reason, data, refusal.rule)

    # Positions and views

    def describe(self, record: AnyRecord) -> dict[str, Any]:
        """The JSON of a state's position or of a view."""
        fields = plain(record)
        common = [getattr(fields, name) for name in fields_of(self._common)]
        return {
            "game": self.name,
            "options": self.text.read_options(fields),
            **self._common(*common),
            **self.text.describe(fields),
        }

    @cached_property
    def _common(self) -> Callable[..., dict[str, Any]]:
        phases = self.text.PHASES

        def common(
            players: int,
            round_number: int,
            turn: int,
            phase: int,
            scores: list[int],
            winners: list[int],
            moves: int,
        ) -> dict[str, Any]:
            return {
                "players": players,
                "round": round_number,
                "turn": None if turn == NOBODY else turn,
                "phase": phases[phase],
                "scores": scores[:players],
                "over": phase == OVER,
                "winners": [seat for seat, won in enumerate(winners) if won],
                "moves": moves,
            }

        return common

    def view_json(self, view: Memory, options: bytes) -> bytes:
        """What `describe` gives for a view, as JSON; `options`: the JSON of its options."""
        writer = self._view_writer
        if writer is None:
            return encode(self.describe(view[0]))
        return b'{"game":"%b","options":%b,%b}' % (self.name.encode(), options, writer.write(view.tobytes()))

    @cached_property
    def _view_writer(self) -> Writer | None:
        description = self.text.describe
        if not isinstance(description, Description):
            return None
        return Writer(self.rules.VIEW, self._common, description)

    def _read_common(self, reader: Reader, record: AnyRecord) -> None:
        reader.exactly("game", self.name, "the game that reads it")
        if type(reader.raw("players")) is not int or reader.raw("players") not in self.players:
            raise BadPosition("players", self._players_expected, reader.raw("players"))
        players = record.players = reader.raw("players")
        self.text.write_options(self.checked_options(reader.inner("options").mapping, players), record)
        record.round_number = reader.whole("round", 1, MAX_ROUNDS)
        record.phase = reader.one_of("phase", self.text.PHASES)
        reader.exactly("over", bool(record.phase == OVER), "by the phase")
        if record.phase == OVER:
            reader.exactly("turn", None, "the game is over")
            record.turn = NOBODY
        else:
            record.turn = reader.whole("turn", 0, players - 1)
        record.moves = reader.whole("moves", 0, self.rules.MAX_MOVES)
        record.scores[:players] = reader.listed("scores", _read_score, players)

    def _best(self, record: AnyRecord) -> list[int]:
        scores = record.scores[: record.players]
        return [int(seat) for seat in np.flatnonzero(scores == scores.max())]


def _check_shown_to(seat: int, log: Sequence[AnyEvent]) -> None:
    """A seat's own log hides nothing that the seat itself did or drew."""
    for event in log:
        match event:
            case Moved(by, what) | Drew(by, what) if by == seat and HIDDEN in what:
                raise BadPosition("log", f"what p{seat} was shown", event)


def _read_score(value: Any, path: str) -> int:
    return as_whole(value, path, -(2**31), 2**31 - 1)
