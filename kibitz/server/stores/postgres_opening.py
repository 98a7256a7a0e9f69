"""A store in PostgreSQL: reached, found fit, made or brought up to date; or refused in words."""

import logging
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, LiteralString, cast

from kibitz.core.errors import KibitzError
from kibitz.core.extras import needing
from kibitz.server.settings import shown
from kibitz.server.stores import postgres_schema as schema

with needing("postgres"):
    import psycopg
    from psycopg import errors
    from psycopg.conninfo import conninfo_to_dict
    from psycopg.sql import SQL, Identifier

log = logging.getLogger("kibitz.store")

SAFE_COMMITS = ("on", "remote_apply")
LOCK = 0x6B696269747A  # of whoever makes, upgrades or moves a store
LOCK_SECONDS = 10
KEY_BYTES = 32
USUAL = {  # unless the address says otherwise: a dead server is noticed in seconds
    "connect_timeout": "3",
    "keepalives_idle": "5",
    "keepalives_interval": "2",
    "keepalives_count": "3",
    "tcp_user_timeout": "6000",
    "target_session_attrs": "read-write",
    "application_name": "kibitz",
}


def settings_of(address: str) -> dict[str, Any]:
    """How to connect, from an address."""
    if _has_odd_password(address):  # what libpq says of it would tell a part of the password
        raise KibitzError(
            "bad-store",
            f"{shown(address)} is no address of a PostgreSQL store: write / and @ of a password as %2F and "
            "%40, or give it in PGPASSWORD.",
        )
    try:
        return {**USUAL, **conninfo_to_dict(address)}
    except psycopg.ProgrammingError as error:
        raise KibitzError(
            "bad-store", f"{shown(address)} is no address of a PostgreSQL store: {_line(error)}."
        ) from error


def _has_odd_password(address: str) -> bool:
    """Whether a password seems to hold a character that divides addresses."""
    where = address.partition("://")[2].partition("?")[0]
    name, _, folder = where.partition("/")
    return "@" in folder or name.count("@") > 1


def sql(text: str) -> LiteralString:
    """SQL put together from this program's own parts alone, which psycopg wants to be told."""
    return text


def open_store(address: str, partitions: int = 0) -> bytes:
    """Make the store or bring it up to date, if need be; returns its key."""
    with in_words(address), psycopg.connect(**settings_of(address), autocommit=True) as connection:
        _require_writable(connection, address)
        _require_synced(connection)
        with connection.transaction():
            connection.execute(sql(f"SET LOCAL lock_timeout = '{LOCK_SECONDS}s'"))
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
            return _prepared(connection, partitions)


def grant(address: str, user: str) -> None:
    """Let another user serve this store, who may not change its tables."""
    with in_words(address), psycopg.connect(**settings_of(address), autocommit=True) as connection:
        (here,) = _one(connection, "SELECT current_schema()")
        rights = SQL("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA {} TO {}")
        connection.execute(rights.format(Identifier(here), Identifier(user)))


def _require_writable(connection: "psycopg.Connection[Any]", address: str) -> None:
    replica, read_only = _one(
        connection, "SELECT pg_is_in_recovery(), current_setting('transaction_read_only') = 'on'"
    )
    if replica or read_only:
        raise _read_only(address)


def _read_only(address: str) -> KibitzError:
    return KibitzError(
        "read-only-store",
        f"The server at {shown(address)} is a read-only replica. Name the primary, or all servers: "
        "postgresql://a,b/kibitz?target_session_attrs=read-write",
    )


def _require_synced(connection: "psycopg.Connection[Any]") -> None:
    """What is acknowledged has to be on disk."""
    commit, fsync = _one(connection, "SELECT current_setting('synchronous_commit'), current_setting('fsync')")
    if commit not in SAFE_COMMITS:
        raise KibitzError(
            "unsafe-store",
            f"PostgreSQL is set to synchronous_commit = {commit}: it would lose moves that players were told "
            "are kept. Say: ALTER DATABASE … SET synchronous_commit = on",
        )
    if fsync != "on":
        log.warning("PostgreSQL runs with fsync = off: a power loss can destroy the whole store")


def _prepared(connection: "psycopg.Connection[Any]", partitions: int) -> bytes:
    if _one(connection, "SELECT to_regclass('meta') IS NULL")[0]:
        return _made(connection, partitions)
    known: dict[str, bytes] = dict(connection.execute("SELECT key, value FROM meta").fetchall())
    if not {"version", "serves", "key"} <= known.keys():
        raise _somebody_elses("table meta says nothing of Kibitz")
    found, serves = int(known["version"]), int(known["serves"])
    if serves > schema.VERSION:
        raise KibitzError(
            "newer-data",
            f"This store was made by a newer Kibitz (its version {found}, here {schema.VERSION}). "
            "Upgrade this one.",
        )
    if found < min(schema.UPGRADES):
        raise KibitzError(
            "older-data",
            f"This store is of version {found}; Kibitz here upgrades those from version "
            f"{min(schema.UPGRADES)} on. Let an earlier Kibitz upgrade it first.",
        )
    if partitions:
        _require_divided(connection, partitions)
    for version in range(found, schema.VERSION):
        connection.execute(sql(schema.UPGRADES[version]))
    if found < schema.VERSION:
        _note_version(connection)
    return known["key"]


def _require_divided(connection: "psycopg.Connection[Any]", partitions: int) -> None:
    (found,) = _one(connection, "SELECT count(*) FROM pg_inherits WHERE inhparent = 'rows'::regclass")
    if found != partitions:
        raise KibitzError(
            "not-empty",
            f"This store has {found or 'no'} partitions, and keeps them. For {partitions} prepare an empty "
            "database, then kibitz move-store FROM TO.",
        )


def _made(connection: "psycopg.Connection[Any]", partitions: int) -> bytes:
    key = secrets.token_bytes(KEY_BYTES)
    try:
        connection.execute(sql(schema.schema(partitions)))
    except (errors.DuplicateTable, errors.DuplicateObject) as error:
        raise _somebody_elses(_line(error)) from error
    connection.execute("INSERT INTO meta VALUES ('key', %s)", (key,))
    _note_version(connection)
    return key


def _somebody_elses(why: str) -> KibitzError:
    return KibitzError(
        "not-empty", f"This database holds something else ({why}). Give Kibitz one of its own: createdb NAME"
    )


def _note_version(connection: "psycopg.Connection[Any]") -> None:
    for key, number in (("version", schema.VERSION), ("serves", schema.SERVES)):
        connection.execute(
            "INSERT INTO meta VALUES (%s, %s) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            (key, str(number).encode()),
        )


def _one(connection: "psycopg.Connection[Any]", query: LiteralString) -> tuple[Any, ...]:
    found = connection.execute(query).fetchone()
    assert found is not None
    return cast(tuple[Any, ...], found)


# What goes wrong


@contextmanager
def in_words(address: str) -> Iterator[None]:
    """What PostgreSQL refuses at the start, said with what to do about it."""
    try:
        yield
    except errors.InsufficientPrivilege as error:
        raise KibitzError(
            "store-forbidden",
            f"The user of {shown(address)} may not make or upgrade Kibitz's tables ({_line(error)}). Let one "
            "who may do it once: kibitz prepare-store ADDRESS --for USER",
        ) from error
    except errors.LockNotAvailable as error:
        raise KibitzError(
            "store-in-use",
            f"Somebody else is making, upgrading or moving the store at {shown(address)}. Try again when "
            "that is done.",
        ) from error
    except psycopg.Error as error:
        raise _refusal(address, error) from error


def _refusal(address: str, error: "psycopg.Error") -> KibitzError:
    told = str(error)
    where = shown(address)
    if "password authentication failed" in told or "no password supplied" in told:
        return KibitzError(
            "store-password",
            f"PostgreSQL at {where} refuses the user or the password. Give the password in PGPASSWORD, in "
            "~/.pgpass, or in the address.",
        )
    if "session is read-only" in told or "read-only" in told:
        return _read_only(address)
    if 'role "' in told and "does not exist" in told:
        return KibitzError(
            "store-user",
            f"PostgreSQL at {where} says: {_line(error)}. Name another in the address, or make it with "
            "createuser.",
        )
    if 'database "' in told and "does not exist" in told:
        return KibitzError("no-store", f"PostgreSQL at {where} says: {_line(error)}. Make it with createdb.")
    if error.sqlstate:
        return KibitzError("store-refuses", f"PostgreSQL at {where} refuses: {_line(error)}.")
    return KibitzError(
        "store-unreachable",
        f"PostgreSQL doesn't answer at {where} ({_line(error)}). Is it running, and is the address right?",
    )


def _line(error: Exception) -> str:
    """The cause, without what libpq puts around it."""
    if isinstance(error, psycopg.Error) and error.diag.message_primary:
        return error.diag.message_primary
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    said = [line for line in lines if not line.endswith("?")] or [type(error).__name__]
    return said[-1].rpartition("failed: ")[2].removeprefix("FATAL:").strip().rstrip(".")
