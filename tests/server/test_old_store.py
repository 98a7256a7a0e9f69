"""A store that a server of another day has written is opened, and its games go on.

`old_store.sql` is a file of schema 3, as SQL: what two people left behind at a server of 16 November 2026,
whose games did not declare their fields once yet. `old_store.json` is what that server showed them last.
Neither is ever written again.
"""

import json
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from kibitz.server.stores.store import chained
from kibitz.server.stores.store_file import FILE
from kibitz.server.stores.verifying import verify_store
from tests.server.client import Client, connected
from tests.server.serving import Server, Zygote, in_loop
from tests.server.test_store import opened

HERE = Path(__file__).parent
TOLD = json.loads((HERE / "old_store.json").read_text(encoding="utf-8"))
GAMES = ("kaching", "kazink", "cash", "assets", "match")
WRITTEN = 1_794_990_000  # seconds since 1970


@pytest.fixture
def left_behind(tmp_path: Path) -> Path:
    """The folder, as that server left it."""
    with closing(sqlite3.connect(tmp_path / FILE)) as connection:
        connection.executescript((HERE / "old_store.sql").read_text(encoding="utf-8"))
    return tmp_path


@in_loop
async def test_every_row_of_an_old_store_is_there_as_it_was(left_behind: Path) -> None:
    async with opened(left_behind) as store:
        for told in TOLD["tables"]:
            rows = await store.rows(told["table"])
            assert chained(rows)
            assert rows[-1].hash.hex() == told["hash"]
    assert verify_store(left_behind).sound


@in_loop
async def test_both_see_the_tables_of_an_old_store_as_they_left_them_and_play_on(
    zygote: Zygote, left_behind: Path
) -> None:
    async with opened(left_behind):
        pass  # it is upgraded
    server = Server(zygote, {"data": str(left_behind), "games": GAMES})
    server.age(WRITTEN - time.time())  # tables at which nothing has happened for months would expire
    server.start()
    try:
        first, second = TOLD["tokens"]
        async with connected(server.port, first) as ann, connected(server.port, second) as bob:
            for told in TOLD["tables"]:
                await find_as_left([ann, bob], told)
    finally:
        server.kill()
    assert verify_store(left_behind).sound


async def find_as_left(people: list[Client], told: dict[str, Any]) -> None:
    """What each is shown has all that the old server showed, and the next move is taken."""
    table, number = told["table"], told["number"]
    for person, view, legal in zip(people, told["views"], told["legal"], strict=True):
        now = await person.watch(table)
        assert has_all(now["view"], view)
        assert (now["number"], now["legal"]) == (number, legal)
        assert bool(now["result"]) == bool(told["result"])
    for person, legal in zip(people, told["legal"], strict=True):
        if legal:
            await person.do("move", table=table, number=number, move=legal[0])


def has_all(now: Any, then: Any) -> bool:
    """Whether all that was told then is told now; what has been added since may be more."""
    if isinstance(then, dict):
        return then.keys() <= now.keys() and all(has_all(now[key], value) for key, value in then.items())
    if isinstance(then, list):
        return len(now) == len(then) and all(map(has_all, now, then))
    return bool(now == then)
