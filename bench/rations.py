"""A part of a core for a process, so that it is what is scarce; by the system's control groups."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

GROUPS = Path("/sys/fs/cgroup")
RATION, PERIOD = 0.2, 20_000  # of a core; microseconds


class Rations:
    """Control groups of the system, each with so much of a core."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._made: list[Path] = []

    def put(self, pid: int) -> None:
        """Give a process its ration."""
        group = self._root / f"kibitz-bench-{pid}"
        group.mkdir()
        self._made.append(group)
        quota = round(PERIOD * RATION)
        if (group / "cpu.max").exists():
            (group / "cpu.max").write_text(f"{quota} {PERIOD}")
        else:
            (group / "cpu.cfs_period_us").write_text(str(PERIOD))
            (group / "cpu.cfs_quota_us").write_text(str(quota))
        (group / "cgroup.procs").write_text(str(pid))

    def close(self) -> None:
        """Leave nothing behind; the processes have ended."""
        for group in self._made:
            group.rmdir()


@contextmanager
def shared_out() -> Iterator[Rations | None]:
    """Rations of cores, where the system lets us."""
    root = GROUPS / "cpu" if (GROUPS / "cpu").exists() else GROUPS
    if not os.access(root / "cgroup.procs", os.W_OK):
        yield None
        return
    rations = Rations(root)
    try:
        yield rations
    finally:
        rations.close()
