"""What long work has found so far, in files: it goes on where it was stopped."""

from pathlib import Path
from typing import IO, Generic, TypeVar

import msgspec

from kibitz.core.errors import BadOptions

Run = TypeVar("Run", bound=msgspec.Struct)
Line = TypeVar("Line", bound=msgspec.Struct)


def path_of(key: str, given: str | Path) -> Path:
    """The path that was given, or BadOptions."""
    try:
        return Path(given)
    except TypeError as error:
        raise BadOptions(key, "a path", given) from error


def write_whole(file: Path, data: bytes) -> None:
    """Write a file, or leave the one there was, whenever it is stopped."""
    unfinished = file.with_name(f"{file.name}.part")
    unfinished.write_bytes(data)
    unfinished.replace(file)


class KeptLines(Generic[Run, Line]):
    """A file whose first line says what was asked; without a path nothing is kept."""

    def __init__(self, path: str | Path | None, run: Run, kind: type[Line]) -> None:
        self.before: list[Line] = []
        self._run, self._kind = run, kind
        self._file: IO[bytes] | None = None
        if path is None:
            return
        try:
            self._open(path_of("file", path))
        except OSError as error:
            expected = f"one that can be read and written ({error.strerror})"
            raise BadOptions("file", expected, str(path)) from error

    def _open(self, path: Path) -> None:
        """Read what is there, and go on behind it."""
        whole = b""
        if path.exists() and (lines := path.read_bytes().splitlines(keepends=True)):
            whole = self._read(path, [line for line in lines if line.endswith(b"\n")])
        self._file = path.open("r+b" if whole else "wb")
        self._file.truncate(len(whole))  # what was being written when it was stopped
        self._file.seek(len(whole))
        if not whole:
            self._write(self._run)

    def _read(self, path: Path, lines: list[bytes]) -> bytes:
        run = self._run
        try:
            found = msgspec.json.decode(lines[0], type=type(run)) if lines else run
            self.before = [msgspec.json.decode(line, type=self._kind) for line in lines[1:]]
        except msgspec.DecodeError as error:
            raise BadOptions(
                "file", "one that this command has made, or a new one", f"{path}: {error}"
            ) from error
        if found != run:
            differ = [name for name in run.__struct_fields__ if getattr(run, name) != getattr(found, name)]
            raise BadOptions(
                "file", f"one of the same {', '.join(differ)}: {path} was played with others", str(path)
            )
        return b"".join(lines)

    def add(self, line: Line) -> None:
        """Keep what was found."""
        self._write(line)

    def _write(self, value: msgspec.Struct) -> None:
        if self._file:
            self._file.write(msgspec.json.encode(value) + b"\n")
            self._file.flush()

    def close(self) -> None:
        """Nothing more is kept."""
        if self._file:
            self._file.close()
