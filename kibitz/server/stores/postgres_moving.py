"""A PostgreSQL store that is read or filled by `kibitz move-store`, apart from any server."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from kibitz.core.errors import KibitzError
from kibitz.core.extras import needing
from kibitz.server.settings import shown
from kibitz.server.stores.moving import OWN, Values
from kibitz.server.stores.postgres_opening import LOCK, open_store, settings_of, sql

with needing("postgres"):
    import psycopg
    from psycopg.rows import dict_row

NODES = """
SELECT count(*) AS count FROM pg_stat_activity
WHERE application_name = 'kibitz' AND datname = current_database()
"""
RELATIONS = """
SELECT table_name AS relation, column_name AS name, data_type AS type FROM information_schema.columns
JOIN information_schema.tables USING (table_schema, table_name)
WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'
AND table_name NOT IN (SELECT relname FROM pg_class WHERE relispartition)
ORDER BY table_name, ordinal_position
"""


class PostgresEngine:
    """A database of PostgreSQL."""

    def __init__(self, address: str) -> None:
        self.name = shown(address)
        self._key = open_store(address)
        settings = settings_of(address) | {"application_name": "kibitz-move"}
        self._connection: psycopg.Connection[Any] = psycopg.connect(
            **settings, autocommit=True, row_factory=dict_row
        )

    def __enter__(self) -> "PostgresEngine":
        """A node that is started from here on waits for us, and then gives up."""
        self._read(f"SELECT pg_advisory_lock({LOCK})")
        if self._read(NODES)[0]["count"]:
            self._connection.close()
            raise KibitzError("store-in-use", f"A node is using {self.name}. Stop all nodes first.")
        return self

    def __exit__(self, *error: object) -> None:
        self._connection.close()

    def relations(self) -> dict[str, list[str]]:
        """What it keeps."""
        found: dict[str, list[str]] = {}
        for column in self._read(RELATIONS):
            if column["relation"] not in OWN:
                found.setdefault(column["relation"], []).append(column["name"])
        return found

    def key(self) -> bytes:
        """Its own key."""
        return self._key

    def take_key(self, key: bytes) -> None:
        """Have this key from now on."""
        self._connection.execute("UPDATE meta SET value = %s WHERE key = 'key'", (key,))
        self._key = key

    def read(self, relation: str, log: str | None = None) -> list[Values]:
        """All of a relation, or what belongs to one log."""
        order = {"tables": "created, log", "rows": "number"}.get(relation, "1")
        where = "" if log is None else "WHERE log = %s"
        return self._read(
            f"SELECT * FROM {relation} {where} ORDER BY {order}", *([] if log is None else [log])
        )

    def _read(self, query: str, *values: Any) -> list[Values]:
        return self._connection.execute(sql(query), values).fetchall()

    def add(self, relation: str, values: Sequence[Values]) -> None:
        """Add all of these that aren't there."""
        if not values:
            return
        names = list(values[0])
        marks = ", ".join(["%s"] * len(names))
        query = f"INSERT INTO {relation} ({', '.join(names)}) VALUES ({marks}) ON CONFLICT DO NOTHING"
        # 0 and 1 elsewhere
        truths = {
            column["name"]
            for column in self._read(RELATIONS)
            if (column["relation"], column["type"]) == (relation, "boolean")
        }
        with self._connection.cursor() as cursor:
            cursor.executemany(
                sql(query),
                [[bool(each[name]) if name in truths else each[name] for name in names] for each in values],
            )

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing."""
        with self._connection.transaction():
            yield
