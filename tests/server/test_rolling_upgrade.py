"""Two neighbouring versions serve one store: the wheel of an earlier commit runs beside what is here."""

import io
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from scripts.engines import free_port, wait_until
from tests.server.client import Client, connected, fetch
from tests.server.conftest import ROOMY, Start
from tests.server.engines import needs_postgres
from tests.server.serving import ROOT, in_loop

pytest.importorskip("psycopg")
pytestmark = needs_postgres

EARLIER = "73d7a8bc946a"  # the last with schema 1 of PostgreSQL's store
HOST = "0123456789abcdef"
PARTS = ("kibitz", "pyproject.toml", "hatch_build.py", "README.md", "LICENSE", "CHANGELOG.md")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of the earlier commit, unpacked; its page is only a mark, for no browser comes."""
    folder = tmp_path_factory.mktemp("earlier")
    archive = subprocess.run(["git", "archive", EARLIER, *PARTS], cwd=ROOT, capture_output=True)
    if archive.returncode:
        pytest.skip(f"The history with commit {EARLIER} is NOT here: the rolling upgrade is NOT tried")
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as packed:
        packed.extractall(folder, filter="data")
    page = folder / "kibitz" / "server" / "page"
    page.mkdir()
    (page / ".sources").write_text("none")
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel"], cwd=folder, check=True)
    (made,) = (folder / "dist").glob("*.whl")
    unpacked = folder / "unpacked"
    zipfile.ZipFile(made).extractall(unpacked)
    shutil.rmtree(folder / "kibitz")
    return unpacked


class Earlier:
    """A node of the earlier version; its rules aren't compiled, which would take longer than all else."""

    def __init__(self, wheel: Path, database: str, said: Path) -> None:
        self.port = free_port()
        command = [sys.executable, "-m", "kibitz", "serve", "--no-browser", "--port", str(self.port)]
        settings = {
            "PYTHONPATH": str(wheel),
            "NUMBA_DISABLE_JIT": "1",
            "KIBITZ_STORE": database,
            "KIBITZ_DRAIN_SECONDS": "0.5",
        }
        with said.open("wb") as output:
            self.process = subprocess.Popen(
                command, cwd=wheel, env=os.environ | settings, stdout=output, stderr=output
            )

    def stop(self) -> None:
        """As in a rolling upgrade."""
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(30)


@pytest.fixture
def earlier(wheel: Path, database: str, tmp_path: Path) -> Iterator[Earlier]:
    """It is there first, and makes the store."""
    node = Earlier(wheel, database, tmp_path / "said.txt")
    said = tmp_path / "said.txt"
    wait_until(lambda: "Kibitz is at" in said.read_text() or node.process.poll(), "the earlier node", 120)
    yield node
    if node.process.poll() is None:
        node.process.kill()
        node.process.wait()


async def play_on(table: str, *players: Client, moves: int) -> None:
    """Whoever is in turn moves, wherever connected."""
    made = 0
    while made < moves:
        for player in players:
            now = await player.watch(table)
            assert not now["result"]
            if now["legal"]:
                await player.do("move", table=table, number=now["number"], move=now["legal"][0])
                made += 1


@in_loop
async def test_two_versions_serve_one_store_while_one_takes_over(
    start: Start, earlier: Earlier, database: str
) -> None:
    now = start(store=database, games=("match",), limits=ROOMY, host_secret=HOST)
    async with connected(earlier.port) as ann, connected(now.port) as bob:
        table = await ann.create("me", "open", game="match")
        await bob.do("sit", table=table)
        await play_on(table, ann, bob, moves=4)
        newer = await bob.create("me", "open", game="match", start="host")
        for asks, what in ((ann, "sit"), (ann, "ready"), (bob, "start")):
            await asks.do(what, table=newer)
        await play_on(newer, ann, bob, moves=4)

        closing = msgspec.json.encode({"table": newer})
        await fetch(now.port, "/host/close", closing, {"Authorization": f"Bearer {HOST}"})
        assert await ann.code("chat", table=newer, text="hello") == "table-newer", "it guesses"
        await ann.do("chat", table=table, text="this one goes on")

        earlier.stop()
        token = ann.welcome["token"]
    async with connected(now.port, token) as ann, connected(now.port, bob.welcome["token"]) as bob:
        await play_on(table, ann, bob, moves=4)
