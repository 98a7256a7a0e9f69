"""A Kibitz server to measure: `python -m bench.kibitz_server FOLDER [GAME]...`; it prints its port.

It is the usual one, but lets one client do what usually many do: all the counting that keeps clients within
limits is done, the limits are out of reach.
"""

import json
import os
import sys
from pathlib import Path

import kibitz
from kibitz.server.addressed import open_bus, open_store
from kibitz.server.app import Parts, create_app
from kibitz.server.limits import Limits
from kibitz.server.live_bots import LiveBots
from kibitz.server.net.pages import Host
from kibitz.server.readiness import Readiness
from kibitz.server.serve import listen, server

ROOMY = Limits(
    messages=10**9,
    guest_connections=10**6,
    open_tables=10**6,
    openings=10**9,
    watched=10**6,
    watches=10**9,
    address_watches=10**9,
    drawings=10**6,
    chats=10**6,
    sockets=10**6,
)


def main() -> None:
    folder, *games = sys.argv[1:]
    listening = listen("127.0.0.1", 0)
    port = listening.getsockname()[1]
    address = os.environ.get("KIBITZ_STORE")  # a node at that database
    store = open_store(address, Path(folder))
    parts = Parts(
        store=store,
        bus=open_bus(os.environ.get("KIBITZ_BUS"), address, store.key),
        readiness=Readiness(games or kibitz.games()),
        bots=LiveBots(),
        host=Host(local=True, url=f"http://127.0.0.1:{port}"),
        limits=ROOMY,
    )
    print(json.dumps({"port": port}), flush=True)
    server(create_app(parts)).run(sockets=[listening])


if __name__ == "__main__":
    main()
