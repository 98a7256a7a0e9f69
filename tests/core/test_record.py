"""Records: a game as a readable file that replays, and that can be verified by anybody."""

import hashlib
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

import kibitz
from kibitz.core.game import Game
from kibitz.core.record import Record, Result
from kibitz.core.state import State
from tests import tiny
from tests.conftest import BRIEF, brief, some_move

pytestmark = pytest.mark.interpreted

SECRET = bytes(range(32))


def finished(game: Game, seed: int | bytes = 1, words: tuple[str, ...] = ()) -> State:
    return played_on(brief(game, seed, words))


def played_on(state: State) -> State:
    while not state.over:
        state.play(some_move(state))
    return state


@pytest.fixture
def record() -> Record:
    return finished(tiny.GAME).record(("Ada", "Bo"))


def tampered(record: Record, **changes: Any) -> Record:
    return msgspec.structs.replace(record, **changes)


# Writing and reading


def test_a_record_tells_the_game_its_beginning_its_moves_and_its_end(game: Game) -> None:
    state = finished(game)
    names = ("Ada", "Bo", "Cy", "Di")[: state.players]
    record = state.record(names)
    assert (record.kibitz, record.game, record.rules) == (1, game.name, game.rules_version)
    assert (record.players, record.seats, record.seed) == (state.players, names, 1)
    defaults = {option.name: option.default for option in game.options}
    assert record.options == defaults | BRIEF.get(game.name, {})
    assert (record.secret, record.commitment, record.words, record.start) == (None, None, (), None)
    assert record.moves == tuple(str(move) for move in state.history)
    assert state.ending is not None
    assert record.result == Result(state.scores, state.winners, state.ending.code)
    assert record.hash == state.hash


def test_a_file_reads_back_as_it_was_written(game: Game, tmp_path: Path) -> None:
    state = finished(game)
    record = state.record(("Ada \N{SNOWMAN}",) * state.players)
    record.save(tmp_path / "game.json")
    assert Record.load(tmp_path / "game.json") == record
    assert Record.load(str(tmp_path / "game.json")).verify().hash == record.hash
    assert Record.parse(record.json()) == Record.parse(record.json().encode()) == record


def test_a_file_is_readable_json_with_a_line_for_each_key(record: Record) -> None:
    text = record.json()
    assert json.loads(text)["moves"] == list(record.moves)
    assert text.startswith('{\n "kibitz": 1,\n "game": "tiny",\n')
    assert text.endswith("}\n")


@pytest.mark.parametrize("seed", [0, -5, 2**64 + 1, -(2**80)])
def test_any_whole_number_is_a_seed_that_can_be_kept(seed: int) -> None:
    record = tiny.GAME.deal(seed=seed).record()
    assert Record.parse(record.json()).verify().record() == record


# Replaying


def test_a_record_replays_to_the_same_bytes(game: Game) -> None:
    state = finished(game)
    assert bytes(state.record().replay()) == bytes(state)
    assert bytes(state.record().verify()) == bytes(state)


def test_steps_show_the_state_at_the_beginning_and_after_each_move(record: Record) -> None:
    histories = [[str(move) for move in state.history] for state in record.steps()]
    assert histories == [list(record.moves[:length]) for length in range(len(record.moves) + 1)]


def test_a_running_game_is_kept_without_a_result_and_goes_on(game: Game) -> None:
    state = brief(game, seed=1)
    state.play(state.legal_moves[-1])
    record = state.record()
    assert record.result is None
    again = Record.parse(record.json()).verify()
    assert played_on(again).record() == played_on(state).record()


def test_a_game_may_start_from_a_position(game: Game) -> None:
    position = brief(game, seed=1).position()
    state = played_on(game.from_position(position, seed=9))
    record = Record.parse(state.record().json())
    assert record.start == position
    assert record.seed == 9
    assert bytes(record.verify()) == bytes(state)


def test_a_position_without_a_seed_has_a_secret_of_its_own(game: Game) -> None:
    record = game.from_position(game.deal(seed=1).position()).record()
    assert record.seed is None
    assert record.secret is not None
    record.verify()


def test_a_secret_and_the_seats_words_make_the_deal() -> None:
    state = finished(tiny.GAME, SECRET, ("tea", "café"))
    record = Record.parse(state.record().json())
    assert record.secret == SECRET.hex()
    assert record.words == ("tea", "café")
    assert record.commitment == hashlib.sha256(SECRET).hexdigest()
    assert record.seed is None
    assert bytes(record.verify()) == bytes(state)


# Verifying


def broken(record: Record, key: str) -> str:
    """Why a record doesn't verify; the refusal names the key."""
    with pytest.raises(kibitz.BadRecord) as refused:
        record.verify()
    assert refused.value.key == key
    assert refused.value.code == "bad-record"
    return refused.value.reason


def test_a_move_that_is_not_legal_there_is_found(record: Record) -> None:
    illegal = next(str(move) for move in tiny.GAME.moves if move not in tiny.GAME.deal(seed=1).legal_moves)
    reason = broken(tampered(record, moves=(illegal, *record.moves[1:])), "moves[0]")
    assert "a legal move (You don't hold" in reason


def test_a_move_after_the_end_is_found(record: Record) -> None:
    reason = broken(tampered(record, moves=(*record.moves, "lay 1")), f"moves[{len(record.moves)}]")
    assert "The game is over" in reason


def test_another_legal_move_is_found_by_what_follows_from_it() -> None:
    state = tiny.GAME.deal(seed=1)
    one, other = state.legal_moves[:2]
    state.play(one)
    broken(tampered(state.record(), moves=(str(other),)), "hash")


def test_a_missing_move_is_found(record: Record) -> None:
    broken(tampered(record, moves=record.moves[:-1]), "result")


def test_another_result_is_found(record: Record) -> None:
    assert record.result is not None
    scores = record.result.scores
    for changes in ({"scores": scores[::-1]}, {"winners": ()}, {"ending": "moves"}):
        changed = msgspec.structs.replace(record.result, **changes)
        broken(tampered(record, result=changed), "result")
    broken(tampered(record, result=None), "result")


def test_another_hash_is_found(record: Record) -> None:
    broken(tampered(record, hash="0" * 64), "hash")
    broken(tampered(record, hash=None), "hash")


def test_another_seed_is_found(record: Record) -> None:
    with pytest.raises(kibitz.BadRecord):
        tampered(record, seed=2).verify()


def test_another_commitment_is_found() -> None:
    record = finished(tiny.GAME, SECRET).record()
    broken(tampered(record, commitment="0" * 64), "commitment")
    broken(tampered(record, commitment=None), "commitment")
    other = hashlib.sha256(b"other").hexdigest()
    assert "SHA-256" in broken(tampered(record, secret=b"more".hex(), commitment=other), "commitment")


def test_a_commitment_to_a_secret_that_is_not_there_is_found(record: Record) -> None:
    broken(tampered(record, commitment="0" * 64), "commitment")


def test_other_words_are_found() -> None:
    record = finished(tiny.GAME, SECRET, ("tea",)).record()
    with pytest.raises(kibitz.BadRecord):
        tampered(record, words=("coffee",)).verify()
    from_position = tiny.GAME.from_position(tiny.GAME.deal(seed=1).position(), 1).record()
    broken(tampered(from_position, words=("tea",)), "words")


def test_other_options_are_found() -> None:
    record = finished(kibitz.game("kaching")).record()
    broken(tampered(record, options={}), "options")
    broken(tampered(record, options=record.options | {"open_money": True}), "hash")
    broken(tampered(record, options=record.options | {"speed": 3}), "options")


def test_another_number_of_players_is_found(record: Record) -> None:
    broken(tampered(record, players=9), "options")
    from_position = tiny.GAME.from_position(tiny.GAME.deal(seed=1).position(), 1).record()
    broken(tampered(from_position, players=3), "players")


def test_names_for_more_seats_than_there_are_are_found(record: Record) -> None:
    broken(tampered(record, seats=("Ada", "Bo", "Cy")), "seats")
    tampered(record, seats=()).verify()


def test_another_start_is_found() -> None:
    record = played_on(tiny.GAME.from_position(tiny.GAME.deal(seed=1).position(), 1)).record()
    assert record.start is not None
    broken(tampered(record, start={}), "start")
    broken(tampered(record, start=record.start | {"deck": []}), "start")
    with pytest.raises(kibitz.BadRecord):
        tampered(record, start=tiny.GAME.deal(seed=2).position()).verify()


def test_other_rules_are_found(record: Record) -> None:
    assert "rules version 1 of Tiny" in broken(tampered(record, rules=2), "rules")


def test_a_game_that_is_not_here_is_found(record: Record) -> None:
    assert "There is no game 'chess'" in broken(tampered(record, game="chess"), "game")


@pytest.mark.parametrize("changes", [{"seed": None}, {"secret": "00"}])
def test_a_record_has_either_a_seed_or_a_secret(record: Record, changes: dict[str, Any]) -> None:
    broken(tampered(record, **changes), "seed")


@pytest.mark.parametrize("secret", ["xy", "0", "00 01", "É"])
def test_a_secret_is_hexadecimal_digits(secret: str) -> None:
    record = tiny.GAME.deal(seed=b"\0\1").record()
    broken(tampered(record, secret=secret), "secret")


# Files that are no records


@pytest.mark.parametrize(
    ("text", "key"),
    [
        (b"", "record"),
        (b"not json", "record"),
        (b"[]", "record"),
        (b"{}", "record"),
        (b"[" * 100_000, "record"),
        (b'{"kibitz": 1, "game": "\xff"}', "record"),
        (b'{"kibitz": 1, "game": 3, "rules": 1, "players": 2, "options": {}}', "record"),
        (b'{"kibitz": 1, "game": "tiny", "rules": 1, "players": 2, "options": {}, "cheat": true}', "record"),
        (b'{"kibitz": 2, "game": "tiny", "rules": 1, "players": 2, "options": {}}', "kibitz"),
    ],
    ids=[
        "nothing",
        "text",
        "list",
        "empty",
        "deep",
        "not-utf-8",
        "wrong-type",
        "unknown-key",
        "unknown-format",
    ],
)
def test_what_is_no_record_is_refused(text: bytes, key: str, tmp_path: Path) -> None:
    (tmp_path / "game.json").write_bytes(text)
    with pytest.raises(kibitz.BadRecord) as refused:
        Record.parse(text)
    assert refused.value.key == key
    with pytest.raises(kibitz.BadRecord) as refused:
        Record.load(tmp_path / "game.json")
    assert refused.value.key == key


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "missing.json", tmp_path):
        with pytest.raises(kibitz.BadRecord, match="a file that can be read"):
            Record.load(path)


def test_steps_are_states_of_their_own() -> None:
    state = kibitz.game("tiny").deal(seed=1)
    for _ in range(3):
        state.play(state.legal_moves[0])
    steps = list(state.record().steps())
    assert [len(step.history) for step in steps] == [0, 1, 2, 3]
    assert bytes(steps[0]) != bytes(steps[-1]) == bytes(state)
