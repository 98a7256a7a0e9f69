"""The deal of the day: one a game and day, the same cards and the same bots for everybody.

The secret of a day's deal follows from the store's key, a bot's choices from that secret, its seat and the
number of moves: whoever plays the same has the same game. Until the day ends, nothing is told that would
help somebody who hasn't played it yet.
"""

import hmac
import time
from datetime import UTC, date, datetime, timedelta

from kibitz.core.game import Game
from kibitz.core.secret import source
from kibitz.server.stores.store import Guest
from kibitz.server.tables.refusals import NotAllowed
from kibitz.server.tables.rows import BOT, GUEST, Chair, Created
from kibitz.server.tables.table import Table

LEVEL = "medium"  # of the bots
SEATS = 3  # at most


def dealt(key: bytes, game: Game, day: str, guest: Guest) -> Created:
    """The first row of somebody's table with a day's deal."""
    secret = hmac.digest(key, f"daily/{game.name}/{day}".encode(), "sha256")
    players = max(count for count in game.players if count <= max(SEATS, game.players[0]))
    commitment = source(secret).commitment
    assert commitment is not None
    return Created(
        game=game.name,
        rules=game.rules_version,
        options=game.checked_options({}, players),
        players=players,
        seats=[Chair(GUEST, guest.id), *[Chair(BOT, level=LEVEL)] * (players - 1)],
        names=[guest.name, *[""] * (players - 1)],
        pace="normal",
        creator=guest.id,
        waits=True,
        secret=secret.hex(),
        commitment=commitment,
        spectators="nobody",
        advice="off",
        daily=day,
    )


def bot_seed(table: Table, seat: int) -> int | None:
    """What a bot's choice follows from at a table with the deal of a day; None at others: from chance."""
    if table.created.daily is None:
        return None
    told = f"bot/{seat}/{len(table.movers)}".encode()
    return int.from_bytes(hmac.digest(bytes.fromhex(table.created.secret), told, "sha256")[:8])


# Days, each from midnight to midnight by UTC


def today() -> str:
    """The day it is now."""
    return datetime.now(UTC).date().isoformat()


def ends(day: str) -> float:
    """When a day ends, in seconds since 1970."""
    midnight = datetime.fromisoformat(day).replace(tzinfo=UTC) + timedelta(days=1)
    return midnight.timestamp()


def known_day(day: str) -> str:
    """A day that has begun, as `2026-11-17`."""
    try:
        found = date.fromisoformat(day)
    except ValueError:
        raise NotAllowed("bad-day") from None
    if found.isoformat() != day or day > today():
        raise NotAllowed("bad-day")
    return day


def sealed(created: Created) -> bool:
    """Whether the secret of a table's deal, and so its record, would help those who still play it."""
    return created.daily is not None and time.time() < ends(created.daily)
