"""All that is kept about a guest, as JSON for the guest: what `forget-me` would delete, and what stays."""

from typing import Any

import msgspec

from kibitz.server.stores.store import Guest, Store
from kibitz.server.tables.live_tables import whole
from kibitz.server.tables.rows import Said, body_of

TABLES = 1000  # at most, the latest
RESULTS = 10_000
STAYS = (
    "If you delete what is kept about you, the logs of tables at which other people sat keep your moves and, "
    "sealed by their hashes, the name and the lines of then, until they expire 90 days after their last row; "
    "nobody is shown that name or those lines. The results of the others stay, without you."
)


async def kept_about(store: Store, guest: Guest) -> dict[str, Any]:
    """Everything, in plain words."""
    lasting = await store.lasting_guest(guest.id)
    tables = await store.tables_of(guest.id, TABLES)
    return {
        "about": STAYS,
        "guest": guest.id,
        "name": guest.name,
        "language": guest.language,
        "since": guest.created,
        "signs_in_as": None if lasting is None else lasting.login,
        "names": [{"name": name, "time": time} for name, time in await store.renames_of(guest.id)],
        "tables": [
            {"table": one.table, "time": one.time, "standing": msgspec.to_builtins(one.standing)}
            for one in tables
        ],
        "results": [msgspec.to_builtins(one) for one in await store.results(guest.id, RESULTS)],
        "said": [line for one in tables for line in await _said(store, guest.id, one.table)],
        "ratings": [msgspec.to_builtins(one) for one in await store.ratings_of(guest.id)],
    }


async def _said(store: Store, guest: str, table: str) -> list[dict[str, Any]]:
    """What the guest has said at a table."""
    lines = []
    for row in whole(await store.rows(table)):
        if row.kind == "chat" and row.actor == guest:
            said: Said = body_of(row)
            lines.append({"table": table, "time": row.time, "text": said.text or said.preset})
    return lines
