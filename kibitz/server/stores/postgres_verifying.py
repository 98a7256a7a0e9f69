"""`kibitz verify-store --store`: every log in PostgreSQL, looked at without changing anything."""

from typing import Any

from kibitz.core.errors import KibitzError
from kibitz.core.extras import needing
from kibitz.server.settings import shown
from kibitz.server.stores import postgres_schema as schema
from kibitz.server.stores.postgres import ROWS
from kibitz.server.stores.postgres_opening import in_words, settings_of
from kibitz.server.stores.store import Row
from kibitz.server.stores.verifying import Account, Advance, Check, broken_table

with needing("postgres"):
    import psycopg
    from psycopg import errors

META = "SELECT convert_from(value, 'UTF8')::int FROM meta WHERE key = 'serves'"
ORPHANS = "SELECT DISTINCT log FROM rows WHERE NOT EXISTS (SELECT FROM tables WHERE tables.log = rows.log)"


def verify_database(address: str, advance: Advance) -> Account:
    """Look at every log in a database; nodes may be using it."""
    account = Account(shown(address))
    with in_words(address), psycopg.connect(**settings_of(address)) as connection:
        connection.read_only = True
        try:
            (serves,) = connection.execute(META).fetchone() or (0,)
        except errors.UndefinedTable as error:
            raise KibitzError(
                "no-store", f"There is no store of Kibitz in {account.file}. kibitz prepare-store makes one."
            ) from error
        newer = [f"it needs version {serves} of its schema, here {schema.VERSION}"]
        account.checks.append(Check("version", newer if serves > schema.VERSION else []))
        account.checks.append(Check("tables", _broken_tables(connection, account, advance)))
    return account


def _broken_tables(connection: "psycopg.Connection[Any]", account: Account, advance: Advance) -> list[str]:
    tables = connection.execute("SELECT log, expired, standing FROM tables ORDER BY log").fetchall()
    problems: list[str] = []
    for done, (id, expired, standing) in enumerate(tables):
        advance(done, len(tables))
        rows = [Row(*values) for values in connection.execute(ROWS, (id,)).fetchall()]
        problems += broken_table(account, id, expired, standing, rows)
    problems += [f"{id}: its table is not known" for (id,) in connection.execute(ORPHANS).fetchall()]
    account.guests = (connection.execute("SELECT count(*) FROM guests").fetchone() or (0,))[0]
    return problems
