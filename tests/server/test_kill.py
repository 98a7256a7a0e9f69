"""An acknowledged command is in the log, exactly once, whatever dies afterwards. [P1, P2]"""

import asyncio
import os

from tests.server.conftest import Start
from tests.server.killing import RECOVERY, kill_under_load
from tests.server.load import UNLIMITED

KILLS = 60
MUTANT_KILLS = 8


def test_sixty_kills_lose_nothing_and_repeat_nothing(start: Start) -> None:
    server = start(limits=UNLIMITED)
    report = asyncio.run(kill_under_load(server, KILLS))
    assert len(report.acknowledged) > 5 * KILLS
    assert report.lost == []
    assert report.twice == []
    assert report.broken == []
    assert report.slowest < RECOVERY * max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


def test_a_server_that_answers_before_it_has_written_is_caught(start: Start) -> None:
    server = start(limits=UNLIMITED, mutant="acknowledge-before-commit")
    report = asyncio.run(kill_under_load(server, MUTANT_KILLS))
    assert report.lost
