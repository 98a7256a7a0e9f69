"""Install programs that tests need and Python can't bring: `system_packages.py chromium strace`.

Where this isn't allowed, it says which command would do it and goes on: the tests that need the program are
then skipped, and say so.
"""

import os
import shutil
import subprocess
import sys


def main(programs: list[str]) -> None:
    """Install what is missing, or say how."""
    missing = [program for program in programs if shutil.which(program) is None]
    if not missing:
        return
    command = ["apt-get", "install", "--yes", "--no-install-recommends", *missing]
    if os.geteuid() == 0 and shutil.which("apt-get"):
        print(f"Installing {' and '.join(missing)}", flush=True)
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for step in (["apt-get", "update", "--quiet"], command):
            if subprocess.run(step, env=environment, stdout=subprocess.DEVNULL).returncode != 0:
                print(f"*** {' '.join(step)} failed; tests that need {' or '.join(missing)} are skipped. ***")
                return
    else:
        print(f"*** Not here: {', '.join(missing)}. Tests that need them are SKIPPED. On Debian or Ubuntu: ***")
        print(f"***   sudo {' '.join(command)}")


if __name__ == "__main__":
    main(sys.argv[1:])
