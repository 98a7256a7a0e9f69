"""The power fails, and the disk loses what wasn't synced: nothing acknowledged is lost, the file opens. [P1]

`KIBITZ_POWER_POINTS=1000` lets it fail more often.
"""

import os
from pathlib import Path

import pytest

from tests.server.power import Lossy, killed, lose_power, possible
from tests.server.serving import Zygote, in_loop

POINTS = int(os.environ.get("KIBITZ_POWER_POINTS", "200"))
MUTANT_POINTS = 40
BEGINNING = 45  # steps in which a store is made

pytestmark = pytest.mark.skipif(
    not possible(),
    reason="NO C COMPILER (or not Linux): nothing says that a power loss spares the store",
)


@in_loop
async def test_power_losses_lose_nothing_that_was_acknowledged(observed: Zygote, folder: Path) -> None:
    lossy = await lose_power(observed, folder, POINTS, seed=1)
    assert lossy.report.points >= POINTS
    assert len(lossy.promises.commands) > 400
    assert len(lossy.promises.guests) > 20
    assert lossy.report.lost == []
    assert lossy.report.closed == []
    assert lossy.report.torn == []


@pytest.mark.parametrize("mutant", ["synchronous-normal", "acknowledge-before-commit", "folders-unsynced"])
@in_loop
async def test_a_server_that_does_not_wait_for_the_disk_is_caught(
    observed: Zygote, folder: Path, mutant: str
) -> None:
    lossy = Lossy(observed, folder, seed=1)
    await lossy.session(MUTANT_POINTS, 20, killed, mutant=mutant)
    assert lossy.report.lost


@in_loop
async def test_a_file_that_is_not_made_as_a_whole_is_caught(observed: Zygote, folder: Path) -> None:
    lossy = Lossy(observed, folder, seed=1)
    await lossy.session(MUTANT_POINTS, 1, killed, among=BEGINNING, mutant="made-in-place")
    assert any("it is empty" in reason for reason in lossy.report.closed)
