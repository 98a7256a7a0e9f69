"""`kibitz serve`: where it listens, what it says, how it ends."""

import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.request import urlopen

import pytest

from kibitz.core.errors import KibitzError
from kibitz.server.serve import has_browser, lan_address, listen, reachable, tried_ports
from kibitz.server.settings import HostSettings
from tests.server.serving import ROOT


def test_a_taken_port_is_passed_over() -> None:
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with listen("127.0.0.1", port) as other:
            assert port < other.getsockname()[1] < port + 20


def test_the_port_of_a_node_is_never_another() -> None:
    """Its balancer would not find it there."""
    assert tried_ports(HostSettings(store="postgresql://x/y")) == 1
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(KibitzError, match=f"can't have port {port} at 127.0.0.1: Address already in use"):
            listen("127.0.0.1", port, tried=1)


@pytest.mark.parametrize("host", ["192.0.2.1", "no-such-name.invalid"])
def test_an_address_that_is_not_ours_is_refused_clearly(host: str) -> None:
    with pytest.raises(KibitzError, match=f"can't listen at '{host}'"):
        listen(host, 8000)


def test_how_it_is_reached() -> None:
    assert reachable("127.0.0.1", 8000, None).local
    assert not reachable("127.0.0.1", 8000, "https://games.example/").local
    assert reachable("127.0.0.1", 8000, "https://games.example/").url == "https://games.example"
    everywhere = reachable("0.0.0.0", 8001, None)
    assert everywhere.url == f"http://{lan_address()}:8001"
    socket.inet_aton(lan_address())


@pytest.mark.parametrize("variable", ["CI", "SSH_CONNECTION"])
def test_no_browser_where_nobody_sits(monkeypatch: pytest.MonkeyPatch, variable: str) -> None:
    monkeypatch.setenv(variable, "1")
    assert not has_browser()


def test_it_serves_says_where_and_ends_when_asked(tmp_path: Path) -> None:
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        command = [
            sys.executable,
            "-m",
            "kibitz",
            "serve",
            "--port",
            str(port),
            "--data",
            str(tmp_path / "data"),
        ]
        with subprocess.Popen(
            [*command, "--no-browser"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT, text=True
        ) as server:
            assert server.stdout is not None
            said = [server.stdout.readline() for _ in range(4)]
            assert f"Port {port} is taken" in said[0]
            found = re.search(r"http://127\.0\.0\.1:(\d+)/", said[1])
            assert found is not None
            assert "Only this machine" in said[2]
            assert str(tmp_path / "data") in said[3]
            assert _answers(f"http://127.0.0.1:{found[1]}/healthz")
            second = subprocess.run(
                [*command, "--no-browser"], capture_output=True, cwd=ROOT, text=True, check=False, timeout=60
            )
            assert second.returncode == 1
            assert "Another Kibitz server is using" in second.stderr
            assert "Traceback" not in second.stderr
            server.send_signal(signal.SIGINT)  # Ctrl-C
            _, complaints = server.communicate(timeout=30)
            assert (server.returncode, complaints) == (0, "")
            assert not list((tmp_path / "data").glob("*-wal")), "all is in the one file"


def _answers(address: str) -> bool:
    for _ in range(100):
        try:
            with urlopen(address) as response:
                return bool(response.status == 200)
        except OSError:
            time.sleep(0.1)
    return False
