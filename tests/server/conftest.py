"""Servers for tests."""

import asyncio
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.server.engines import database, nats_server, postgres
from tests.server.power import observed_servers, quick_folder
from tests.server.serving import Server, Zygote

__all__ = ["database", "nats_server", "postgres"]

Start = Callable[..., Server]


def pytest_configure(config: pytest.Config) -> None:
    """Marks of these tests."""
    config.addinivalue_line("markers", "unclean: the server may complain with a traceback")


@pytest.fixture(autouse=True)
def own_loop() -> Iterator[None]:
    """A process that has opened a browser keeps its loop running: tests here may run one of their own."""
    browsers = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    yield
    asyncio._set_running_loop(browsers)


@pytest.fixture(scope="session")
def zygote(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Zygote]:
    """One process that forks all servers of this session."""
    zygote = Zygote(tmp_path_factory.mktemp("zygote") / "errors.txt")
    yield zygote
    zygote.close()


@pytest.fixture
def start(zygote: Zygote, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Start]:
    """Start a server with the settings of `entry`; it is killed after the test."""
    servers: list[Server] = []
    before = len(zygote.errors)

    def begin(**settings: Any) -> Server:
        server = Server(zygote, {"data": str(tmp_path / f"data-{len(servers)}"), **settings})
        servers.append(server)
        server.start()
        return server

    yield begin
    for server in servers:
        server.kill()
    complaints = zygote.errors[before:]
    assert "Traceback" not in complaints or "unclean" in request.keywords, complaints


@pytest.fixture
def server(start: Start) -> Server:
    """A server with the tiny game and the usual limits, but for the rates that tests would exceed."""
    return start(limits=ROOMY)


ROOMY = {
    "messages": 100_000,
    "chats": 1000,
    "wishes": 1000,
    "renames": 1000,
    "watches": 100_000,
    "openings": 100_000,
    "lists": 100_000,
}


@pytest.fixture(scope="session")
def observed() -> Iterator[Zygote]:
    """One process that forks servers whose disk is observed, and can be made small."""
    folder = quick_folder()
    with observed_servers(folder) as zygote:
        yield zygote
    shutil.rmtree(folder)


@pytest.fixture
def folder() -> Iterator[Path]:
    """Room for the disk of such a server."""
    folder = quick_folder()
    yield folder
    shutil.rmtree(folder)
