"""Games kept as data."""

import re
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import kibitz
from kibitz.bots import selfplay as module
from kibitz.bots.selfplay import load, selfplay
from kibitz.cli import cli
from kibitz.core.errors import BadOptions, KibitzError


def made(out: Path, games: int = 5, **more: Any) -> list[bytes]:
    """A folder's games, as they lie on the disk."""
    bots = more.pop("bots", ["medium", "random"])
    selfplay("match", bots, games, out, **{"nodes": 20, "rounds": 1, **more})
    return [file.read_bytes() for file in sorted((out / "records").iterdir())]


def test_rows_are_the_decisions_of_the_recorded_games(tmp_path: Path) -> None:
    made(tmp_path, games=3)
    (chunk,) = load(tmp_path)
    row = 0
    for number, text in enumerate((tmp_path / "records" / "00000.jsonl").read_text().splitlines()):
        record = kibitz.Record.parse(text)
        state = record.begin()
        end = record.replay()
        for move in record.moves:
            assert state.turn is not None
            assert (chunk["game"][row], chunk["seat"][row]) == (number, state.turn)
            assert chunk["bot"][row] == record.seats[state.turn]
            assert np.array_equal(chunk["observation"][row], state.tensor(state.turn))
            assert np.array_equal(chunk["mask"][row], state.mask)
            assert str(state.game.moves[chunk["move"][row]]) == move
            assert chunk["result"][row] == end.returns[state.turn]
            if chunk["visits"][row] is not None:
                assert chunk["bot"][row] == "medium"
                assert not chunk["visits"][row][state.mask == 0].any()
            state.play(move)
            row += 1
    assert row == len(chunk["move"])
    assert any(visits is not None for visits in chunk["visits"])


def test_a_stopped_run_goes_on_and_is_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CHUNK", 2)
    whole = made(tmp_path / "whole", games=6)

    def stop(done: int, games: int) -> None:
        if done == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        made(tmp_path / "parts", games=6, report=stop)
    assert len(list((tmp_path / "parts" / "decisions").glob("*.parquet"))) <= 2
    assert made(tmp_path / "parts", games=6) == whole
    assert len(list(load(tmp_path / "parts"))) == 3
    assert made(tmp_path / "parts", games=8)[:3] == whole
    assert made(tmp_path / "processes", games=6, jobs=2) == whole


def test_other_settings_do_not_go_into_the_same_folder(tmp_path: Path) -> None:
    made(tmp_path)
    for other in ({"seed": 2}, {"bots": ["random", "random"]}, {"rounds": 2}, {"games": 6}, {"games": 4}):
        with pytest.raises(BadOptions):
            made(tmp_path, **other)
    with pytest.raises(BadOptions, match="bots"):
        made(tmp_path / "new", bots=["random"])
    with pytest.raises(KibitzError, match="no games"):
        list(load(tmp_path / "nothing"))


def test_levels_are_named_together_or_one_by_one(tmp_path: Path) -> None:
    asked = ["selfplay", "match", "--games", "2", "--jobs", "1", "--option", "rounds=1"]
    ways = {"together": ["--bots", "easy,random"], "apart": ["--bot", "easy", "--bot", "random"]}
    for folder, bots in ways.items():
        done = CliRunner().invoke(cli, [*asked, *bots, "--out", str(tmp_path / folder)])
        assert done.exit_code == 0, done.output
    assert _contents(tmp_path / "together") == _contents(tmp_path / "apart")
    refused = CliRunner().invoke(cli, [*asked, "--bots", "easy,strong", "--out", str(tmp_path / "other")])
    assert refused.exit_code == 1
    assert "strong" in refused.output


def _contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}


def test_from_the_command_line(tmp_path: Path) -> None:
    asked = ["selfplay", "match", "--games", "2", "--bot", "random", "--bot", "easy", "--out", str(tmp_path)]
    done = CliRunner().invoke(cli, [*asked, "--option", "rounds=1"])
    assert done.exit_code == 0, done.output
    card = (tmp_path / "README.md").read_text()
    assert "2 games of MATCH!" in card
    (again,) = re.findall("`kibitz (selfplay .*) --out DIR`", card)
    twin = CliRunner().invoke(cli, [*shlex.split(again), "--out", str(tmp_path / "twin")])
    assert twin.exit_code == 0, twin.output
    assert (tmp_path / "twin" / "run.json").read_bytes() == (tmp_path / "run.json").read_bytes()


def test_ctrl_c_says_how_to_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("kibitz.bots.selfplay.selfplay", stopped)
    asked = ["selfplay", "match", "--bots", "random,easy", "--out", str(tmp_path)]
    ended = CliRunner().invoke(cli, asked)
    assert ended.exit_code == 130
    assert "the same command goes on" in " ".join(ended.stderr.split())


def test_a_program_that_does_not_answer_leaves_no_folder(tmp_path: Path) -> None:
    out = tmp_path / "games"
    with pytest.raises(BadOptions, match="bots: expected a program that answers"):
        selfplay("tiny", ["random", "./nosuchprogram"], 2, out)
    assert not out.exists()  # the right command may have it
