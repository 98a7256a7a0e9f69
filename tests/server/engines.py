"""The engines that stores and buses are tested on: a real PostgreSQL, a real NATS."""

import shutil
from collections.abc import Iterator
from itertools import count

import pytest

from scripts.engines import QUICK, Postgres, Program, engine_folder, free_port, here, nats

needs_postgres = pytest.mark.skipif(not here("initdb", "pg_ctl"), reason="PostgreSQL is NOT here")
needs_nats = pytest.mark.skipif(not here("nats-server"), reason="nats-server is NOT here")

_names = count(1)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A server for all tests that need one; it doesn't wait for the disk."""
    folder = engine_folder()
    server = Postgres(folder / "data", free_port(), QUICK)
    server.make()
    server.start()
    yield server
    server.stop("immediate")
    shutil.rmtree(folder)


@pytest.fixture
def database(postgres: Postgres) -> str:
    """The address of a new, empty database."""
    return new_database(postgres)


def new_database(server: Postgres) -> str:
    """The address of a new, empty database."""
    name = f"kibitz_{next(_names)}"
    server.psql(f"CREATE DATABASE {name}")
    return server.database(name)


@pytest.fixture(scope="session")
def nats_server() -> Iterator[Program]:
    """A NATS server for all tests."""
    folder = engine_folder()
    server = nats(folder, free_port())
    server.start()
    yield server
    server.stop()
    shutil.rmtree(folder)
