"""Records written by each released rules version replay to the same hash at every step, for ever.

`tests/records/GAME-rules-VERSION.jsonl` holds a line a record: its name, SHA-256 over the hashes of all its
steps as they were when it was written, and the record. The files are never written again; a new rules version
adds one.
"""

import hashlib
from pathlib import Path
from typing import Any

import msgspec
import pytest

import kibitz
from tests import tiny

FILES = sorted((Path(__file__).parent.parent / "records").glob("*.jsonl"))
KEPT = [msgspec.json.decode(line) for file in FILES for line in file.read_bytes().splitlines()]


@pytest.mark.parametrize("kept", KEPT, ids=[kept["name"] for kept in KEPT])
def test_an_old_record_verifies_and_has_the_same_hash_at_every_step(kept: dict[str, Any]) -> None:
    record = kibitz.Record.parse(msgspec.json.encode(kept["record"]))
    record.verify()
    hashes = hashlib.sha256()
    for state in record.steps():
        hashes.update(state.hash.encode())
    assert hashes.hexdigest() == kept["hashes"]


def test_there_are_records_of_every_game_version_and_number_of_players() -> None:
    kept = {(each["record"]["game"], each["record"]["rules"], each["record"]["players"]) for each in KEPT}
    expected = {
        (name, version, players)
        for name in set(kibitz.games()) - {tiny.GAME.name}
        for version in (1, *(later.number for later in kibitz.game(name).versions))
        for players in kibitz.game(name).players
    }
    assert kept >= expected
