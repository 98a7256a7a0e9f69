"""The same game on a real (pseudo) terminal of 80 x 24: it is cleared and drawn anew, and kept on Ctrl-C."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import kibitz
from kibitz.core.record import Record

CLEARED = "\x1b[2J"
PATIENCE = 60  # seconds; the kernels may have to be compiled
MOMENT = 0.5  # seconds from a prompt until its input is waited for


class Terminal:
    """A command on a pseudo terminal."""

    def __init__(self, command: str, home: Path) -> None:
        self.outside, inside = pty.openpty()
        fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        environment = {
            key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "COLUMNS", "LINES")
        }
        environment |= {"TERM": "xterm-256color", "KIBITZ_LANGUAGE": "en", "XDG_DATA_HOME": str(home)}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "kibitz", *command.split()],
            stdin=inside, stdout=inside, stderr=inside, env=environment,
            cwd=Path(kibitz.__file__).parent.parent, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )  # fmt: skip
        os.close(inside)
        self.output = b""

    def wait_for(self, text: str, times: int = 1) -> None:
        """Read until the text has been shown so many times."""
        deadline = time.monotonic() + PATIENCE
        while self.shown.count(text) < times:
            assert time.monotonic() < deadline, self.shown
            if select.select([self.outside], [], [], 1)[0]:
                self.output += self.read()

    def read(self) -> bytes:
        try:
            return os.read(self.outside, 65536)
        except OSError:  # the other side is closed
            return b""

    @property
    def shown(self) -> str:
        """All that was ever shown."""
        return self.output.decode(errors="replace")

    def type(self, text: str) -> None:
        os.write(self.outside, text.encode())

    @property
    def screen(self) -> list[str]:
        """What stands on the screen since it was last cleared, without styles."""
        return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", self.shown.rpartition(CLEARED)[2]).splitlines()


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    found = Terminal("play kaching --seed 3 --level easy", tmp_path)
    yield found
    if found.process.poll() is None:
        found.process.kill()
    found.process.wait()
    os.close(found.outside)


def saved_game(home: Path) -> Record:
    (file,) = (home / "kibitz" / "saved").iterdir()
    return Record.load(file)


def test_each_turn_is_drawn_on_a_clear_screen_that_it_fits(terminal: Terminal) -> None:
    terminal.wait_for("You › ")
    terminal.type("1\r")
    terminal.wait_for("You › ", times=2)
    assert terminal.shown.count(CLEARED) == 2
    assert len(terminal.screen) <= 24
    assert max(map(len, terminal.screen)) <= 80
    assert ";48;5;" in terminal.shown  # colours


def test_a_long_text_is_paged(terminal: Terminal) -> None:
    terminal.wait_for("You › ")
    terminal.type("rules\r")
    terminal.wait_for("read on")
    assert len(terminal.screen) <= 24
    terminal.type("q\r")
    terminal.wait_for("You › ", times=2)


def test_ctrl_c_keeps_the_game(terminal: Terminal, tmp_path: Path) -> None:
    terminal.wait_for("You › ")
    terminal.type("1\r")
    terminal.wait_for("You › ", times=2)
    time.sleep(MOMENT)
    terminal.type("\x03")
    terminal.wait_for("kibitz play --resume")
    assert terminal.process.wait(PATIENCE) == 0
    assert "Traceback" not in terminal.shown
    assert len(saved_game(tmp_path).moves) == 3


def test_a_closed_window_keeps_the_game(terminal: Terminal, tmp_path: Path) -> None:
    terminal.wait_for("You › ")
    terminal.type("1\r")
    terminal.wait_for("You › ", times=2)
    time.sleep(MOMENT)
    terminal.process.send_signal(signal.SIGHUP)
    terminal.process.wait(PATIENCE)
    assert len(saved_game(tmp_path).moves) == 3


def replayed(folder: Path) -> Terminal:
    """A replay of twelve moves."""
    state = kibitz.game("kaching").deal(seed=3)
    for _ in range(12):
        state.play(state.legal_moves[0])
    state.record().save(folder / "game.json")
    return Terminal(f"replay {folder}/game.json", folder)


def test_keys_that_come_at_once_all_count(tmp_path: Path) -> None:
    shown = replayed(tmp_path)
    try:
        shown.wait_for("q: quit")
        time.sleep(MOMENT)
        shown.type("11\r\x1b[D\x1b[Dq")
        assert shown.process.wait(PATIENCE) == 0
        shown.wait_for("Move 11 of 12")
        shown.wait_for("Move 9 of 12")
    finally:
        shown.process.kill()


def test_a_replay_is_stepped_through_with_arrow_keys(tmp_path: Path) -> None:
    shown = replayed(tmp_path)
    places = {
        "\x1b[C": 1,
        "\x1bOC": 2,
        "\x1b[D": 1,
        "\x1b[F": 12,
        "\x1b[H": 0,
        "5\r": 5,
        "13\x7f\r": 1,
        "n": 2,
    }
    shown.wait_for("Move 0 of 12")
    try:
        for times, (key, place) in enumerate(places.items(), 2):
            time.sleep(MOMENT)
            for part in [key] if key.startswith("\x1b") else key:
                shown.type(part)
                time.sleep(MOMENT / 5)
            shown.wait_for(CLEARED, times)
            shown.wait_for("q: quit", times)
            assert any(f"Move {place} of 12" in line for line in shown.screen), (key, shown.screen)
        shown.type("q")
        assert shown.process.wait(PATIENCE) == 0
    finally:
        shown.process.kill()
