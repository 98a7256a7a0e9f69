"""What the terminal's tests share: a command line without a terminal, and a data folder of its own."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kibitz.cli import cli

Run = Callable[..., Result]


@pytest.fixture(autouse=True)
def saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Saved games go to a folder of this test's own; the language is English, the width 80."""
    folder = tmp_path / "saved"
    monkeypatch.setattr("kibitz.terminal.saved.saved_home", lambda: folder)
    monkeypatch.setenv("KIBITZ_LANGUAGE", "en")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "24")
    return folder


@pytest.fixture
def run() -> Run:
    """Run a command: its words, and the lines typed into it."""

    def invoke(command: str, *typed: str) -> Result:
        return CliRunner().invoke(cli, command.split(), input="".join(f"{line}\n" for line in typed))

    return invoke
