"""A real server for the browser: every game, the tiny one too, and the built page.

`python -m tests.web.server_with_tiny DATA [PAGE]` serves until it is ended; its first line is the port.
A table's deal follows from the name of the command that made it, and its bots do without chance: a test sees
the same each time.
"""

import hashlib
import sys
from pathlib import Path

import msgspec

import kibitz
from kibitz.bots.player import Bot, bot
from kibitz.core.game import Game
from kibitz.server.app import Parts, create_app
from kibitz.server.limits import Limits
from kibitz.server.live_bots import LiveBots
from kibitz.server.net.pages import PAGE, Host
from kibitz.server.nodes.bus import LocalBus
from kibitz.server.protocol import Create
from kibitz.server.readiness import Readiness
from kibitz.server.serve import listen, server
from kibitz.server.stores.sqlite import SqliteStore
from kibitz.server.stores.store import Guest
from kibitz.server.tables import commands, lobby
from kibitz.server.tables.lobby import new_table
from kibitz.server.tables.rows import Created
from tests.tiny import GAME as TINY

SECRET = "the secret of whoever hosts"
PATIENT = Limits(messages=10_000, chats=10_000, renames=10_000, openings=10_000, address_guests=10_000)


def table_by_command(guest: Guest, command: Create) -> Created:
    """A new table whose secret follows from the command's name."""
    secret = hashlib.sha256(command.id.encode()).digest()
    commitment = hashlib.sha256(secret).hexdigest()
    created = new_table(guest, command)
    return msgspec.structs.replace(created, secret=secret.hex(), commitment=commitment)


def bot_without_chance(level: str, game: Game, seconds: float) -> Bot:
    """A bot that does the same whenever it sees the same."""
    return bot(level, game, seed=1, seconds=seconds)


def run(data: Path, page: Path = PAGE) -> None:
    """Serve on a free port."""
    kibitz.register(TINY)
    lobby.new_table = table_by_command
    commands.NUDGE_SECONDS = commands.IDLE_SECONDS = 0.0  # the page still waits, by a clock that tests set
    listening = listen("127.0.0.1", 0)
    port = listening.getsockname()[1]
    parts = Parts(
        store=SqliteStore(data),
        bus=LocalBus(),
        readiness=Readiness(kibitz.games(), compile=lambda games, report: None),
        bots=LiveBots(bot_without_chance),
        host=Host(local=True, url=f"http://127.0.0.1:{port}"),
        page=page,
        limits=PATIENT,
        secret=SECRET,
    )
    print(port, flush=True)
    server(create_app(parts)).run(sockets=[listening])


if __name__ == "__main__":
    run(*map(Path, sys.argv[1:]))
