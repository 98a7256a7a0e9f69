"""Real server processes for tests, forked from one that has imported everything."""

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec

import msgspec

from kibitz.server.stores.store import Row, next_row
from kibitz.server.stores.store_file import FILE
from kibitz.server.stores.writing import COLUMNS

ROOT = Path(__file__).parent.parent.parent

P = ParamSpec("P")


def in_loop(test: Callable[P, Awaitable[None]]) -> Callable[P, None]:
    """Run an asynchronous test, in a thread: a browser of other tests may have a loop in this one."""

    @wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        async def main() -> None:
            await test(*args, **kwargs)

        with ThreadPoolExecutor(1) as thread:
            thread.submit(asyncio.run, main()).result()

    return run


class Server:
    """A server process; `kill` is `kill -9`, `start` begins anew on the same folder and port."""

    def __init__(self, zygote: "Zygote", settings: dict[str, Any]) -> None:
        self._zygote = zygote
        self._settings = settings
        self.data = Path(settings["data"])
        self.port = 0
        self.pid = 0

    def start(self) -> None:
        """Begin, on the port it had before if it had one."""
        told = self._zygote.fork(self._settings | {"port": self.port})
        self.port, self.pid = told["port"], told["pid"]

    def kill(self) -> None:
        """End it in the middle of whatever it does."""
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            while Path(f"/proc/{self.pid}").exists():
                time.sleep(0.002)
            self.pid = 0

    def restart(self) -> None:
        """Kill it and begin anew."""
        self.kill()
        self.start()

    @property
    def errors(self) -> str:
        """What it complained about."""
        return self._zygote.errors

    def rows(self, table: str | None = None) -> list[Row]:
        """The rows on disk, of one table or all."""
        sql = f"""
        SELECT id, {COLUMNS} FROM rows JOIN tables USING (log)
        WHERE ?1 IS NULL OR id = ?1 ORDER BY id, number
        """
        return [Row(*values) for values in self.query(sql, table)]

    def change(self, sql: str, *values: Any) -> None:
        """Tamper with the file, while no server runs."""
        connection = sqlite3.connect(self.data / FILE)
        with connection:
            connection.execute(sql, values)
        connection.close()

    def age(self, seconds: float) -> None:
        """Have all that was done done earlier, while no server runs: the tables' logs are written anew."""
        last: Row | None = None
        for row in self.rows():
            told = msgspec.structs.asdict(row) | {"time": row.time - seconds}
            made = ("table", "kind", "actor", "time", "command", "fingerprint", "body")
            follows = last if last is not None and last.table == row.table else None
            last = next_row(follows, **{name: told[name] for name in made})
            sql = """
            UPDATE rows SET time = ?, previous = ?, hash = ?
            WHERE log = (SELECT log FROM tables WHERE id = ?) AND number = ?
            """
            self.change(sql, last.time, last.previous, last.hash, row.table, row.number)
        self.change("UPDATE tables SET due = due - ?", seconds)
        self.change("UPDATE meta SET value = CAST(value AS TEXT) - ? WHERE key = 'alive'", seconds)
        self.change("UPDATE tables SET created = created - ?", seconds)

    def query(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """Ask the file itself."""
        connection = sqlite3.connect(self.data / FILE)
        try:
            return connection.execute(sql, values).fetchall()
        finally:
            connection.close()


class Zygote:
    """The process that forks servers."""

    def __init__(self, complaints: Path, environment: Mapping[str, str] | None = None) -> None:
        self._complaints = complaints
        with complaints.open("wb") as stderr:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.server.entry", "zygote"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                cwd=ROOT,
                env={**os.environ, **(environment or {})},
                text=True,
            )

    @property
    def errors(self) -> str:
        """What its servers complained about."""
        return self._complaints.read_text()

    def fork(self, settings: dict[str, Any]) -> dict[str, int]:
        """Start a server; returns its port and process once it listens."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(msgspec.json.encode(settings).decode() + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, self.errors
        told: dict[str, int] = msgspec.json.decode(line)
        return told

    def close(self) -> None:
        """End it."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()
