"""`make cluster`: all of a house on one machine, started and stopped by one word each."""

import os
import shutil
import signal
import socket
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest

from scripts.cluster import Cluster, start_or_stop
from scripts.engines import answers, here
from tests.server.engines import needs_nats, needs_postgres

pytest.importorskip("psycopg")
pytestmark = [
    needs_postgres,
    needs_nats,
    pytest.mark.skipif(not here("haproxy"), reason="HAProxy is NOT here"),
]
SPAN = 12  # ports of a house


def free_ports() -> int:
    """The first of so many ports in a row that nobody uses."""
    for port in range(20_000, 30_000, SPAN):
        with socket.socket() as probe:
            if not any(probe.connect_ex(("127.0.0.1", port + place)) == 0 for place in range(SPAN)):
                return port
    raise AssertionError("no ports are free")


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    """A house with one node, in an empty folder."""
    house = Cluster(tmp_path, free_ports(), nodes=1)
    yield house
    house.stop()
    shutil.rmtree(house.postgres_folder, ignore_errors=True)


def test_one_word_starts_a_house_and_another_stops_it(
    cluster: Cluster, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, port = cluster.folder, cluster.port
    start_or_stop("start", port, folder, nodes=1)
    told = capsys.readouterr().out.splitlines()
    assert [line.partition("  ")[0] for line in told[:4]] == ["PostgreSQL", "NATS", "node 1", "HAProxy"]
    with urlopen(f"http://127.0.0.1:{port}/readyz") as answer:
        assert answer.status == 200

    running = [cluster.pid(name) for name in cluster.programs]
    assert all(running)
    start_or_stop("start", None, folder, nodes=1)  # it knows its port, and all of it is there
    assert [cluster.pid(name) for name in cluster.programs] == running
    with pytest.raises(SystemExit, match=f"It runs at port {port}"):
        start_or_stop("start", port + SPAN, folder, nodes=1)

    start_or_stop("stop", None, folder, nodes=1)
    assert not cluster.runs
    assert not any(answers(port + place) for place in range(SPAN))


def test_a_program_is_only_ended_if_it_is_ours(tmp_path: Path) -> None:
    """Numbers of processes come again: after a restart of the machine it may be anybody's."""
    (tmp_path / "nats.pid").write_text("1 12345")
    assert Cluster(tmp_path, 1, nodes=1).pid("nats") is None


def test_a_program_that_does_not_hear_is_killed(tmp_path: Path) -> None:
    cluster = Cluster(tmp_path, free_ports(), nodes=1)
    cluster.start_nats()
    pid = cluster.pid("nats")
    assert pid is not None
    os.kill(pid, signal.SIGSTOP)
    cluster.end("nats", seconds=0.2)
    assert not cluster.runs


def test_a_port_that_is_taken_is_told(tmp_path: Path) -> None:
    cluster = Cluster(tmp_path, free_ports(), nodes=1)
    with socket.socket() as other:
        other.bind(("127.0.0.1", cluster.nats_port))
        other.listen()
        with pytest.raises(SystemExit, match=f"Port {cluster.nats_port} is taken"):
            cluster.start_nats()
