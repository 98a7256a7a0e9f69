"""What many sockets send at once is read in turn, and between two turns others go on. [P8]"""

import asyncio
import time

from kibitz.server.net.pacing import SHARE, LoopShare
from tests.server.serving import in_loop


@in_loop
async def test_a_round_has_its_share_and_households_have_their_turns() -> None:
    pace, order = LoopShare(), list[str]()

    def read(who: str) -> None:
        order.append(who)
        time.sleep(SHARE)  # no time is left in this round

    found = [pace.has_time]
    pace.now(lambda: read("ann"))
    found.append(pace.has_time)
    for _ in range(3):
        pace.later("ann", lambda: read("ann"))
    pace.later("bob", lambda: read("bob"))
    rounds = 0
    while len(order) < 5:
        await asyncio.sleep(0)
        rounds += 1
    assert order == ["ann", "ann", "bob", "ann", "ann"]
    assert rounds >= 4, "others go on in between"
    await asyncio.sleep(0)
    assert [*found, pace.has_time] == [True, False, True]
