"""Games on the disk: a running game is kept as a record that `kibitz play --resume` takes up again."""

import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs

from kibitz.core.errors import KibitzError

if TYPE_CHECKING:
    from kibitz.core.record import Record
    from kibitz.core.state import State


def saved_home() -> Path:
    """The folder of games saved without a file's name."""
    return platformdirs.user_data_path("kibitz") / "saved"


def save(record: "Record", file: Path | None = None) -> Path:
    """Write a record into the file, or into a new one in the usual folder; returns where it is."""
    return _write(record, file or _new_file(saved_home(), record.game))


def keep(record: "Record", file: Path | None = None) -> Path:
    """Write a record wherever there is a place for it, so that it isn't lost."""
    for each in (file, None):
        with suppress(KibitzError):
            return save(record, each)
    return save(record, _new_file(Path(tempfile.gettempdir()), record.game))


def _write(record: "Record", file: Path) -> Path:
    """Write it whole or not at all."""
    unfinished = file.with_name(f".{file.name}.part")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        record.save(unfinished)
        unfinished.replace(file)
    except OSError as error:
        reason = f"{file} can't be written: {error.strerror}."
        raise KibitzError("not-saved", reason, {"file": str(file)}) from error
    return file.absolute()


def _new_file(folder: Path, game: str) -> Path:
    stem = f"{game}-{time.strftime('%Y-%m-%d-%H%M%S')}"
    names = (f"{stem}.json", *(f"{stem}-{number}.json" for number in range(2, 1000)))
    return next(folder / name for name in names if not (folder / name).exists())


def load(file: Path) -> "Record":
    """The record in a file; a finished game has nothing to go on with."""
    from kibitz.core.record import Record

    record = Record.load(file)
    if record.result is not None:
        reason = f"This game is over. To look at it: kibitz replay {file}"
        raise KibitzError("over", reason, {"file": str(file)})
    return record


def take_up(record: "Record") -> "State":
    """The state that a record leads to, checked; at least one move can still be made."""
    return record.verify()
