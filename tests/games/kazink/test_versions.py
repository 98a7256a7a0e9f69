"""Rules versions: what is of version 1 goes on as it was; new games are of version 2."""

import hashlib
from random import Random
from typing import Any

import msgspec
import pytest

import kibitz
from tests.games.bad_input import refuse_position
from tests.games.kazink.naive import KEYS
from tests.games.kazink.positions import (
    DEFAULTS,
    as_json,
    finished,
    in_version_1,
    moves,
    played,
    position,
    start,
    state_of,
)

pytestmark = pytest.mark.interpreted

GAME = kibitz.game("kazink")
SHARED = {"pool": "shared"}
TEAMS = ["S", "S", "S"]
HALF = {"a1": "YB" * 18}
POSITIONS = [
    position("S", HALF, options=SHARED),
    position("S", HALF, others=["S", "S"], options=SHARED),
    position("S", HALF, others=TEAMS, options=SHARED),
    position("S", HALF, others=TEAMS, options=SHARED, discard="U", phase="place"),
    finished(options=SHARED),
]


def hash_of(made: dict[str, Any]) -> str:
    return hashlib.sha256(msgspec.json.encode(made)).hexdigest()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_game_of_version_1_is_dealt_if_it_is_asked_for(players: int) -> None:
    """It is that of version 2 with a shared pool, and shown as such; its record and hash don't say so."""
    one = GAME.deal(players, seed=1, rules_version=1)
    two = GAME.deal(players, seed=1, pool="shared")
    assert (one.rules_version, two.rules_version) == (1, 2)
    assert list(two.position()) == KEYS
    assert as_json(one.position()) == as_json(two.position())
    assert one.hash == hash_of(in_version_1(two.position()))
    assert list(one.record().options) == ["board", "dealer", "hand"]
    for seat in (*range(players), None):
        assert as_json(one.view(seat)) == as_json(two.view(seat))
        for state in (one, two):
            assert state.view_json(seat) == msgspec.json.encode(state.view(seat))
    assert one.hash != two.hash


def test_a_game_of_version_1_has_no_pool() -> None:
    for pool in ("shared", "divided"):
        with pytest.raises(kibitz.BadOptions, match="pool"):
            GAME.deal(4, seed=1, rules_version=1, pool=pool)


@pytest.mark.parametrize("made", POSITIONS)
def test_a_position_without_seat_chips_is_of_version_1(made: dict[str, Any]) -> None:
    older = in_version_1(made)
    state = state_of(older)
    assert state.rules_version == 1
    assert as_json(state.start) == as_json(older)
    assert as_json(state.position()) == as_json(made)
    assert state.hash == hash_of(older)
    assert state_of(made).rules_version == 2
    if not state.over:
        assert moves(state) == moves(state_of(made))


def test_in_a_position_of_version_1_partners_share_their_chips() -> None:
    made = in_version_1(position("W", HALF, others=["W", "W", "W"]))
    after = played(state_of(made), "W b1")
    assert (after["chips"], after["seat_chips"]) == ({"Y": 17, "B": 18}, [17, 18, 17, 18])
    assert after["options"]["pool"] == "shared"
    last = {"a1": "YB" * 35, "b1": "B"}
    made = in_version_1(position("W", last, others=["W", "W", "W"]))
    state = state_of(made)
    assert played(state, "W c1")["chips"] == {"Y": 0, "B": 0}
    for _ in range(3):
        assert moves(state) == {"discard W"}
        state.play("discard W")


@pytest.mark.parametrize("pool", ["shared", "divided"])
def test_a_position_with_pool_but_without_seat_chips_is_refused(pool: str) -> None:
    made = in_version_1(position("S", HALF, others=TEAMS))
    made["options"]["pool"] = pool
    refuse_position(made, "pool", "seat_chips")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_position_with_seat_chips_but_without_pool_has_the_default(players: int) -> None:
    made = position("S", HALF, others=["S"] * (players - 1))
    given = in_version_1(made) | {"seat_chips": made["seat_chips"]}
    assert "pool" not in given["options"]
    assert as_json(state_of(given).position()) == as_json(made)


def test_a_position_with_seat_chips_of_nothing_is_not_of_version_1() -> None:
    refuse_position(position("S", HALF, options=SHARED) | {"seat_chips": None}, "seat_chips")
    refuse_position(in_version_1(position("S", HALF)) | {"seat_chips": None}, "seat_chips")


@pytest.mark.parametrize("version", [1, 2])
def test_a_record_is_written_replays_and_verifies_in_the_form_of_its_version(version: int) -> None:
    state = GAME.deal(4, seed=5, rules_version=version)
    chooser = Random(5)
    while not state.over:
        state.play(chooser.choice(state.legal_moves))
    record = kibitz.Record.parse(state.record().json())
    assert record.rules == version
    assert ("pool" in record.options) == (version == 2)
    assert record.verify().rules_version == version
    assert bytes(record.verify()) == bytes(state)


def test_a_record_does_not_mix_versions() -> None:
    record = GAME.deal(4, seed=1, rules_version=1).record()
    for changes in ({"rules": 2}, {"rules": 3}, {"options": dict(DEFAULTS)}):
        with pytest.raises(kibitz.BadRecord):
            msgspec.structs.replace(record, **changes).verify()


@pytest.mark.parametrize("version", [1, 2])
def test_copies_and_bytes_keep_the_version(version: int) -> None:
    state = GAME.deal(4, seed=1, rules_version=version)
    state.play(state.legal_moves[0])
    assert state.copy().rules_version == version
    again = GAME.from_bytes(bytes(state))
    assert again.rules_version == version
    assert again.hash == state.hash


@pytest.mark.parametrize(
    ("options", "wrong"),
    [
        ({}, {"rules_version": 1}),
        ({}, {"shared": 1}),
        ({}, {"seat_chips": [9, 9, 8, 9]}),
        ({}, {"seat_chips": [19, 9, -1, 9]}),
        (SHARED, {"shared": 0}),
        (SHARED, {"seat_chips": [9, 9, 9, 9]}),
    ],
    ids=str,
)
def test_bytes_that_mix_versions_or_chips_are_refused(options: dict[str, str], wrong: dict[str, Any]) -> None:
    state = start("S", HALF, others=TEAMS, options=options)
    broken = state.fields()
    for field, value in wrong.items():
        broken[field] = value
    with pytest.raises(kibitz.BadPosition):
        GAME.from_bytes(broken.tobytes())


def test_bytes_of_version_1_keep_the_pool_shared() -> None:
    state = state_of(in_version_1(position("S", HALF, others=TEAMS)))
    for field, value in {"shared": 0, "seat_chips": [9, 9, 9, 9]}.items():
        broken = state.fields()
        broken[field] = value
        with pytest.raises(kibitz.BadPosition):
            GAME.from_bytes(broken.tobytes())


@pytest.mark.parametrize("version", [1, 2])
def test_a_view_of_either_version_is_understood_from_outside(version: int) -> None:
    state = GAME.deal(4, seed=1, rules_version=version)
    assert state.turn is not None
    seen = state.observation(state.turn)
    again = GAME.observation(seen.view, seen.log)
    assert again.legal_moves == state.legal_moves
    assert again.imagine(1).position()["options"]["pool"] == {1: "shared", 2: "divided"}[version]
