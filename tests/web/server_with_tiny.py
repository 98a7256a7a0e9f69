"""A real server for the browser: every game, the tiny one too, and the built page.

`python -m tests.web.server_with_tiny DATA [PAGE]` serves until it is ended; its first line is the port.
"""

import sys
from pathlib import Path

import kibitz
from kibitz.server.app import Parts, create_app
from kibitz.server.bus import LocalBus
from kibitz.server.limits import Limits
from kibitz.server.live_bots import LiveBots
from kibitz.server.pages import PAGE, Host
from kibitz.server.readiness import Readiness
from kibitz.server.serve import listen, server
from kibitz.server.sqlite import SqliteStore
from tests.tiny import GAME as TINY

PATIENT = Limits(messages=10_000, chats=10_000, renames=10_000, address_guests=10_000)


def run(data: Path, page: Path = PAGE) -> None:
    """Serve on a free port."""
    kibitz.register(TINY)
    listening = listen("127.0.0.1", 0)
    port = listening.getsockname()[1]
    parts = Parts(
        store=SqliteStore(data),
        bus=LocalBus(),
        readiness=Readiness(kibitz.games(), compile=lambda games, report: None),
        bots=LiveBots(),
        host=Host(local=True, url=f"http://127.0.0.1:{port}"),
        page=page,
        limits=PATIENT,
    )
    print(port, flush=True)
    server(create_app(parts)).run(sockets=[listening])


if __name__ == "__main__":
    run(*map(Path, sys.argv[1:]))
