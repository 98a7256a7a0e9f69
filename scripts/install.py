#!/usr/bin/env python3
"""Set Kibitz up in .venv, from the pinned packages in requirements/. `make` runs it before everything else.

    python3 scripts/install.py run      what playing needs
    python3 scripts/install.py dev      and testing
    python3 scripts/install.py docs     and making a site of the documents
    python3 scripts/install.py bench    and measuring

It needs nothing but Python. Syntax and imports are those of Python 3.6 (hence the quoted annotations), so
that an older Python gets far enough to say what is missing.
"""

import argparse
import ast
import contextlib
import fcntl
import hashlib
import importlib.util
import os
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

OLDEST = (3, 11)
NEWER_PYTHONS = ("python3.14", "python3.13", "python3.12", "python3.11")
LEVELS = ("run", "dev", "docs", "bench")

ROOT = Path(__file__).resolve().parent.parent
REQUIREMENTS = ROOT / "requirements"
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
UV = VENV / "bin" / "uv"
LOG = VENV / "install.log"
STAMP = VENV / "kibitz.stamp"  # a fingerprint, then the levels installed, a line each


class SetupError(Exception):
    """What is in the way and what to do about it, in words for the person who typed `make`."""


def main(arguments: "list[str] | None" = None) -> int:
    parser = argparse.ArgumentParser(description="Set Kibitz up in .venv.")
    parser.add_argument("level", choices=LEVELS, nargs="?", default="run")
    level = parser.parse_args(arguments).level
    try:
        python = suitable_python(tuple(sys.version_info[:2]))
        if python != sys.executable:
            return subprocess.call([python, __file__, level])
        set_up(level)
    except SetupError as trouble:
        print(f"\n{trouble}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"\nKibitz could not be set up: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nStopped. The same command starts over.", file=sys.stderr)
        return 130
    return 0


def set_up(level: str) -> None:
    """Install what is missing of a level; most of the time that is nothing."""
    if level in installed_levels():
        return
    check_venv_module()
    with one_at_a_time():
        installed = installed_levels()
        if level not in installed:
            add_level(level, installed)


def add_level(level: str, installed: "set[str]") -> None:
    """A virtual environment with uv in it, the packages, and Kibitz itself."""
    started = time.monotonic()
    print("Setting up Kibitz in .venv", flush=True)
    fresh = not installed
    prepare_folder(VENV, fresh)
    if fresh:
        make_venv()
    install_packages(level)
    if fresh:
        install_kibitz()
    write_stamp(installed | {"run", level})
    print(f"Set up in {time.monotonic() - started:.1f} s", flush=True)


# --- The machine's Python ---


def suitable_python(version: "tuple[int, ...]") -> str:
    """This Python if it is new enough, else a newer one on the PATH."""
    if version >= OLDEST:
        return sys.executable
    for name in NEWER_PYTHONS:
        found = shutil.which(name)
        if found and runs(found):
            return found
    raise SetupError(
        f"Kibitz needs Python {dotted(OLDEST)} or newer. This is Python {dotted(version)},\n"
        f"{sys.executable}, and there is no newer one on the PATH.\n"
        "Install one, for example:\n"
        "    Debian, Ubuntu:  sudo apt install python3.11 python3.11-venv\n"
        "    Fedora, RHEL:    sudo dnf install python3.12\n"
        "    macOS:           brew install python\n"
        "and run the same command again, or say where it is: make play PYTHON=/path/to/python3.12"
    )


def runs(python: str) -> bool:
    """Whether it starts: the PATH may hold stand-ins for Pythons that aren't there (pyenv's shims)."""
    quiet = subprocess.DEVNULL
    return subprocess.call([python, "-c", ""], stdout=quiet, stderr=quiet) == 0


def check_venv_module() -> None:
    """Debian splits Python up: the parts that make virtual environments are a package of their own."""
    if all(importlib.util.find_spec(module) for module in ("venv", "ensurepip")):
        return
    raise SetupError(
        f"This Python ({sys.executable}) can't make virtual environments: a part of it isn't installed.\n"
        "Install it:\n"
        f"    Debian, Ubuntu:  sudo apt install python{dotted(sys.version_info[:2])}-venv\n"
        "and run the same command again."
    )


def dotted(version: "tuple[int, ...]") -> str:
    return ".".join(map(str, version))


# --- What is there already ---


def installed_levels() -> "set[str]":
    """The levels in .venv; none if it is missing, broken or unfinished, or was made from something else."""
    try:
        fingerprint_then, *levels = STAMP.read_text().split()
    except (OSError, ValueError):
        return set()
    return set(levels) if fingerprint_then == fingerprint() and os.access(str(PYTHON), os.X_OK) else set()


def write_stamp(levels: "set[str]") -> None:
    STAMP.write_text("\n".join([fingerprint(), *sorted(levels)]) + "\n")


def fingerprint() -> str:
    """A hash of all that .venv is made from; when it changes, .venv is made anew.

    The folder is a part of it, since scripts in .venv/bin hold its path.
    """
    digest = hashlib.sha256(f"{sys.version}\n{VENV}\n".encode())
    for file in (ROOT / "pyproject.toml", *sorted(REQUIREMENTS.glob("*.txt"))):
        digest.update(file.read_bytes())
    return digest.hexdigest()


# --- The steps ---


@contextlib.contextmanager
def one_at_a_time() -> "Iterator[None]":
    """Hold a lock on the project's folder, so that no two set-ups write into .venv."""
    folder = os.open(str(ROOT), os.O_RDONLY)
    try:
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("Another set-up is under way in this folder; waiting for it.", flush=True)
            fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def prepare_folder(folder: Path, fresh: bool) -> None:
    """The folder exists (emptied if it is to be fresh) and can be written in."""
    try:
        if fresh and folder.exists():
            shutil.rmtree(str(folder))
        folder.mkdir(exist_ok=True)
        (folder / LOG.name).write_text("")
    except OSError as error:
        raise SetupError(
            f"Kibitz sets itself up in {folder}, but can't write there:\n"
            f"    {error}\n"
            "Put the whole Kibitz folder where you may write, such as your home folder, or make it yours:\n"
            f'    sudo chown -R "$USER" "{folder.parent}"\n'
            "and run the same command again."
        ) from None


def make_venv() -> None:
    python = getattr(sys, "_base_executable", sys.executable)  # not .venv's own, should that be active
    if not step("virtual environment", [python, "-m", "venv", str(VENV)]):
        raise SetupError(f"Python could not make a virtual environment in {VENV}.\n{see_log()}")
    step("uv, the installer", pip_install(*pins("uv")))  # should it fail, pip does the rest


def install_packages(level: str) -> None:
    """The pinned packages; by uv, or else by pip, which is slower."""
    if UV.exists() and step("packages", uv_install(*pins(level)), uv_environment()):
        return
    if step("packages, with pip", pip_install(*pins(level))):
        return
    raise SetupError(
        "The packages that Kibitz needs could not be fetched.\n"
        "  - Is this machine online? Only the first set-up downloads anything.\n"
        "  - Behind a proxy or a mirror? Whatever works for pip works here (see: pip config list).\n"
        "  - They come ready-made for Linux (x86-64 and ARM, glibc) and macOS (Apple silicon);\n"
        f"    this is Python {platform.python_version()} on {platform.system()} {platform.machine()}.\n"
        f"Then run the same command again. {see_log()}"
    )


def install_kibitz() -> None:
    """The project as an editable package, built by the pinned build backend: no downloads."""
    what = ["--no-deps", "--no-build-isolation", "--no-index", "--editable", str(ROOT)]
    if UV.exists() and step("kibitz", uv_install(*what)):
        return
    if step("kibitz, with pip", pip_install(*what)):
        return
    raise SetupError(f"The packages are there, but Kibitz itself could not be installed.\n{see_log()}")


def pins(name: str) -> "list[str]":
    """Only files with the hashes written down, and only ready-made ones: nothing is compiled here.

    RLCard, which only the measurements need, is published as plain Python source alone. A file has all that
    its packages need: pip, told to look for it, takes a pin for another thing than what is asked for with an
    extra, as `python-socks[asyncio]`.
    """
    ready_made = ["--only-binary", ":all:", *(["--no-binary", "rlcard"] if name == "bench" else [])]
    return ["--no-deps", "--require-hashes", *ready_made, "-r", str(REQUIREMENTS / f"{name}.txt")]


def pip_install(*what: str) -> "list[str]":
    options = ["--disable-pip-version-check", "--no-input", "--progress-bar", "off", "--retries", "2"]
    return [str(PYTHON), "-m", "pip", "install", *options, *what]


def uv_install(*what: str) -> "list[str]":
    return [str(UV), "pip", "install", "--python", str(PYTHON), *what]


def step(title: str, command: "list[str]", environment: "dict[str, str] | None" = None) -> bool:
    """Run a command with its output in the log; tell how long it takes and whether it succeeded."""
    started = time.monotonic()
    with LOG.open("a") as log:
        print(f"\n$ {' '.join(command)}", file=log, flush=True)
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment, cwd=str(ROOT)
        )
        while process.poll() is None:
            if sys.stdout.isatty():
                show_progress(title, time.monotonic() - started)
            time.sleep(0.1)
    ending = "" if process.returncode == 0 else "  failed"
    print(f"{erase_line()}  {title:<20} {time.monotonic() - started:5.1f} s{ending}", flush=True)
    return process.returncode == 0


def show_progress(title: str, seconds: float) -> None:
    """One line, rewritten as time goes by, that ends in what the step said last."""
    said = LOG.read_text(errors="replace").rpartition("\n$ ")[2].split("\n")[1:]
    newest = next((line.strip() for line in reversed(said) if line.strip()), "")
    text = f"  {title:<20} {seconds:5.1f} s  {newest}"
    print(f"{erase_line()}{text[: shutil.get_terminal_size().columns - 1]}", end="", flush=True)


def erase_line() -> str:
    return "\r\033[K" if sys.stdout.isatty() else ""


def see_log() -> str:
    return f"What pip and uv said is in {LOG}"


# --- Where pip looks, uv looks too ---

PIP_SETTINGS_IN_UV = {
    # pip's setting: (uv's variable, what uv puts between several values)
    "index-url": ("UV_DEFAULT_INDEX", " "),
    "extra-index-url": ("UV_INDEX", " "),
    "find-links": ("UV_FIND_LINKS", ","),
    "no-index": ("UV_NO_INDEX", " "),
    "trusted-host": ("UV_INSECURE_HOST", " "),
    "proxy": ("ALL_PROXY", " "),
    "cert": ("SSL_CERT_FILE", " "),
}


def uv_environment() -> "dict[str, str]":
    """uv reads none of pip's settings: hand them on, so that it works wherever pip does."""
    listing = subprocess.run(
        [str(PYTHON), "-m", "pip", "config", "list"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    # Like pip, take a package from whichever index has it: the hashes say which files are right.
    environment = {"UV_INDEX_STRATEGY": "unsafe-best-match"}
    for setting, value in pip_settings(listing.stdout.decode(errors="replace")).items():
        if setting in PIP_SETTINGS_IN_UV and value:
            variable, separator = PIP_SETTINGS_IN_UV[setting]
            environment[variable] = separator.join(value.split())
    return {**environment, **os.environ}


def pip_settings(listing: str) -> "dict[str, str]":
    """What `pip config list` says, in lines such as global.index-url='address', by pip's own precedence."""
    settings = {}
    for section in ("global.", "install.", ":env:."):
        for line in listing.splitlines():
            key, _, value = line.partition("=")
            if key.startswith(section):
                settings[key[len(section) :]] = str(ast.literal_eval(value))
    return settings


if __name__ == "__main__":
    sys.exit(main())
