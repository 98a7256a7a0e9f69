"""The pins, and the set-up on a machine that has nothing yet."""

import ast
import contextlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from importlib import metadata
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
PINS = sorted((ROOT / "requirements").glob("*.txt"))


def pinned(file: Path) -> dict[str, str]:
    """What a requirements file asks for, one entry a package and marker: everything up to the next one."""
    lines = [line for line in file.read_text().splitlines() if not line.lstrip().startswith("#")]
    entries = re.split(r"\n(?=\S)", "\n".join(lines))
    return dict(entry.split(" \\\n", 1) for entry in entries)


# --- Pins ---


def test_there_are_pins_for_every_level() -> None:
    assert [file.stem for file in PINS] == ["bench", "dev", "docs", "run", "server", "uv"]


@pytest.mark.parametrize("file", PINS, ids=lambda file: file.stem)
def test_every_pin_is_exact_and_has_hashes(file: Path) -> None:
    for name, hashes in pinned(file).items():
        assert re.match(r"[a-z0-9-]+==[0-9][\w.]*( ; .+)?$", name)
        assert re.fullmatch(r"( +--hash=sha256:[0-9a-f]{64}( \\\n)?)+", hashes), name


@pytest.mark.parametrize("file", PINS, ids=lambda file: file.stem)
def test_pins_name_no_host(file: Path) -> None:
    assert not re.search(r"://|^--|\.(org|com|net|io)\b", file.read_text(), re.MULTILINE)


@pytest.mark.parametrize("file", PINS, ids=lambda file: file.stem)
def test_pins_are_all_that_they_need(file: Path) -> None:
    """So that they are installed as they stand: `--no-deps`."""
    names = {entry.partition("==")[0] for entry in pinned(file)}
    for name in names:
        with contextlib.suppress(PackageNotFoundError):  # it is another machine's, or another level's
            asked = [Requirement(text) for text in metadata.requires(name) or ()]
            needed = [one for one in asked if not one.marker or one.marker.evaluate({"extra": ""})]
            assert {canonicalize_name(one.name) for one in needed} <= names, name


def test_every_dependency_is_pinned() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    extras = project["project"]["optional-dependencies"]
    asked = project["project"]["dependencies"] + project["build-system"]["requires"]
    asked += extras["server"] + extras["terminal"]
    names = {re.match(r"[\w-]+", requirement)[0] for requirement in asked}  # type: ignore[index]
    assert names <= {entry.partition("==")[0] for entry in pinned(ROOT / "requirements" / "run.txt")}


def test_all_that_a_server_needs_is_pinned_for_containers() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    extras = project["project"]["optional-dependencies"]
    asked = project["project"]["dependencies"] + project["build-system"]["requires"]
    asked += [one for name in ("server", "postgres", "nats", "metrics") for one in extras[name]]
    names = {re.match(r"[\w-]+", one)[0].replace("_", "-") for one in asked}  # type: ignore[index]
    server, dev = (versions(ROOT / "requirements" / f"{name}.txt") for name in ("server", "dev"))
    assert names <= {entry.partition("==")[0] for entry in server}
    assert server.items() <= dev.items()


@pytest.mark.parametrize("level", ["dev", "bench"])
def test_a_level_holds_the_run_level(level: str) -> None:
    run, more = (versions(ROOT / "requirements" / f"{name}.txt") for name in ("run", level))
    assert run.items() <= more.items()


def versions(file: Path) -> dict[str, str]:
    """Each exact version with its hashes, wherever it is wanted."""
    return {name.partition(" ;")[0]: hashes for name, hashes in pinned(file).items()}


# --- Set-up ---


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of what the set-up reads, in a folder without a .venv."""
    shutil.copytree(ROOT / "requirements", tmp_path / "requirements")
    shutil.copytree(ROOT / "scripts", tmp_path / "scripts")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


@pytest.fixture
def install(checkout: Path) -> Any:
    """The install script of that copy, as a module."""
    spec = importlib.util.spec_from_file_location("install", checkout / "scripts" / "install.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def steps(install: Any, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The titles of the steps taken; each succeeds, and making the environment makes its Python."""
    taken: list[str] = []

    def step(title: str, command: list[str], environment: dict[str, str] | None = None) -> bool:
        taken.append(title)
        if title == "virtual environment":
            install.PYTHON.parent.mkdir()
            install.PYTHON.symlink_to(sys.executable)
            install.UV.touch()
        return True

    monkeypatch.setattr(install, "step", step)
    return taken


def test_the_script_is_syntax_that_an_old_python_reads() -> None:
    script = ast.parse((ROOT / "scripts" / "install.py").read_text(), feature_version=(3, 6))
    for node in ast.walk(script):
        annotation = getattr(node, "annotation", None) or getattr(node, "returns", None)
        assert not isinstance(annotation, ast.Subscript | ast.BinOp), ast.unparse(node)


def test_an_old_python_is_told_what_to_install(install: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(
        install.SetupError, match=r"(?s)needs Python 3\.11 or newer. This is Python 3\.8,.*apt install"
    ):
        install.suitable_python((3, 8))


def test_an_old_python_hands_over_to_a_newer_one(
    install: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    stand_in, newer = tmp_path / "python3.13", tmp_path / "python3.12"
    stand_in.write_text("#!/bin/sh\nexit 127\n")
    newer.write_text("#!/bin/sh\nexit 0\n")
    for file in (stand_in, newer):
        file.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert install.suitable_python((3, 10)) == str(newer)
    assert install.suitable_python((3, 11)) == sys.executable


def test_a_python_without_ensurepip_names_debians_package(
    install: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    present: Callable[[str], Any] = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == "ensurepip" else present(name)
    )
    with pytest.raises(install.SetupError, match=r"apt install python3\.\d+-venv"):
        install.check_venv_module()


def test_a_folder_that_cannot_be_written_is_named(install: Any, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(install.SetupError, match=r"(?s)file/\.venv, but can't write there.*home folder"):
        install.prepare_folder(tmp_path / "file" / ".venv", fresh=True)


def test_without_network_it_says_so(checkout: Path) -> None:
    nowhere = "http://127.0.0.1:9/"
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("PIP_", "UV_"))}
    environment |= {
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_INDEX_URL": nowhere,
        "PIP_CACHE_DIR": str(checkout / "cache"),
    }
    environment |= {"UV_DEFAULT_INDEX": nowhere, "UV_CACHE_DIR": str(checkout / "cache")}
    command = [sys.executable, "scripts/install.py", "run"]
    run = subprocess.run(command, cwd=checkout, env=environment, capture_output=True, text=True, timeout=120)
    assert run.returncode == 1
    assert "Is this machine online?" in run.stderr
    assert "Traceback" not in run.stderr
    assert "127.0.0.1" in (checkout / ".venv" / "install.log").read_text()
    assert str(checkout / ".venv" / "install.log") in run.stderr


def test_the_first_run_takes_every_step_and_the_second_none(install: Any, steps: list[str]) -> None:
    assert install.main(["run"]) == 0
    assert steps == ["virtual environment", "uv, the installer", "packages", "kibitz"]
    steps.clear()
    assert install.main(["run"]) == 0
    assert steps == []


def test_a_further_level_adds_its_packages_only(install: Any, steps: list[str]) -> None:
    install.main(["run"])
    steps.clear()
    install.main(["dev"])
    install.main(["run"])
    install.main(["dev"])
    assert steps == ["packages"]


@pytest.mark.parametrize("file", ["requirements/dev.txt", "pyproject.toml"])
def test_changed_pins_make_the_environment_anew(
    install: Any, steps: list[str], checkout: Path, file: str
) -> None:
    install.main(["run"])
    (checkout / ".venv" / "left-over").touch()
    steps.clear()
    (checkout / file).write_text("# changed\n")
    install.main(["run"])
    assert steps[0] == "virtual environment"
    assert not (checkout / ".venv" / "left-over").exists()


def test_a_broken_environment_is_made_anew(install: Any, steps: list[str]) -> None:
    install.main(["run"])
    steps.clear()
    install.PYTHON.unlink()
    install.PYTHON.symlink_to("/no/such/python")
    install.main(["run"])
    assert steps[0] == "virtual environment"


def test_pip_takes_over_where_uv_fails(install: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []

    def step(title: str, command: list[str], environment: dict[str, str] | None = None) -> bool:
        tried.append(Path(command[0]).name)
        return "pip" in command[:3] and "-m" in command

    install.UV.parent.mkdir(parents=True)
    install.UV.touch()
    monkeypatch.setattr(install, "step", step)
    monkeypatch.setattr(install, "uv_environment", dict)
    install.install_packages("run")
    install.install_kibitz()
    assert tried == ["uv", "python", "uv", "python"]


def test_uv_is_told_what_pip_is_told(install: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    configuration = tmp_path / "pip.conf"
    configuration.write_text(
        "[global]\nindex-url = http://localhost/one\nextra-index-url = http://localhost/two\n  http://localhost/three\n"
        "[install]\nfind-links = wheels more\n"
    )
    for variable in [key for key in os.environ if key.startswith(("PIP_", "UV_"))]:
        monkeypatch.delenv(variable)
    monkeypatch.setenv("PIP_CONFIG_FILE", str(configuration))
    monkeypatch.setenv("PIP_INDEX_URL", "http://localhost/four")
    monkeypatch.setenv("UV_FIND_LINKS", "mine")
    monkeypatch.setattr(install, "PYTHON", sys.executable)
    environment = install.uv_environment()
    assert environment["UV_DEFAULT_INDEX"] == "http://localhost/four"
    assert environment["UV_INDEX"] == "http://localhost/two http://localhost/three"
    assert environment["UV_FIND_LINKS"] == "mine"
