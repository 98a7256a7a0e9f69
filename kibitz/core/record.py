"""A record: a finished or saved game as a readable file that replays and can be verified by anybody."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from kibitz.core import registry
from kibitz.core.errors import BadRecord, IllegalMove, KibitzError, UnknownGame
from kibitz.core.secret import source

if TYPE_CHECKING:
    from kibitz.core.state import State

FORMAT = 1


class Result(msgspec.Struct, frozen=True):
    """How a game ended."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    ending: str


class Record(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game from its beginning: either a seed or a secret with the seats' words makes the deal."""

    kibitz: int = FORMAT
    game: str
    rules: int
    players: int
    options: dict[str, Any]
    seats: tuple[str, ...] = ()
    seed: int | None = None
    secret: str | None = None
    words: tuple[str, ...] = ()
    commitment: str | None = None
    start: dict[str, Any] | None = None
    moves: tuple[str, ...] = ()
    result: Result | None = None
    hash: str | None = None

    # Files

    def json(self) -> str:
        """The record's text, one line a key."""
        return msgspec.json.format(msgspec.json.encode(self), indent=1).decode() + "\n"

    def save(self, path: str | Path) -> None:
        """Write it to a file."""
        Path(path).write_text(self.json(), encoding="utf-8")

    @classmethod
    def load(cls, path: str | Path) -> "Record":
        """Read it from a file."""
        try:
            return cls.parse(Path(path).read_bytes())
        except OSError as error:
            raise BadRecord(str(path), "a file that can be read", error.strerror) from error

    @classmethod
    def parse(cls, text: str | bytes) -> "Record":
        """Read it from its text."""
        try:
            record = msgspec.json.decode(text, type=cls)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise BadRecord("record", f"a record's JSON ({error})", text[:40]) from error
        if record.kibitz != FORMAT:
            raise BadRecord("kibitz", f"format {FORMAT} (a newer Kibitz may read others)", record.kibitz)
        return record

    # Replaying

    def begin(self) -> "State":
        """The state before the first move."""
        game = registry.game(self.game)
        if not game.has_version(self.rules):
            raise BadRecord("rules", f"rules version {game.versions_expected} of {game.title}", self.rules)
        seed = self._seed()
        if self.start is None:
            return game.deal(self.players, seed, self.words, rules_version=self.rules, **self.options)
        state = game.from_position(self.start, seed)
        if state.rules_version != self.rules:
            raise BadRecord("start", f"a position of rules version {self.rules}", state.rules_version)
        return state

    def steps(self) -> Iterator["State"]:
        """The state at the beginning and after each move, each a state of its own."""
        return (state.copy() for state in self._played())

    def replay(self) -> "State":
        """The state after the last move."""
        *_, last = self._played()
        return last

    def _played(self) -> Iterator["State"]:
        """One state, played on."""
        state = self.begin()
        yield state
        for number, move in enumerate(self.moves):
            try:
                state.play(move)
            except IllegalMove as error:
                raise BadRecord(f"moves[{number}]", f"a legal move ({error.reason})", move) from error
            yield state

    def verify(self) -> "State":
        """Replay the game and raise BadRecord unless everything the record says is so."""
        commitment = source(self._seed()).commitment
        if commitment != self.commitment:
            expected = "SHA-256 of the secret" if commitment else "none, as there is no secret"
            raise BadRecord("commitment", expected, self.commitment)
        try:
            state = self.replay()
        except BadRecord:
            raise
        except UnknownGame as error:
            raise BadRecord("game", error.reason, self.game) from error
        except KibitzError as error:
            raise BadRecord(
                "options" if self.start is None else "start", error.reason, self.start or self.options
            ) from error
        if len(self.seats) not in (0, state.players):
            raise BadRecord("seats", f"{state.players} names, or none", self.seats)
        again = state.record(self.seats)
        for key in self.__struct_fields__:
            if getattr(again, key) != getattr(self, key):
                raise BadRecord(key, f"{getattr(again, key)!r}, by the replayed game", getattr(self, key))
        return state

    def _seed(self) -> int | bytes:
        if (self.seed is None) == (self.secret is None):
            raise BadRecord("seed", "either a seed or a secret", self.seed)
        if self.secret is None:
            assert self.seed is not None
            return self.seed
        try:
            return bytes.fromhex(self.secret)
        except ValueError as error:
            raise BadRecord("secret", "hexadecimal digits", self.secret) from error
