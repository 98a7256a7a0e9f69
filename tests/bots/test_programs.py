"""Programs that play, by lines of text."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import kibitz
from kibitz.bots.botcheck import check_program
from kibitz.bots.programs import Confinement, Program, ProgramBot, ProgramFailed
from kibitz.bots.speaking import Dialogue
from kibitz.cli import cli
from kibitz.core.errors import BadOptions
from kibitz.core.state import Observation
from kibitz.server.live_bots import LiveBots
from kibitz.server.programs import MEMORY, HostedPrograms, confinement
from tests.server.serving import in_loop

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
PYTHON = f"{sys.executable} {EXAMPLES / 'bot.py'}"
READY = "print('id name X\\nready', flush=True)"


def program(tmp_path: Path, *lines: str) -> str:
    """A program that says it is ready, and then does what the lines say."""
    file = tmp_path / "bot.py"
    file.write_text("\n".join(["import os, sys, time", "input()", READY, *lines]))
    return f"{sys.executable} {file}"


def decision() -> Observation:
    state = kibitz.game("match").deal(2, seed=1)
    return state.observation(state.turn)


@pytest.mark.parametrize("language", ["Python", "JavaScript", "C"])
def test_the_examples_keep_to_the_protocol(language: str, tmp_path: Path) -> None:
    commands = {
        "Python": PYTHON,
        "JavaScript": f"node {EXAMPLES / 'bot.mjs'}",
        "C": str(tmp_path / "bot"),
    }
    needed = {"Python": sys.executable, "JavaScript": "node", "C": "cc"}[language]
    if shutil.which(needed) is None:
        pytest.skip(f"{needed} isn't here: the example in {language} is NOT tested")
    if language == "C":
        subprocess.run(["cc", "-Wall", "-Werror", "-o", tmp_path / "bot", EXAMPLES / "bot.c"], check=True)
    points = list(
        check_program(commands[language], [kibitz.game("tiny"), kibitz.game("match")], 5.0, times=1)
    )
    assert [point.complaint for point in points] == [None] * 7


def test_a_program_hears_its_seats_view_and_log_and_nothing_else(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    note = f"heard = open({str(heard)!r}, 'w')"
    answer = "print('bestmove', last, flush=True) if line.startswith('go') else None"
    command = program(
        tmp_path,
        note,
        "for line in sys.stdin:",
        "    print(line, end='', file=heard, flush=True)",
        "    last = line[6:].strip() if line.startswith('legal') else locals().get('last')",
        f"    {answer}",
    )
    state = kibitz.game("match").deal(2, seed=1)
    assert state.turn is not None
    bot = ProgramBot(state.game, command, seed=5)
    observation = state.observation(state.turn)
    assert bot.choose(observation) == observation.legal_moves[-1]
    bot.close()
    lines = heard.read_text().splitlines()
    assert lines[0].startswith(f"newgame game=match rules=1 seat={state.turn} players=2 seed=5 options={{")
    said = [json.loads(line[9:]) for line in lines if line.startswith("position")]
    assert said == [json.loads(json.dumps(observation.view))]
    assert len([line for line in lines if line.startswith("event ")]) == len(observation.log)
    assert {line.split()[0] for line in lines} == {"newgame", "event", "position", "legal", "go"}


def test_a_program_that_thinks_too_long_is_told_to_stop(tmp_path: Path) -> None:
    thinking = program(
        tmp_path,
        "for line in sys.stdin:",
        "    last = line[6:].strip() if line.startswith('legal') else locals().get('last')",
        "    print('bestmove', last, flush=True) if line == 'stop\\n' else None",
    )
    observation = decision()
    bot = ProgramBot(observation.game, thinking, seconds=0.1)
    assert bot.choose(observation) == observation.legal_moves[-1]
    bot.close()


def test_a_program_hears_nodes_its_clock_and_how_the_game_ended(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    noting = program(
        tmp_path,
        "for line in sys.stdin:",
        f"    print(line, end='', file=open({str(heard)!r}, 'a'), flush=True)",
        "    last = line[6:].strip() if line.startswith('legal') else locals().get('last')",
        "    print('bestmove', last, flush=True) if line.startswith('go') else None",
        "    sys.exit() if line == 'quit\\n' else None",
    )
    outcome = kibitz.arena("tiny", ["random", noting], games=1, nodes=7)
    assert outcome.failures == ()
    lines = heard.read_text().splitlines()
    assert "go movetime=1000 nodes=7" in lines
    (over,) = [json.loads(line[9:]) for line in lines if line.startswith("gameover ")]
    assert over["scores"] == list(outcome.played[0].scores)
    assert over["winners"] == list(outcome.played[0].winners)
    assert lines[-1] == "quit"
    heard.unlink()
    bot = ProgramBot(kibitz.game("match"), noting, bank=20.0)
    bot.choose(decision())
    assert bot.bank is not None
    assert 0 < bot.bank < 20
    bot.bank = 0.0
    with pytest.raises(ProgramFailed, match="time for the game is over"):
        bot.choose(decision())
    assert "go movetime=1000 clock=20000" in heard.read_text()


ASKED = "next(line for line in sys.stdin if line.startswith('go'))"


@pytest.mark.parametrize(
    ("does", "what"),
    [
        ("sys.exit(3)", "ended with code 3"),
        ("os.kill(os.getpid(), 11)", "SIGSEGV"),
        ("time.sleep(60)", "too long|doesn't read"),
        (f"{ASKED}, print('bestmove fly', flush=True)", "isn't one of the legal moves"),
        (f"{ASKED}, print('hello', flush=True)", "neither info nor bestmove"),
        ("while True: print('info ' + 'x' * 4000)", "more than"),
        (f"{ASKED}, sys.stdout.buffer.write(bytes([255, 10])), sys.stdout.flush()", "no UTF-8"),
        (
            f"{ASKED}, print('bestmove fly', end='', flush=True), time.sleep(60)",
            "not 'bestmove fly' without an end of line",
        ),
        ("os.close(1), time.sleep(60)", "closed its pipes"),
    ],
)
def test_what_a_program_does_wrong_is_told_and_it_is_ended(tmp_path: Path, does: str, what: str) -> None:
    seconds = 0.2 if "sleep" in does else 20.0
    bot = ProgramBot(kibitz.game("match"), program(tmp_path, does), seconds=seconds)
    with pytest.raises(ProgramFailed, match=what):
        bot.choose(decision())
    assert bot.program is None


def test_one_that_never_becomes_ready_or_is_not_there() -> None:
    with pytest.raises(ProgramFailed, match="too long; `ready`"):
        Program("sleep 60").shake_hands(0.2)
    with pytest.raises(ProgramFailed, match="can't be started"):
        Program("/nowhere/bot")
    for no_command in ("bot '", " "):
        with pytest.raises(ProgramFailed, match="no command line"):
            Program(no_command)


@pytest.mark.parametrize("line_ends", ["os.write(1, b'\\n')", "time.sleep(0.1), os.write(1, b'\\n')"])
def test_one_that_moves_twice_is_told_so(tmp_path: Path, line_ends: str) -> None:
    """Its second answer isn't taken for that to the next question, even if its line isn't ended yet."""
    answer = f"{ASKED}, os.write(1, b'bestmove match Y3\\ninfo so\\nbestmove match Y3')"
    bot = ProgramBot(
        kibitz.game("match"), program(tmp_path, answer, line_ends, "time.sleep(60)"), seconds=20.0
    )
    observation = decision()
    assert str(bot.choose(observation)) == "match Y3"
    with pytest.raises(ProgramFailed, match="'bestmove match Y3' before it was asked"):
        bot.choose(observation)


def test_one_that_keeps_failing_is_not_asked_for_ever(tmp_path: Path) -> None:
    bot = ProgramBot(kibitz.game("match"), program(tmp_path, "sys.exit()"), seconds=0.2)
    for _ in range(3):
        with pytest.raises(ProgramFailed, match="code 0"):
            bot.choose(decision())
    with pytest.raises(ProgramFailed, match="isn't asked again"):
        bot.choose(decision())


def test_an_arena_goes_on_and_tells_who_failed(tmp_path: Path) -> None:
    def broken(observation: Observation) -> Any:
        raise RuntimeError("oh")

    outcome = kibitz.arena("tiny", [broken, lambda observation: "fly", PYTHON], games=3)
    assert outcome.games == 3
    assert outcome.bots[2] == PYTHON
    assert {(bot, what) for bot, what, _ in outcome.failures} >= {("broken", "RuntimeError: oh")}
    assert any(bot == "<lambda>" and "fly" in what for bot, what, _ in outcome.failures)
    assert not any(bot == PYTHON for bot, _, _ in outcome.failures)
    assert kibitz.arena("tiny", ["random", "random"], games=2).failures == ()


def test_an_arena_does_not_begin_without_a_programs_answer(tmp_path: Path) -> None:
    kept = tmp_path / "games.jsonl"
    for command, what in [("./nosuchprogram", "No such file"), (f"sh {tmp_path}/none", "it ended")]:
        with pytest.raises(BadOptions, match=rf"bots: expected a program that answers \(.*{what}"):
            kibitz.arena("tiny", ["random", command], games=2, file=kept)
    assert not kept.exists()  # the right command may have the file


def test_our_own_bots_speak_the_same_lines() -> None:
    command = f"{sys.executable} -m kibitz speak easy"
    points = list(check_program(command, [kibitz.game("match")], 60.0, times=1))
    assert [point.complaint for point in points] == [None] * 6
    assert "Kibitz easy" in points[0].what


@pytest.mark.parametrize(
    ("word", "rest"),
    [
        ("newgame", ""),
        ("newgame", "game=match seat=x"),
        ("event", "{}"),
        ("position", "{"),
        ("go", "movetime=x"),
    ],
)
def test_a_line_that_our_own_bots_cannot_read_is_told(word: str, rest: str) -> None:
    dialogue = Dialogue("Kibitz", lambda game, seed, seconds, nodes: kibitz.bot("random", game).choose)
    assert dialogue.answers("kibitz", "1")[-1] == "ready"
    assert dialogue.answers("whatever", "{") == []
    with pytest.raises(kibitz.KibitzError, match=f"can't be understood .*: {word}"):
        dialogue.answers(word, rest)


def test_botcheck_says_what_is_wrong(tmp_path: Path) -> None:
    good = CliRunner().invoke(cli, ["botcheck", PYTHON, "tiny"])
    assert good.exit_code == 0, good.output
    bad = CliRunner().invoke(cli, ["botcheck", program(tmp_path, "sys.exit(3)"), "tiny", "--seconds", "0.2"])
    assert bad.exit_code == 1
    assert "it ended with code 3" in bad.output


def test_botcheck_ends_in_a_game_that_chance_does_not() -> None:
    command = [sys.executable, "-m", "kibitz", "botcheck", PYTHON, "cash"]
    assert subprocess.run(command, timeout=120, check=False).returncode == 0


# At live tables


def test_a_hosted_program_plays_by_a_name(tmp_path: Path) -> None:
    """A shell script that another user can read, wherever the tests' own Python is."""
    answers = "case $word in legal) move=$rest;; go) echo bestmove $move;; esac"
    script = f"echo ready; while read word rest; do {answers}; done"
    hosted = HostedPrograms()
    hosted.add([f"Rookie=sh -c '{script}'"])
    observation = decision()
    for name in ("Rookie", "random"):
        assert hosted.make(name, observation.game, 5.0).choose(observation) in observation.legal_moves
    for wrong in ("Rookie", "=x", "easy=x", "a/b=x", f"{'x' * 30}=x"):
        with pytest.raises(BadOptions, match="NAME=COMMAND"):
            hosted.add([wrong])


def test_a_host_hears_at_once_of_a_program_that_cannot_be_started(capfd: pytest.CaptureFixture[str]) -> None:
    for command in ("nosuchprogram", "sh bot.sh", "true"):  # bot.sh isn't in the empty folder
        hosted = HostedPrograms()
        hosted.add(["Polite=sh -c 'echo ready; read line'", f"Lost={command}"])
        with pytest.raises(BadOptions, match=r"bot: expected a program that answers.* got 'Lost="):
            hosted.check()
    assert "nosuchprogram: " in capfd.readouterr().err


@in_loop
async def test_a_hosted_program_that_hangs_loses_its_move_and_no_more() -> None:
    hosted = HostedPrograms()
    hosted.add(["Sloth=sleep 100"])
    bots, observation = LiveBots(hosted.make), decision()
    move, why = await bots.choose("Sloth", observation, 0.1)
    assert move in observation.legal_moves
    assert why in ("error", "slow")
    bots.close()


def confined(script: str) -> list[str]:
    """What a confined shell tells of itself."""
    running = Program(f"sh -c '{script}; echo ready'", confinement())
    try:
        running.shake_hands()
    finally:
        running.close()
    return running.told


def test_a_confined_program_has_limits_an_empty_folder_and_no_settings(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("KIBITZ_SECRET_SETTING", "x")
    told = confined("ulimit -d; ulimit -t; ulimit -n; ls -A | wc -l; env | grep -c KIBITZ")
    assert told == [str(MEMORY // 1024), "10", "64", "0", "0"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can choose another user")
def test_under_root_it_is_another_user_who_cannot_read_the_data(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir(mode=0o700)
    (data / "tables").write_text("secret")
    user, text = confined(f"id -u; cat {data}/tables || echo refused")
    assert user != "0"
    assert text == "refused"


def test_confinement_is_asked_for() -> None:
    assert not Confinement().needed
    assert confinement().limits["RLIMIT_CORE"] == 0
