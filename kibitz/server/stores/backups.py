"""`kibitz backup` and `kibitz restore`: a copy of a store's file, made while people play, and put back.

A copy gets its name when it is complete, synced and verified; nothing that is there is ever overwritten.
"""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from kibitz.core.errors import KibitzError
from kibitz.server.settings import shown
from kibitz.server.stores import soundness
from kibitz.server.stores.store_file import FILE, in_words, lock_folder, make_folder, sync, sync_folder, touch
from kibitz.server.stores.verifying import Account, Advance, verify_file, verify_store

PAGES = 1000  # that are copied between two signs of life


def back_up(folder: Path, target: Path, advance: Advance = lambda done, total: None) -> Account:
    """Copy the store of a folder, as it is at one moment, and look at the whole copy; a server may run."""
    _require_new(target, "Choose another name, or move it away.")
    source = folder / FILE
    if not soundness.is_there(source):
        raise KibitzError("no-store", f"There is no store in {folder}: {source} does not exist.")
    if not target.absolute().parent.is_dir():
        raise KibitzError("no-folder", f"There is no folder {target.parent}: make it, or choose another.")
    with in_words(target, "or choose another file"):
        made = _copied(source, target, advance, beside_a_server=True)
        account = verify_file(made, advance)
        _name(made, target)
    account.file = str(target)
    return account


def restore(backup: Path, folder: Path, advance: Advance = lambda done, total: None) -> Account:
    """Put a copy into a folder without a store, if all of it is sound; returns what was found."""
    if not backup.exists():
        raise KibitzError("no-backup", f"{backup} does not exist.")
    target = folder / FILE
    _require_new(target, "Move it away, or choose another folder with --data.")
    account = verify_file(backup, advance)
    if not account.sound:
        return account
    with in_words(target):
        make_folder(folder)
        lock = lock_folder(folder)
        try:
            _name(_copied(backup, target, advance), target)
        finally:
            os.close(lock)
    return verify_store(folder, advance)


def dump_command(address: str, target: Path) -> str:
    """How a store in PostgreSQL is copied and put back: by its own programs."""
    where = shown(address)
    return (
        "PostgreSQL makes its own backups while people play. To copy:\n"
        f"  pg_dump --format=custom --file={target} '{where}'\n"
        "To put back, into an empty database:\n"
        f"  pg_restore --no-owner --dbname='{where}' {target}\n"
        f"  kibitz verify-store --store '{where}'"
    )


def _require_new(target: Path, advice: str) -> None:
    for file in (target, soundness.log_of(target)):
        if file.exists():
            raise KibitzError("file-exists", f"{file} is already there: nothing is overwritten. {advice}")


def _copied(source: Path, target: Path, advance: Advance, beside_a_server: bool = False) -> Path:
    """The file as it is at one moment, under a name of its own; whoever writes meanwhile isn't held up."""
    made = target.with_name(f"{target.name}.new")
    touch(made)
    with soundness.looking(source, beside_a_server) as reading, closing(sqlite3.connect(made)) as copy:
        reading.execute("BEGIN")
        reading.execute("SELECT count(*) FROM sqlite_schema").fetchone()  # from here on it stands still
        reading.backup(copy, pages=PAGES, progress=lambda _, left, total: advance(total - left, total))
    return made


def _name(made: Path, target: Path) -> None:
    sync(made)
    made.rename(target)
    sync_folder(target.parent)
