"""Rules versions: new games are of version 2, and what is of version 1 goes on as it was."""

import hashlib
from random import Random
from typing import Any

import msgspec
import pytest

import kibitz
from tests.games.bad_input import refuse_position
from tests.games.cash import bad_input, positions
from tests.games.cash.positions import DEFAULTS, VERSION_1, VERSION_2, as_json
from tests.games.cash.version_2 import NEW_KEYS, in_version_1, offering, position, proposed, taking

pytestmark = pytest.mark.interpreted

GAME = kibitz.game("cash")
OLD_OPTIONS = [name for name in DEFAULTS if name not in VERSION_2]
OLD = [in_version_1(made) for made in (positions.position(), bad_input.offering(), bad_input.proposed())]
PHASES = ["action", "offer", "answer"]


def test_new_games_are_of_rules_version_2() -> None:
    assert GAME.rules_version == 2
    assert GAME.deal(seed=1).rules_version == 2
    assert [option.name for option in GAME.options] == list(DEFAULTS)


def test_a_game_of_version_1_is_dealt_if_it_is_asked_for() -> None:
    state = GAME.deal(seed=1, rules_version=1, rounds=1)
    assert state.rules_version == 1
    assert list(state.record().options) == OLD_OPTIONS


def test_positions_and_views_always_have_the_form_of_version_2() -> None:
    one = GAME.deal(seed=1, rules_version=1)
    two = GAME.deal(seed=1, rules_version=2, **VERSION_1)
    assert list(one.position()["options"]) == list(DEFAULTS)
    assert as_json(one.position()) == as_json(two.position())
    for state in (one, two):
        state.play("trade p1" if state.turn == 0 else "trade p0")
    assert as_json(one.position()) == as_json(two.position())
    for seat in (0, 1, None):
        for state in (one, two):
            assert state.view_json(seat) == msgspec.json.encode(state.view(seat))
        assert as_json(one.view(seat)) == as_json(two.view(seat))


def test_hashes_are_of_the_form_that_the_version_had() -> None:
    state = GAME.deal(seed=1, rules_version=1)
    older = in_version_1(state.position())
    assert state.hash == hashlib.sha256(msgspec.json.encode(older)).hexdigest()
    assert state.hash != GAME.deal(seed=1, rules_version=2, **VERSION_1).hash
    assert state != GAME.deal(seed=1, rules_version=2, **VERSION_1)


@pytest.mark.parametrize("option", VERSION_1)
def test_a_game_of_version_1_has_none_of_the_new_options(option: str) -> None:
    with pytest.raises(kibitz.BadOptions, match=option):
        GAME.deal(seed=1, rules_version=1, **{option: VERSION_2[option]})


@pytest.mark.parametrize("version", [0, 3, -1, "1", 1.0, True])
def test_there_are_two_versions(version: Any) -> None:
    with pytest.raises(kibitz.BadOptions, match="rules_version: expected 1 to 2"):
        GAME.deal(seed=1, rules_version=version)


@pytest.mark.parametrize("game", ["kaching", "assets", "match"])
def test_other_games_have_one(game: str) -> None:
    assert kibitz.game(game).deal(seed=1, rules_version=1).rules_version == 1
    with pytest.raises(kibitz.BadOptions, match=r"rules_version: expected 1\b"):
        kibitz.game(game).deal(seed=1, rules_version=2)


@pytest.mark.parametrize("made", OLD, ids=PHASES)
def test_a_position_without_the_new_keys_is_of_version_1(made: dict[str, Any]) -> None:
    state = GAME.from_position(made)
    assert state.rules_version == 1
    assert as_json(state.start) == as_json(made)
    assert as_json(in_version_1(state.position())) == as_json(made)
    newer = state.position()
    assert {name: newer["options"][name] for name in VERSION_1} == VERSION_1
    assert {key: newer[key] for key in NEW_KEYS} == NEW_KEYS


@pytest.mark.parametrize("made", [position(), offering(), proposed()], ids=PHASES)
def test_a_position_with_the_new_keys_is_of_version_2(made: dict[str, Any]) -> None:
    state = GAME.from_position(made)
    assert state.rules_version == 2
    assert as_json(state.position()) == as_json(state.start) == as_json(made)


@pytest.mark.parametrize("key", NEW_KEYS)
def test_a_position_with_only_some_of_the_new_keys_is_refused(key: str) -> None:
    made = position()
    refuse_position({other: made[other] for other in made if other != key}, key)
    refuse_position(in_version_1(made) | {key: made[key]}, *NEW_KEYS)


@pytest.mark.parametrize("option", VERSION_1)
def test_a_position_with_new_options_but_without_the_new_keys_is_refused(option: str) -> None:
    made = in_version_1(positions.position())
    made["options"][option] = VERSION_1[option]
    refuse_position(made, "taking")


def test_an_offer_of_version_1_has_no_counter() -> None:
    made = in_version_1(bad_input.proposed())
    made["offer"]["counter"] = False
    refuse_position(made, "offer")


def test_an_offer_of_version_2_has_one() -> None:
    made = proposed()
    del made["offer"]["counter"]
    refuse_position(made, "counter")


def test_a_phase_of_version_2_is_refused_in_a_position_of_version_1() -> None:
    refuse_position(in_version_1(taking()), "phase", "taking")


@pytest.mark.parametrize("version", [1, 2])
def test_a_record_is_written_replays_and_verifies_in_the_form_of_its_version(version: int) -> None:
    state = GAME.deal(3, seed=5, rules_version=version, rounds=1)
    chooser = Random(5)
    while not state.over:
        state.play(chooser.choice(state.legal_moves))
    record = kibitz.Record.parse(state.record().json())
    assert record.rules == version
    assert list(record.options) == (OLD_OPTIONS if version == 1 else list(DEFAULTS))
    assert record.verify().rules_version == version
    assert bytes(record.verify()) == bytes(state)


def test_a_record_does_not_mix_versions() -> None:
    record = GAME.deal(seed=1, rules_version=1).record()
    for changes in ({"rules": 2}, {"rules": 3}, {"options": dict(DEFAULTS)}):
        with pytest.raises(kibitz.BadRecord):
            msgspec.structs.replace(record, **changes).verify()
    started = GAME.from_position(OLD[0], seed=1).record()
    assert started.verify().rules_version == 1
    with pytest.raises(kibitz.BadRecord, match="start"):
        msgspec.structs.replace(started, rules=2).verify()


@pytest.mark.parametrize("version", [1, 2])
def test_copies_and_bytes_keep_the_version(version: int) -> None:
    state = GAME.deal(seed=1, rules_version=version)
    assert state.copy().rules_version == version
    assert GAME.from_bytes(bytes(state)).rules_version == version
    assert GAME.from_bytes(bytes(state)).hash == state.hash


@pytest.mark.parametrize("made", [position(), offering(), proposed(), taking()], ids=[*PHASES, "taking"])
def test_bytes_of_version_2_are_read_and_checked(made: dict[str, Any]) -> None:
    state = GAME.from_position(made)
    assert as_json(GAME.from_bytes(bytes(state)).position()) == as_json(made)
    for field, wrong in {"rules_version": 1, "taking": 7, "tied": True}.items():
        broken = state.fields()
        broken[field] = wrong
        with pytest.raises(kibitz.BadPosition):
            GAME.from_bytes(broken.tobytes())


@pytest.mark.parametrize("version", [1, 2])
def test_a_view_of_a_game_of_either_version_is_understood_from_outside(version: int) -> None:
    state = GAME.deal(seed=1, rules_version=version)
    assert state.turn is not None
    seen = state.observation(state.turn)
    again = GAME.observation(seen.view, seen.log)
    assert again.legal_moves == state.legal_moves
    assert as_json(again.imagine(1).view(state.turn)) == as_json(seen.view)
    older = GAME.observation(in_version_1(seen.view), seen.log)
    assert older.imagine(1).rules_version == 1
