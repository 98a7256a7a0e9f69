"""Where and with what a run was made. Names of hosts, people and folders stay out."""

import os
import platform
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PACKAGES = ("kibitz", "numba", "numpy", "open_spiel", "rlcard", "uvicorn", "websockets")


def facts(command: str) -> dict[str, str]:
    """What a reader needs to judge the numbers by."""
    return {
        "command": command,
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "processor": f"{processor()}, {os.cpu_count()} cores, one used (a server and its client: one each)",
        "busy with other work": f"load average {os.getloadavg()[0]:.1f} at the start",
        "system": f"{platform.system()} {platform.machine()}",
        "Python": f"{platform.python_implementation()} {platform.python_version()}",
        **{package: installed for package in PACKAGES if (installed := version_of(package))},
    }


def processor() -> str:
    """The processor's name, if the system tells."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    for line in lines:
        name, _, value = line.partition(":")
        if name.strip() == "model name":
            return value.strip()
    return platform.processor() or platform.machine()


def version_of(package: str) -> str | None:
    """A package's version; None if it isn't installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None
