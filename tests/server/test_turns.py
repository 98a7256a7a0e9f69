"""Who waits for work is served in turn, household by household, and in each guest by guest. [P8]"""

import asyncio
from contextlib import suppress

import pytest

from kibitz.server.tables.refusals import NotAllowed
from kibitz.server.turns import Asker, Turns
from tests.server.serving import in_loop

ANN, ANNS_BROTHER, BOB, CARL = Asker("a", "Ann"), Asker("a", "Abe"), Asker("b", "Bob"), Asker("c", "Carl")


async def served(turns: Turns, *askers: Asker) -> list[str]:
    """Who is served in which order, of those who ask while somebody else is; and who is turned away."""
    order: list[str] = []

    async def ask(asker: Asker) -> None:
        try:
            async with turns.turn(asker):
                order.append(asker.guest)
        except NotAllowed:
            order.append(f"not {asker.guest}")

    async with turns.turn(Asker("first")):
        asking = [asyncio.create_task(ask(asker)) for asker in askers]
        await asyncio.sleep(0)
    await asyncio.gather(*asking)
    return order


@in_loop
async def test_households_have_their_turns_one_after_the_other() -> None:
    found = await served(Turns(1, 10), ANN, ANN, ANN, BOB, CARL)
    assert found == ["Ann", "Bob", "Carl", "Ann", "Ann"]


@in_loop
async def test_so_have_the_guests_of_a_household() -> None:
    assert await served(Turns(1, 10), ANN, ANN, ANN, ANNS_BROTHER) == ["Ann", "Abe", "Ann", "Ann"]


@in_loop
async def test_when_too_many_wait_who_has_most_of_them_gives_one_up() -> None:
    assert await served(Turns(1, 3), ANN, ANN, ANN, BOB) == ["not Ann", "Ann", "Bob", "Ann"]
    assert await served(Turns(1, 2), ANN, ANN, ANN, ANN) == ["not Ann", "not Ann", "Ann", "Ann"]
    assert await served(Turns(1, 2), ANN, BOB, CARL) == ["not Carl", "Ann", "Bob"]


@in_loop
async def test_a_household_may_have_only_some_at_once() -> None:
    turns, working = Turns(2, 10, of_household=1), list[str]()
    done = asyncio.Event()

    async def work(asker: Asker) -> None:
        async with turns.turn(asker):
            working.append(asker.guest)
            await done.wait()

    tasks = [asyncio.create_task(work(asker)) for asker in (ANN, ANN, BOB)]
    await asyncio.sleep(0.01)
    assert working == ["Ann", "Bob"]
    done.set()
    await asyncio.gather(*tasks)
    assert working == ["Ann", "Bob", "Ann"]


@pytest.mark.parametrize("loops", [0, 1, 2, 3])
def test_who_goes_away_takes_no_turn_along(loops: int) -> None:
    """Whether still waiting, or just called."""

    async def leave() -> None:
        turns = Turns(1, 10)
        async with turns.turn(BOB):
            gone = asyncio.create_task(turns.begin(ANN))
            await asyncio.sleep(0)
        for _ in range(loops):
            await asyncio.sleep(0)
        gone.cancel()
        with suppress(asyncio.CancelledError):
            await gone
            turns.end(ANN)
        async with asyncio.timeout(5), turns.turn(CARL):
            pass

    in_loop(leave)()


@in_loop
async def test_who_has_begun_and_goes_on_is_not_refused() -> None:
    turns = Turns(1, 0)
    async with turns.turn(ANN):
        with pytest.raises(NotAllowed):
            await turns.begin(BOB)
        going_on = asyncio.create_task(turns.begin(BOB, again=True))
    await going_on
    turns.end(BOB)
