"""The commands that aren't about one game: listings, health, warm-up, arena."""

import json
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete
from click.testing import Result

import kibitz
from kibitz import warmup
from kibitz.cli import cli
from kibitz.core import kernel
from kibitz.terminal import doctor

Run = Callable[..., Result]


# Help


def test_help_lists_the_commands(run: Run) -> None:
    output = run("--help").output
    for command in ("arena", "doctor", "games", "play", "replay", "verify", "warmup"):
        assert f"  {command} " in output
    assert "..." not in output.split("Commands:")[1]  # no description is cut short


@pytest.mark.parametrize("command", ["--help", "--version", "play --help"])
def test_help_does_not_wait_for_the_compiler(command: str) -> None:
    code = (
        "import sys; from kibitz.cli import cli; cli(sys.argv[1:], standalone_mode=False); "
        "sys.exit(bool({'numba', 'rich', 'numpy'} & set(sys.modules)))"
    )
    home = Path(kibitz.__file__).parent.parent
    run = subprocess.run(
        [sys.executable, "-c", code, *command.split()], cwd=home, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_the_package_is_a_command() -> None:
    home = Path(kibitz.__file__).parent.parent
    run = subprocess.run(
        [sys.executable, "-m", "kibitz", "--version"], cwd=home, capture_output=True, text=True
    )
    assert run.stdout == f"kibitz, version {kibitz.__version__}\n"


# Games


def test_the_games_are_listed(run: Run) -> None:
    output = run("games").output
    for name in kibitz.games():
        assert kibitz.game(name).title in output


def test_a_game_tells_its_options(run: Run) -> None:
    for name in kibitz.games():
        output = run(f"games {name}").output
        told = json.loads(run(f"games {name} --json").output)
        assert [option["option"] for option in told["options"]] == [o.name for o in kibitz.game(name).options]
        assert all(option["option"] in output for option in told["options"])
    assert "There is no game 'chess'" in run("games chess").stderr


def test_a_games_options_are_told_for_its_largest_table(run: Run) -> None:
    options = json.loads(run("games match --json").output)["options"]
    assert "'random' or a whole number from 0 to 5" in [option["accepts"] for option in options]


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("arena kac", ["kaching"]),
        ("arena kaching ha", ["hard"]),
        ("arena kaching --option ser", ["series=best_of", "series=single", "series=total"]),
        ("arena match easy --option tar", ["target=50"]),
        ("play --level ex", ["expert"]),
        ("games ma", ["match"]),
    ],
)
def test_a_shell_completes_games_bots_and_options(typed: str, completed: list[str]) -> None:
    *before, word = typed.split()
    found = ShellComplete(cli, {}, "kibitz", "_KIBITZ_COMPLETE").get_completions(before, word)
    assert [item.value for item in found] == completed


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("serve --port 99999", "--port"),
        ("selfplay kaching --bot easy --bot easy --games 1 --out /dev/null/x", "/dev/null"),
        ("botcheck cat kaching --seconds -1", "--seconds"),
        ("solve kaching - --seconds 0", "--seconds"),
    ],
)
def test_what_cannot_be_is_said_in_a_line(run: Run, command: str, told: str) -> None:
    result = run(command)
    assert result.exit_code in (1, 2)
    assert result.stderr.splitlines()[-1].startswith("Error: ")
    assert told in result.stderr


def test_the_games_in_json(run: Run) -> None:
    games = json.loads(run("games --json").output)
    assert [game["name"] for game in games] == list(kibitz.games())
    assert games[0].keys() == {"name", "title", "players", "minutes", "tagline"}
    assert games[0]["players"] == [2, 2]


def test_the_games_in_spanish(run: Run) -> None:
    assert "Compra barato" in run("games --lang es").output
    starter = json.loads(run("games match --lang es --json").output)["options"][-1]
    assert starter["accepts"] == "'random' o un número entero de 0 a 5"


# Doctor


def test_the_doctor_finds_this_machine_healthy(run: Run) -> None:
    result = run("doctor")
    assert result.exit_code == 0, result.output
    assert "✓ numba" in result.output


def test_the_doctor_in_json(run: Run) -> None:
    result = run("doctor --json")
    report = json.loads(result.output)
    assert report["healthy"] is True
    names = [finding["name"] for finding in report["findings"]]
    assert {"python", "numba", "compiler", "cache", "kernels of kaching", "colours", "unicode"} <= set(names)


def test_the_doctor_says_what_to_do(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "packages", lambda: ["numba", "no-such-package"])
    result = run("doctor")
    assert result.exit_code == 1
    assert "✗ no-such-package" in result.output
    assert "pip install no-such-package" in result.output


def test_a_cache_that_cannot_be_written_is_ill(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("KIBITZ_CACHE", str(tmp_path / "file"))
    result = run("doctor")
    assert result.exit_code == 1
    assert "Set KIBITZ_CACHE to a folder that you alone may write into." in result.output


def test_a_look_that_fails_is_a_finding() -> None:
    finding = doctor.careful("compiler", lambda: doctor.Finding("compiler", 1 / 0 == 0, ""), "Reinstall it.")
    assert not finding.ok
    assert finding.found == "ZeroDivisionError: division by zero"


# Warm-up


@pytest.fixture
def child(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[str], None]:
    """Let the child process be a script of a few lines."""

    def use(script: str) -> None:
        file = tmp_path / "child.py"
        file.write_text(script)
        popen = subprocess.Popen
        monkeypatch.setattr(
            subprocess,
            "Popen",
            lambda command, **rest: popen([sys.executable, str(file), *command[3:]], **rest),
        )

    return use


def test_the_childs_steps_are_handed_on(child: Callable[[str], None]) -> None:
    child(
        "import json, sys\n"
        "for done in range(3):\n"
        "    print(json.dumps({'game': sys.argv[1], 'done': done, 'total': 2, 'seconds': done and 0.5}))\n"
    )
    heard: list[tuple[str, int, int]] = []
    taken = warmup.warm_up(["one", "two"], lambda *step: heard.append(step))
    assert taken == {game: {"deal": 0.5, "legal moves": 0.5} for game in ("one", "two")}
    assert heard == [(game, done, 2) for game in ("one", "two") for done in range(3)]


def test_a_child_that_fails_says_why(child: Callable[[str], None]) -> None:
    child("import sys\nsys.exit('the disk is full')")
    with pytest.raises(kibitz.KibitzError, match=r"kaching could not be compiled:\nthe disk is full"):
        warmup.warm_up(["kaching"], lambda *step: None)


@pytest.fixture
def compiled_elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A cache folder with nothing in it, for code that is compiled."""
    warmup.is_warm("kaching")  # looks at all its kernels: those stay where they were
    monkeypatch.setenv("KIBITZ_CACHE", str(tmp_path))
    monkeypatch.setattr(kernel, "JIT", True)


@pytest.mark.usefixtures("compiled_elsewhere")
def test_a_game_is_warm_once_every_step_is_taken(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(warmup, "steps", lambda name, programs: [lambda: None] * 2)
    assert not warmup.is_warm("kaching")
    warmup.compile_all("kaching")
    assert warmup.is_warm("kaching")
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    deal, legal_moves = list(warmup.PLAYING.values())[:2]
    shares = (0, deal, deal + legal_moves)
    steps = [{"game": "kaching", "done": done, "total": deal + legal_moves} for done in shares]
    assert told == [steps[0], *({**step, "seconds": 0.0} for step in steps[1:])]


@pytest.mark.usefixtures("compiled_elsewhere")
def test_a_game_stays_cold_if_a_step_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warmup, "steps", lambda name, programs: [lambda: 1 / 0])
    with pytest.raises(ZeroDivisionError):
        warmup.compile_all("kaching")
    assert not warmup.is_warm("kaching")


@pytest.mark.usefixtures("compiled_elsewhere")
def test_what_is_to_repeat_warms_the_game_up_first(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def warm_up(games: list[str], report: warmup.Report, programs: bool) -> None:
        raise kibitz.KibitzError("warm-up", f"asked to warm up {games}")

    monkeypatch.setattr(warmup, "warm_up", warm_up)
    for command in ("play --seed 1", "arena kaching easy random"):
        assert run(command).stderr == "Error: asked to warm up ['kaching']\n"


def test_playing_does_not_wait_for_the_compiler(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    game_over = threading.Event()
    monkeypatch.setattr(warmup, "is_warm", lambda game: False)
    monkeypatch.setattr(warmup, "warm_up", lambda games, report: game_over.wait())
    monkeypatch.setattr(warmup, "steps", lambda game: [])
    played = run("play kaching --level hard", "hint", "1", "quit").output
    game_over.set()
    assert played.count("still being compiled for this machine") == 2, (
        "at the beginning, and instead of a hint"
    )
    assert re.search(r"Hard bot (buys|sells)", played)


def test_every_step_of_the_warm_up_works() -> None:
    for step in warmup.steps("kaching", programs=True):
        step()


def test_warming_up_a_warm_game_takes_no_time(run: Run) -> None:
    run("warmup kaching")
    (report,) = json.loads(run("warmup kaching --json").output)
    assert report["game"] == "kaching"
    assert report["seconds"] < 5
    assert (report["processor_seconds"], report["groups"]) == (0, {})


def test_warming_up_an_unknown_game_is_an_error(run: Run) -> None:
    result = run("warmup chess")
    assert result.exit_code == 1
    assert result.stderr.startswith("Error: There is no game 'chess' here")


# Arena


def test_the_arena_prints_a_table(run: Run) -> None:
    result = run("arena kaching easy random --games 10")
    assert result.exit_code == 0, result.output
    assert "95 % interval" in result.stdout
    assert "easy" in result.stdout


def test_the_arena_in_json(run: Run) -> None:
    asked = "--games 10 --nodes 20 --seed 3 --option rounds=2"
    report = json.loads(run(f"arena kaching medium random {asked} --json").stdout)
    assert (report["game"], report["players"], report["seed"], report["games"]) == ("kaching", 2, 3, 10)
    assert report["options"] == {"series": "single", "rounds": 2, "open_money": False, "starter": "random"}
    assert [each["bot"] for each in report["bots"]] == ["medium", "random"]
    assert sum(each["points"] for each in report["bots"]) == pytest.approx(1)


def test_the_arena_takes_the_games_options(run: Run) -> None:
    assert run("arena kaching random random --games 2 --option series=total --option rounds=2").exit_code == 0
    result = run("arena kaching random random --option series=maybe")
    assert result.exit_code == 1
    assert "series: expected 'single' or 'best_of' or 'total'" in result.stderr


def test_an_unknown_bot_is_an_error(run: Run) -> None:
    result = run("arena kaching random heroic --games 2")
    assert result.exit_code == 1
    assert "There is no bot 'heroic'" in result.stderr


# Solving


def test_a_position_in_a_file_is_solved(run: Run, tmp_path: Path) -> None:
    position = solved_soon().position()
    file = tmp_path / "position.json"
    file.write_text(json.dumps(position))
    told = run(f"solve kaching {file} --lang en")
    facts = json.loads(run(f"solve kaching {file} --json").stdout)
    assert (facts["seat"], facts["line"][0]) == (position["turn"], facts["best"][0])
    assert f"Best: {', '.join(facts['best'])}" in told.stdout
    assert run("solve kaching -", json.dumps(position)).exit_code == 0


def solved_soon() -> kibitz.State:
    state = kibitz.game("kaching").deal(seed=1)
    while state.fields().heights.sum() > 15:  # one more in the third column
        state.play(state.legal_moves[0])
    return state


@pytest.mark.parametrize(
    ("game", "text", "reason"),
    [
        ("kaching", "[1]", "expected a position"),
        ("kaching", "{", "expected a position as JSON"),
        ("kaching", "{}", "expected this key to be there"),
        ("chess", "{}", "chess"),
    ],
)
def test_what_is_no_position_is_refused_in_a_line(run: Run, game: str, text: str, reason: str) -> None:
    refused = run(f"solve {game} -", text)
    assert refused.exit_code == 1
    assert reason in refused.output
    assert "Traceback" not in refused.output


def test_a_position_that_is_not_there_is_said(run: Run) -> None:
    refused = run("solve kaching nowhere.json")
    assert refused.exit_code == 1
    assert "a file that can be read" in refused.output
