"""Old tables expire."""

import asyncio
import logging
import time

from kibitz.server.stores.store import Store
from kibitz.server.tables.live_tables import LiveTables

log = logging.getLogger("kibitz.expiry")

DAY = 86400.0
UNBEGUN_DAYS, OTHER_DAYS = 7, 90  # after the last row
EVERY_SECONDS = 3600.0


async def expire_old(store: Store, tables: LiveTables) -> list[str]:
    """Delete the tables at which nothing has happened for long; returns which."""
    now = time.time()
    return await store.expire(now - UNBEGUN_DAYS * DAY, now - OTHER_DAYS * DAY, tables.ids)


async def keep_expiring(store: Store, tables: LiveTables) -> None:
    """Do so now and every hour."""
    while True:
        try:
            if gone := await expire_old(store, tables):
                log.info("%d tables have expired", len(gone))
        except Exception:
            log.exception("old tables could not be deleted")
        await asyncio.sleep(EVERY_SECONDS)
