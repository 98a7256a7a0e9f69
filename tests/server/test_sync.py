"""Sync before acknowledge, seen in the system calls. [P1]

Of each acknowledged command the server must have written the row to the file and synced that file before the
answer left through a socket. `kill -9` can't tell: what the system has taken survives the process.
"""

import asyncio
import re
import shutil
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from tests.server.load import UNLIMITED, load
from tests.server.serving import ROOT

ACKNOWLEDGED = 500
MUTANT_ACKNOWLEDGED = 20
STRACE = shutil.which("strace")

pytestmark = pytest.mark.skipif(
    STRACE is None,
    reason="STRACE IS MISSING: nothing says that moves are synced before they are acknowledged",
)

SENDING = ("sendto", "sendmsg", "write", "writev")  # asyncio's own loop, and uvloop
CALL = re.compile(r"^(\d+) +(?:<\.\.\. )?(\w+)(?:\((\d+)| resumed>)")
COMMAND = r"[0-9a-f]{16}/\d+\."  # as `fresh_id` makes them
ANSWER = re.compile(rf'\{{\\"type\\":\\"done\\",\\"id\\":\\"({COMMAND})\\"')


def unsynced(trace: str) -> tuple[int, list[str]]:
    """How many commands were acknowledged, and which of them before a sync of the file that holds them."""
    written: dict[str, set[str]] = {}  # a file: commands written to it since its last sync
    synced: set[str] = set()
    pending: dict[str, tuple[str, set[str]]] = {}  # a thread in a sync: the file, what it will make safe
    acknowledged: list[str] = []
    early: list[str] = []
    for line in trace.splitlines():
        call = CALL.match(line)
        if call is None:
            continue
        thread, name, file = call.groups()
        if name == "pwrite64" and file is not None:
            written.setdefault(file, set()).update(re.findall(COMMAND, line))
        elif name in ("fdatasync", "fsync"):
            if file is not None:
                pending[thread] = (file, set(written.get(file, ())))
            if line.rstrip().endswith("= 0"):
                done, safe = pending.pop(thread)
                synced |= safe
                written.setdefault(done, set()).difference_update(safe)
        elif name in SENDING and file is not None:
            for command in ANSWER.findall(line):
                acknowledged.append(command)
                if command not in synced:
                    early.append(command)
    return len(acknowledged), early


def traced(folder: Path, moves: int, mutant: str | None = None) -> str:
    """The system calls of a server under load."""
    assert STRACE is not None
    out = folder / "trace.txt"
    settings = {"data": str(folder / "data"), "limits": UNLIMITED, "mutant": mutant}
    calls = f"trace=pwrite64,fdatasync,fsync,{','.join(SENDING)}"
    tracing = [STRACE, "-f", "-s", "9000", "-e", calls, "-o", str(out)]
    serving = [sys.executable, "-m", "tests.server.entry", msgspec.json.encode(settings).decode()]
    with subprocess.Popen([*tracing, *serving], stdout=subprocess.PIPE, cwd=ROOT, text=True) as server:
        assert server.stdout is not None
        told = msgspec.json.decode(server.stdout.readline())
        asyncio.run(load(told["port"], 4, 20.0, "tiny", told["pid"], moves=moves))
        subprocess.run(["kill", str(told["pid"])], check=True)
    return out.read_text(errors="replace")


def test_five_hundred_acknowledged_commands_were_synced_before(tmp_path: Path) -> None:
    acknowledged, early = unsynced(traced(tmp_path, ACKNOWLEDGED))
    assert acknowledged >= ACKNOWLEDGED
    assert early == []


@pytest.mark.parametrize("mutant", ["acknowledge-before-commit", "synchronous-normal", "synchronous-off"])
def test_a_server_that_does_not_sync_first_is_caught(tmp_path: Path, mutant: str) -> None:
    acknowledged, early = unsynced(traced(tmp_path, MUTANT_ACKNOWLEDGED, mutant))
    assert acknowledged >= MUTANT_ACKNOWLEDGED
    assert len(early) > acknowledged / 2
