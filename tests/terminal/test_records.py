"""Records on the command line: verifying and replaying them."""

import json
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from click.testing import Result
from rich.console import Console

import kibitz
from kibitz.core.record import Record
from kibitz.terminal.replay import Replay

Run = Callable[..., Result]


@pytest.fixture(scope="module")
def finished() -> Record:
    """A game dealt from a secret, played by bots to its end."""
    game = kibitz.game("kaching")
    state = game.deal(seed=b"a secret of thirty-two bytes....")
    bot = kibitz.bot("easy", game, seed=1)
    while state.turn is not None:
        state.play(bot.choose(state.observation(state.turn)))
    return state.record(("human", "bot:easy"))


@pytest.fixture
def file(finished: Record, tmp_path: Path) -> Path:
    finished.save(tmp_path / "game.json")
    return tmp_path / "game.json"


# Verifying


def test_an_honest_record_passes_every_check(run: Run, file: Path) -> None:
    result = run(f"verify {file}")
    assert result.exit_code == 0
    assert result.output.count("✓") == 6
    assert "Every move is legal" in result.output


def test_a_seed_is_as_good_as_a_secret(run: Run, tmp_path: Path) -> None:
    kibitz.game("kaching").deal(seed=7).record().save(tmp_path / "seeded.json")
    assert run(f"verify {tmp_path}/seeded.json").exit_code == 0


@pytest.mark.parametrize(
    ("change", "passed", "failed", "reason"),
    [
        ({"commitment": "0" * 64}, 1, "The deal comes from", "commitment: expected SHA-256 of the secret"),
        (
            {"moves": ("buy 9",)},
            3,
            "Every move is legal",
            "moves[0]: expected a legal move (There is no column 9",
        ),
        ({"result": None}, 4, "The result is right", "result: expected Result("),
        ({"hash": "0" * 64}, 5, "The last position", "hash: expected "),
        ({"rules": 99}, 2, "The game, its rules", "rules: expected rules version 1"),
        ({"game": "chess"}, 2, "The game, its rules", "There is no game 'chess' here"),
    ],
)
def test_a_tampered_record_is_found_out(
    run: Run,
    finished: Record,
    tmp_path: Path,
    change: dict[str, object],
    passed: int,
    failed: str,
    reason: str,
) -> None:
    msgspec.structs.replace(finished, **change).save(tmp_path / "tampered.json")
    result = run(f"verify {tmp_path}/tampered.json")
    assert result.exit_code == 1
    assert result.output.count("✓") == passed
    assert f"✗ {failed}" in result.output
    assert reason in " ".join(result.output.split())


def test_another_winner_is_found_out(run: Run, file: Path) -> None:
    text = json.loads(file.read_text())
    text["result"]["winners"] = [0, 1]
    file.write_text(json.dumps(text))
    result = run(f"verify {file} --json")
    assert result.exit_code == 1
    verdict = json.loads(result.output)
    assert verdict["valid"] is False
    assert verdict["checks"][-1] == {"check": "result", "ok": False}
    assert verdict["reason"].startswith("result: ")


def test_what_is_no_record_is_told(run: Run, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear Sir or Madam")
    for name in ("letter.txt", "nothing.json"):
        result = run(f"verify {tmp_path}/{name}")
        assert result.exit_code == 1
        assert "✗ The record can be read" in result.output


def test_verdicts_in_json(run: Run, file: Path) -> None:
    verdict = json.loads(run(f"verify {file} --json").output)
    assert verdict["valid"] is True
    assert [check["check"] for check in verdict["checks"]] == [
        "record", "commitment", "beginning", "moves", "result", "hash",
    ]  # fmt: skip


# Replaying


def test_into_a_pipe_the_whole_game_is_told(run: Run, file: Path, finished: Record) -> None:
    lines = run(f"replay {file}").output.splitlines()
    assert lines[0].startswith("Round 1 begins; ")
    assert lines[-1] == "The game is over."
    assert len(lines) >= len(finished.moves)
    assert any(line.startswith("Player 1 buys ") for line in lines)
    assert any(line.startswith("Easy bot ") for line in lines)


def test_a_replay_in_spanish(run: Run, file: Path) -> None:
    assert "Jugador 1 compra" in run(f"replay {file} --lang es").output


def test_a_record_without_names_numbers_its_players(run: Run, finished: Record, tmp_path: Path) -> None:
    msgspec.structs.replace(finished, seats=()).save(tmp_path / "nameless.json")
    assert "Player 2" in run(f"replay {tmp_path}/nameless.json").output


def test_a_broken_record_does_not_replay(run: Run, finished: Record, tmp_path: Path) -> None:
    msgspec.structs.replace(finished, moves=("buy 9",)).save(tmp_path / "broken.json")
    result = run(f"replay {tmp_path}/broken.json")
    assert result.exit_code == 1
    assert result.stderr.startswith("Error: moves[0]: expected a legal move")


def opened(file: Path, seat: int | None = None) -> Replay:
    return Replay(file, seat, "en", Console(width=80, height=24))


@pytest.mark.parametrize(
    ("typed", "place"),
    [
        ([], 0),
        ([""], 1),
        (["n", "next", "p"], 1),
        (["p"], 0),
        (["12"], 12),
        (["end", "p"], -2),
        (["9999"], -1),
        (["end", "home"], 0),
        (["5", "what?"], 5),
    ],
)
def test_words_lead_through_the_game(
    file: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    typed: list[str],
    place: int,
) -> None:
    answers = iter([*typed, "q"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(answers))
    replay = opened(file)
    replay.run()
    assert replay.at == place % len(replay.states)
    shown = capsys.readouterr().out
    assert f"Move {replay.at} of {len(replay.states) - 1}" in shown


def test_of_a_finished_game_everything_is_shown_unless_a_seat_is_asked_for(file: Path) -> None:
    everything, seat = opened(file), opened(file, seat=0)
    for replay in (everything, seat):
        replay.go("10")
    assert "?" not in everything.scene().view["money"]
    assert seat.scene().view["money"][1] == "?"


def test_of_a_finished_game_every_hand_is_told(tmp_path: Path) -> None:
    state = kibitz.game("match").deal(players=2, seed=7, rounds=1)
    first = state.position()["hands"]
    while not state.over:
        state.play(state.legal_moves[0])
    state.record().save(tmp_path / "finished.json")
    told = [line.plain for line in opened(tmp_path / "finished.json").hands()]
    assert [line.partition(": ")[2].split() for line in told] == first
    assert opened(tmp_path / "finished.json", seat=0).hands() == []


def test_of_a_running_game_a_replay_shows_what_everybody_may_see(tmp_path: Path) -> None:
    kibitz.game("kaching").deal(seed=7).record().save(tmp_path / "running.json")
    assert opened(tmp_path / "running.json").scene().view["money"] == ["?", "?"]


def test_a_seat_that_is_not_there_is_refused(run: Run, file: Path) -> None:
    result = run(f"replay {file} --seat 5")
    assert result.exit_code == 1
    assert "There is no seat 5 here." in result.stderr
