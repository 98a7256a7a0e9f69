"""Which store and which bus a node has, by the addresses it was given."""

import asyncio
from pathlib import Path

from kibitz.core.errors import KibitzError
from kibitz.server.nodes.bus import Bus, LocalBus
from kibitz.server.settings import shown
from kibitz.server.stores.sqlite import SqliteStore
from kibitz.server.stores.store import Store

POSTGRES = ("postgresql://", "postgres://")
NATS = ("nats://", "tls://", "ws://", "wss://")


def open_store(address: str | None, folder: Path) -> Store:
    """The store at an address, or the SQLite file in a folder."""
    if address is None:
        return SqliteStore(folder)
    if not address.startswith(POSTGRES):
        raise KibitzError(
            "bad-store", f"{shown(address)} is no address of a store; one begins with postgresql://"
        )
    from kibitz.server.stores.postgres import PostgresStore

    return PostgresStore(address)


def open_bus(address: str | None, store_address: str | None, key: bytes) -> Bus:
    """The bus at an address; without one nodes talk over the store they share."""
    if address is not None:
        require_nats(address)
        from kibitz.server.nodes.nats_bus import NatsBus

        return NatsBus(address, key)
    if store_address is not None:
        from kibitz.server.nodes.postgres_bus import PostgresBus

        return PostgresBus(store_address)
    return LocalBus()


def require_nats(address: str) -> None:
    """Refuse what can't be an address of NATS."""
    if not all(one.startswith(NATS) for one in address.split(",")):
        raise KibitzError("bad-bus", f"{shown(address)} is no address of a bus; one begins with nats://")


def check_bus(address: str) -> None:
    """Raise if nobody answers there."""
    require_nats(address)
    from kibitz.server.nodes.nats_bus import check

    asyncio.run(check(address))
