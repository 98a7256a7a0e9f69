"""Install programs that tests need and Python can't bring: `system_packages.py "nginx|caddy" strace`.

Of programs with a bar between them any will do, and the first is installed if there is none.
Where this isn't allowed, it says which command would do it and goes on: the tests that need the program are
then skipped, and say so.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path


def main(programs: list[str]) -> None:
    """Install what is missing, or say how."""
    wanted = [program.split("|") for program in programs]
    missing = [first for first, *others in wanted if not any(map(is_here, (first, *others)))]
    if missing and not (may_install() and installed(missing)):
        print(f"*** Not here: {', '.join(missing)}. Tests that need them are SKIPPED. Debian, Ubuntu: ***")
        print(f"***   sudo apt-get install {' '.join(missing)}", flush=True)


def is_here(program: str) -> bool:
    """Whether a program can be found; Debian keeps PostgreSQL's in a folder a version."""
    beside = [*Path("/usr/lib").glob(f"{program}/*/bin/postgres"), Path("/usr/sbin", program)]
    return shutil.which(program) is not None or any(path.exists() for path in beside)


def may_install() -> bool:
    """Whether this is root's on a system with Debian's packages."""
    return os.geteuid() == 0 and shutil.which("apt-get") is not None


def installed(programs: list[str]) -> bool:
    """Install them; returns whether that went well."""
    print(f"Installing {' and '.join(programs)}", flush=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    steps = (["update", "--quiet"], ["install", "--yes", "--no-install-recommends", *programs])
    return all(
        subprocess.run(["apt-get", *step], env=environment, stdout=subprocess.DEVNULL).returncode == 0
        for step in steps
    )


if __name__ == "__main__":
    main(sys.argv[1:])
