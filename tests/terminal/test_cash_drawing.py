"""CASH in the terminal: what the table shows of firms, offers and hands, and that it fits 80 by 24."""

import io
from random import Random

import pytest
from rich.console import Console

import kibitz
from kibitz.core.state import State
from kibitz.core.words import LANGUAGES, catalogue
from kibitz.terminal.drawing import Scene, drawing_of
from kibitz.terminal.narration import Narrator
from kibitz.terminal.screen import picture, show
from tests.games.cash.positions import position, state_of

HEIGHT = 24


def lines_of(state: State, seat: int | None = 0, language: str = "en", width: int = 80) -> list[str]:
    game = state.game
    words = catalogue(language, game.package, "kibitz.terminal")
    names = tuple("You" if other == seat else f"Medium bot {other}" for other in range(state.players))
    log = Narrator(game, words, names, seat).lines(state.log(seat))
    moves = state.legal_moves if state.turn == seat else ()
    scene = Scene(game, words, state.view(seat), names, seat, moves, log, fresh=2)
    console = Console(width=width, height=HEIGHT, file=io.StringIO(), color_system=None)
    show(console, picture(scene, drawing_of("cash"), [], width, HEIGHT))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue().splitlines()


def test_a_firm_is_one_line() -> None:
    made = position(
        own="cash-25 cash-50 cover-25:cash-5,cash-10 venture taxman",
        their=["probe-crime"],
        scores=[245_500, -30_000],
        lost=[0, 2],
    )
    lines = lines_of(state_of(made))
    (mine,) = [line for line in lines if "p0 You" in line]
    assert mine.split()[3:] == ["$245.5k", "8▮", "✓", "25", "50", "[5", "10]", "V", "T"]
    (theirs,) = [line for line in lines if "p1 Medium" in line]
    assert theirs.split()[4:] == ["-$30k", "7▮", "!crime", "-2⟲"]


def test_the_own_hand_is_shown_and_no_other() -> None:
    state = state_of(position("cash-75 stop", others=["bankruptcy"]))
    shown = "\n".join(lines_of(state))
    assert "cash-75" in shown
    assert "bankruptcy" not in shown
    assert "cash-75" not in "\n".join(lines_of(state, seat=None))


def test_an_offer_is_shown_to_each_as_far_as_they_may_see_it() -> None:
    state = state_of(position("cash-75 stop", own="cash-25", others=["taxman", "stop"]))
    for move in ("trade p1", "give cash-75"):
        state.play(move)
    assert any("p0 offers p1: cash-75 for nothing" in line for line in lines_of(state))
    assert any("p0 is preparing an offer for p1" in line for line in lines_of(state, seat=1))
    for move in ("give firm cash-25", "want taxman", "propose"):
        state.play(move)
    assert any("p0 offers p1: cash-75, firm cash-25 for taxman" in line for line in lines_of(state, seat=1))
    assert any("p0 offers p1: ?, firm cash-25 for ?" in line for line in lines_of(state, seat=2))


def test_who_is_offered_something_is_spoken_to() -> None:
    state = state_of(position("cash-75 stop", others=["taxman"]))
    for move in ("trade p1", "give cash-75", "want taxman", "propose"):
        state.play(move)
    for language, told in {"en": "Ana offers you: cash-75", "es": "Ana te ofrece: cash-75"}.items():
        words = catalogue(language, state.game.package, "kibitz.terminal")
        for seat, spoken_to in {0: False, 1: True, None: False}.items():
            lines = Narrator(state.game, words, ("Ana", "Bea"), seat).lines(state.log(1))
            assert any(told in line for line in lines) == spoken_to


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_fits_with_eight_players(language: str) -> None:
    chooser = Random(3)
    state = kibitz.game("cash").deal(8, seed=5, rounds=1)
    phases = set()
    for number in range(400):
        if state.over:
            break
        if number % 4 == 0 or state.phase not in phases:
            phases.add(state.phase)
            for seat in (state.turn, None):
                lines = lines_of(state, seat, language)
                assert len(lines) < HEIGHT
                assert all(len(line) <= 80 for line in lines)
        state.play(chooser.choice([move for move in state.legal_moves if str(move) != "play stop"]))
    assert phases >= {"action", "offer", "answer", "passing"}
