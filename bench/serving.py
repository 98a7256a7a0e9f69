"""Servers to measure: each is a process of its own on a core of its own, for this machine only."""

import json
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.measure import CORES, using

ROOT = Path(__file__).parent.parent
PATIENCE = 300.0  # seconds for a server to compile what it needs
GRACE = 10.0  # seconds for a server to end


class Server:
    """A server's process."""

    def __init__(self, pid: int, port: int) -> None:
        self.pid = pid
        self.port = port

    @property
    def processor_seconds(self) -> float:
        """What all its threads have used so far."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def database_seconds(self) -> float:
        """What the processes of its database have used so far, if it has one."""
        return 0.0

    @property
    def megabytes(self) -> float:
        """How much of it is in memory."""
        pages = int(Path(f"/proc/{self.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6

    @property
    def health(self) -> dict[str, Any]:
        """What a Kibitz server tells of itself."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/healthz", timeout=30) as answer:
            told: dict[str, Any] = json.load(answer)
        return told


def family_seconds(pid: int) -> float:
    """Processor time of a process and its children so far."""
    total = 0
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if pid in (int(folder.name), int(fields[1])):
            total += int(fields[11]) + int(fields[12])
    return total / os.sysconf("SC_CLK_TCK")


@contextmanager
def serving(command: Sequence[str | Path], environment: dict[str, str] | None = None) -> Iterator[Server]:
    """Run a server whose first line of output is `{"port": ...}`; it is ended with the block."""
    with using({min(CORES)}):  # the client, as all of the bench, is on the last
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            env={**os.environ, **(environment or {})},
            cwd=ROOT,
            text=True,
        )
    try:
        assert process.stdout is not None
        yield Server(process.pid, json.loads(process.stdout.readline())["port"])
    finally:
        process.terminate()
        try:
            process.wait(GRACE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextmanager
def kibitz_server(
    data: Path, *games: str, store: str | None = None, bus: str | None = None
) -> Iterator[Server]:
    """A Kibitz server, its tables in a folder or a store, with these games (or all) ready to be played."""
    given = {"KIBITZ_STORE": store, "KIBITZ_BUS": bus}
    environment = {name: value for name, value in given.items() if value}
    with serving([sys.executable, "-m", "bench.kibitz_server", data, *games], environment) as server:
        started = time.monotonic()
        while not all(server.health["games"].values()):
            if time.monotonic() - started > PATIENCE:
                raise TimeoutError("Kibitz's server doesn't get ready.")
            time.sleep(0.1)
        yield server
