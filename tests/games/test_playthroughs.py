"""A whole game of each kind, kept as readable text: a change in the rules shows as a difference."""

import dataclasses
from pathlib import Path
from types import SimpleNamespace

import pytest

import kibitz
from kibitz.core.journal import Journal
from kibitz.core.layout import AnyRecord
from scripts import write_playthroughs

pytestmark = pytest.mark.interpreted

NAMES = kibitz.games()


@pytest.mark.parametrize("name", NAMES)
def test_the_game_is_played_as_it_was_written_down(name: str) -> None:
    """If the change is meant: python scripts/write_playthroughs.py."""
    assert write_playthroughs.difference(kibitz.game(name)) == ""


def test_a_changed_rule_shows() -> None:
    game = kibitz.game("kaching")

    def generous(state: AnyRecord, move: int, journal: Journal) -> None:
        game.rules.play(state, move, journal)
        state.money[0] += 1

    rules = SimpleNamespace(**{**vars(game.rules), "play": generous})
    shown = write_playthroughs.difference(dataclasses.replace(game, rules=rules))
    assert "-  money: 20 18" in shown
    assert "+  money: 21 18" in shown


def test_check_fails_and_writes_nothing_if_one_differs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(write_playthroughs, "ROOT", tmp_path)
    monkeypatch.setattr("sys.argv", ["write_playthroughs.py", "--check"])
    monkeypatch.setattr(kibitz, "games", lambda: NAMES)
    assert write_playthroughs.main() == 1
    assert "+Ka-Ching!, rules version 1" in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == []


def test_without_check_they_are_written_and_then_pass(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in NAMES:
        (tmp_path / "tests" / "games" / name).mkdir(parents=True)
    monkeypatch.setattr(write_playthroughs, "ROOT", tmp_path)
    monkeypatch.setattr(kibitz, "games", lambda: NAMES)
    monkeypatch.setattr("sys.argv", ["write_playthroughs.py"])
    assert write_playthroughs.main() == 0
    monkeypatch.setattr("sys.argv", ["write_playthroughs.py", "--check"])
    assert write_playthroughs.main() == 0
    assert capsys.readouterr().out == ""
