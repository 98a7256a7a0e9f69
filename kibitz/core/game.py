"""A game: its facts, its rules and its texts, and the ways to begin one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from kibitz.core import edge, registry, versions
from kibitz.core.description import Description, KeyPart, ViewTexts
from kibitz.core.drawn import drawn
from kibitz.core.errors import BadOptions, BadPosition, IllegalMove, Refusal
from kibitz.core.events import AnyEvent, Drew, Moved, turns
from kibitz.core.kernel import specialise
from kibitz.core.layout import HIDDEN, MAX_ROUNDS, NOBODY, OVER, AnyRecord, Layout, blank, plain
from kibitz.core.move import GivenMove, Move
from kibitz.core.numbers import whole
from kibitz.core.options import Option, Value, checked_options
from kibitz.core.parts import Calculator, Figures, Rules, Text, Wishes
from kibitz.core.reader import Reader, as_whole
from kibitz.core.rows import Rows
from kibitz.core.secret import source
from kibitz.core.sentences import Sentence
from kibitz.core.soundness import Check, checked_memory
from kibitz.core.state import Memory, Observation, State
from kibitz.core.tallies import Counting
from kibitz.core.tensors import TensorLayout
from kibitz.core.versions import FIRST, Version
from kibitz.core.words import Words, catalogue

COMMON_KEYS = ("game", "options", "players", "round", "turn", "phase", "scores", "over", "winners", "moves")
KEPT_TABLES = 256  # that wait for a deal
UNKNOWN_MOVE = Refusal("unknown-move", "notation")


@dataclass(frozen=True, eq=False)
class Game:
    """One of the games. Get it by `kibitz.game(name)`."""

    name: str
    title: str
    players: range
    minutes: int
    rules_version: int  # of new games
    rules: Rules
    text: Text
    package: str
    # First words of moves that are only steps of a turn: it is told in one line, and they can be taken back.
    steps: tuple[str, ...] = ()
    # Phases in which others answer whoever is in turn: duels, trades, passing. They have a time of their own.
    answers: tuple[str, ...] = ()
    calculator: Calculator | None = None  # counts the score of a game with real cards
    # What follows from a view by the rules, for pages: prices, sums, what fits
    figures: Figures | None = None
    # Fields of what seats surely know, which no position tells: whether what bytes from outside say is true.
    known: Mapping[str, Check] = field(default_factory=dict)
    tallies: Mapping[str, Counting] = field(default_factory=dict)  # what is counted for statistics
    wishes: Wishes | None = None  # which cards can be named in one, and how it is told
    versions: tuple[Version, ...] = ()  # what each later rules version added, from the second on
    team_players: int | None = None  # with so many players, those at opposite seats are a team
    best_with: int | None = None  # so many players, which a new table begins with; None: the fewest

    def teams(self, players: int) -> list[list[int]]:
        """The seats that win and lose together; mostly each by itself."""
        if players != self.team_players:
            return [[seat] for seat in range(players)]
        return [[seat, seat + players // 2] for seat in range(players // 2)]

    @property
    def options(self) -> tuple[Option, ...]:
        """The options of new games, in their order."""
        return versions.options_of(self.versions, self.layout.options, self.rules_version)

    @property
    def layout(self) -> Layout:
        """The fields of its records."""
        return self.rules.LAYOUT

    @cached_property
    def tensor(self) -> TensorLayout:
        """Where each field is in `State.tensor`."""
        return TensorLayout(self.layout)

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
    def verbs(self) -> edge.Verbs:
        """The rules' verbs as the edge calls them."""
        rules = self.rules
        compiled = specialise(
            edge.TEMPLATES,
            self.name,
            nogil=False,
            legal_moves=rules.legal_moves,
            play=rules.play,
            observe=rules.observe,
            MAX_NOTES=rules.MAX_NOTES,
        )
        return edge.Verbs(compiled)

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
        *,
        rules_version: int | None = None,
        **options: Any,
    ) -> State:
        """A new game. The same seed, words, players and options give the same deal; no seed, a fresh one.

        Another rules version than that of new games is played if it is asked for.
        """
        memory = self._table_for(players, rules_version, options)
        origin = source(seed, words)
        memory["key"] = origin.key()
        told = Rows()
        self.rules.set_up(memory[0], told.room(self.rules.MAX_NOTES))
        return State(self, memory, origin, told)

    def _table_for(
        self, players: int | None, rules_version: int | None, options: Mapping[str, Any]
    ) -> Memory:
        """A table before the deal; what is checked for one is kept for the next like it."""
        try:
            table = _undealt(self, players, rules_version, **options)
        except TypeError:  # what can't be looked up is nothing that is accepted: this says why
            table = _undealt.__wrapped__(self, players, rules_version, **options)
        return np.frombuffer(bytearray(table), self.rules.STATE)

    def from_position(self, position: Mapping[str, Any], seed: int | bytes | None = None) -> State:
        """The game in a given position, by the rules version it is written in; later shuffles by the seed."""
        reader, version = self._reader(position)
        origin = source(seed)
        memory = blank(self.rules.STATE)
        record = memory[0]
        record.key[:] = origin.key()
        self._read(reader, version, record)
        reader.exactly("winners", [] if record.phase != OVER else self._best(record), "by the scores")
        record.winners[list(reader.raw("winners"))] = True
        state = State(self, memory, origin)
        state.start = self.in_its_version(record)
        return state

    def from_bytes(self, data: bytes) -> State:
        """The state that `bytes(state)` saved, its generator too."""
        return State(self, checked_memory(self, data), None)

    def observation(
        self, view: Mapping[str, Any], log: Sequence[AnyEvent] = (), seat: int | None = None
    ) -> Observation:
        """What a seat (by default the one in turn) knows from a view and a log that came from outside."""
        reader, version = self._reader(view)
        memory = np.zeros(1, self.rules.VIEW)
        record = memory[0]
        self._read(reader, version, record)
        record.observer = record.turn if seat is None else as_whole(seat, "seat", 0, record.players - 1)
        _check_shown_to(int(record.observer), log)
        if record.phase != OVER:
            self.text.follow(log, record)
        return Observation.of_view(self, memory, tuple(log))

    # Checks at the edge

    def checked_players(self, players: int | None) -> int:
        """The number of players, by default the fewest."""
        if players is None:
            return self.players.start
        number = whole(players)
        if number is None or number not in self.players:
            raise BadOptions("players", self._players_expected, players)
        return number

    def checked_version(self, rules_version: int | None) -> int:
        """A rules version that this game has, by default that of new games."""
        if rules_version is None:
            return self.rules_version
        number = whole(rules_version)
        if number is None or not self.has_version(number):
            raise BadOptions("rules_version", self.versions_expected, rules_version)
        return number

    def has_version(self, rules_version: int) -> bool:
        """Whether games can be played by that rules version."""
        return FIRST <= rules_version <= versions.newest(self.versions)

    @property
    def versions_expected(self) -> str:
        """The rules versions that can be played, in words."""
        last = versions.newest(self.versions)
        return str(FIRST) if last == FIRST else f"{FIRST} to {last}"

    def checked_options(
        self, given: Mapping[str, Any], players: int, rules_version: int | None = None
    ) -> dict[str, Value]:
        """All options that a rules version has, each as given or by default."""
        version = self.checked_version(rules_version)
        return checked_options(
            versions.options_of(self.versions, self.layout.options, version), given, players
        )

    def write_options(self, options: Mapping[str, Value], rules_version: int, record: AnyRecord) -> None:
        """Put a rules version and its options into a state or view; later options are as all was then."""
        if self.versions:
            record.rules_version = rules_version
        self.layout.write_options({**versions.later_options(self.versions, rules_version), **options}, record)

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
        number = whole(given)
        if number is not None and 0 <= number < self.num_moves:
            return self.moves[number]
        raise self.no_move(given)

    def _parsed(self, text: str) -> Move:
        found = self.text.parse_move(text)
        if isinstance(found, Refusal):
            raise self.no_move(text, found)
        return self.moves[found]

    def no_move(self, given: object, refusal: Refusal = UNKNOWN_MOVE) -> IllegalMove:
        """The error for what isn't a move of this game."""
        return self.illegal(refusal, IllegalMove, move=str(given), game=self.title)

    def illegal(self, refusal: Refusal, kind: type[IllegalMove], **data: Any) -> IllegalMove:
        """The error for a refusal, with its English sentence."""
        data = {**data, **refusal.data}
        reason = self.words("en")(f"refusal.{refusal.code}", **data)
        return kind(refusal.code, reason, data, refusal.rule)

    # Positions and views

    def version_of(self, record: AnyRecord) -> int:
        """The rules version by which a state or view is played."""
        return int(record.rules_version) if self.versions else self.rules_version

    def options_of(self, record: AnyRecord) -> dict[str, Value]:
        """What was agreed on, in the options of its rules version."""
        return self._options_in(plain(record))

    def _options_in(self, fields: Any) -> dict[str, Value]:
        options = self.layout.read_options(fields)
        for later in versions.later_options(self.versions, self.version_of(fields)):
            del options[later]
        return options

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of positions and views, in their order."""
        return (*COMMON_KEYS, *self._description.parts)

    def describe(self, record: AnyRecord) -> dict[str, Any]:
        """The JSON of a state's position or of a view, with all keys and options there are now."""
        fields = plain(record)
        return self._described(fields, self.layout.read_options(fields), self._description)

    def drawn(self, view: Mapping[str, Any]) -> str:
        """A position or view as a picture, for notebooks."""
        ground = self.text.ground(view["options"]) if hasattr(self.text, "ground") else {}
        return drawn(self.title, self.package, ground, view)

    def in_its_version(self, record: AnyRecord) -> dict[str, Any]:
        """A position as the rules version by which it is played writes it: hashes and records are of this."""
        fields = plain(record)
        return self._described(fields, self._options_in(fields), self._descriptions[self.version_of(fields)])

    def _described(self, fields: Any, options: dict[str, Value], description: Description) -> dict[str, Any]:
        return {
            "game": self.name,
            "options": options,
            **self._common.value(vars(fields)),
            **description.write(fields),
        }

    @property
    def _description(self) -> Description:
        return self._descriptions[versions.newest(self.versions)]

    @cached_property
    def _descriptions(self) -> dict[int, Description]:
        """What positions look like, by rules version."""
        return {
            version: Description(
                self.layout, self.text.FORMS, without=versions.later_keys(self.versions, version)
            )
            for version in range(FIRST, versions.newest(self.versions) + 1)
        }

    @cached_property
    def _common(self) -> KeyPart:
        """The keys that every game has."""
        phases = self.text.PHASES

        def common(
            players: int,
            round_number: int,
            turn: int,
            phase: int,
            scores: Sequence[int],
            winners: Sequence[int],
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

        return KeyPart(common, ("players", "round_number", "turn", "phase", "scores", "winners", "moves"))

    def view_json(self, view: Memory, options: bytes) -> bytes:
        """What `describe` gives for a view, as JSON; `options`: the JSON of its options."""
        written = self._view_texts.write(view.tobytes())
        return b'{"game":"%b","options":%b,%b}' % (self.name.encode(), options, written)

    @cached_property
    def _view_texts(self) -> ViewTexts:
        return ViewTexts(self.rules.VIEW, self._common, self._description.parts)

    def _reader(self, position: Mapping[str, Any]) -> tuple[Reader, int]:
        """A position or view with the keys of the newest rules version, and the version it is written in."""
        given = Reader(position).mapping
        version = versions.version_of(self.versions, given)
        reader = Reader(versions.newest_form(self.versions, given, version))
        reader.only((*COMMON_KEYS, *self.layout.keys))
        return reader, version

    def _read(self, reader: Reader, version: int, record: AnyRecord) -> None:
        """Fill a state or view: first what is the same in every game, then what fields say, then the rest."""
        self._read_common(reader, version, record)
        self.text.read(reader, record, self._description.read(reader, record))

    def _read_common(self, reader: Reader, version: int, record: AnyRecord) -> None:
        reader.exactly("game", self.name, "the game that reads it")
        players = whole(reader.raw("players"))
        if players is None or players not in self.players:
            raise BadPosition("players", self._players_expected, reader.raw("players"))
        record.players = players
        options = self.checked_options(reader.inner("options").mapping, players, version)
        self.write_options(options, version, record)
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


@lru_cache(KEPT_TABLES, typed=True)
def _undealt(game: Game, players: int | None, rules_version: int | None, /, **options: Any) -> bytes:
    """A table before the deal: who plays, by which rules and options."""
    count = game.checked_players(players)
    version = game.checked_version(rules_version)
    memory = blank(game.rules.STATE)
    memory[0].players = count
    game.write_options(game.checked_options(options, count, version), version, memory[0])
    return memory.tobytes()


def _check_shown_to(seat: int, log: Sequence[AnyEvent]) -> None:
    """A seat's own log hides nothing that the seat itself did or drew."""
    for event in log:
        match event:
            case Moved(by, what) | Drew(by, what) if by == seat and HIDDEN in what:
                raise BadPosition("log", f"what p{seat} was shown", event)


def _read_score(value: Any, path: str) -> int:
    return as_whole(value, path, -(2**31), 2**31 - 1)
