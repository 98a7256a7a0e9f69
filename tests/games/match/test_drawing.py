"""MATCH! in the terminal: what the table shows, and that it fits 80 by 24, up to six players."""

import io
import re
from typing import Any

import pytest
from rich.console import Console
from rich.text import Text

import kibitz
from kibitz.terminal.drawing import Scene
from kibitz.terminal.play import Sitting
from kibitz.terminal.setup import new_setup
from tests.games.drawing import HEIGHT, assert_it_fits, lines_of, scene_of
from tests.games.match.positions import finished, position, start, state_of

NOTE = Text("Your collection shows B3, which fits R3: you may not collect. [M1] " * 2)


def full_table() -> dict[str, Any]:
    """Six players, collections in every colour, a joker in the hand: the most there can be to show."""
    their = ["R5 R1 Y3 G2 B4 P5", "R0 Y0 G0 B0 P0", "R2 Y2 P2 B5", "G5 G3", "Y4 Y5"]
    others = ["R3 R4", "Y1 Y1", "G4 G4", "B1 B1", "P3 P4"]
    own = "R5 R0 Y0 G1 G0 B5 P0 P5"
    return position(
        "R4 Y2 G3 B3 W", top="P1", own=own, others=others, their=their, scores=[44, -31, 9, 0, 7, 49]
    )


def test_the_table_shows_the_piles_the_hand_and_all_collections() -> None:
    lines = "\n".join(lines_of(scene_of(state_of(full_table()))))
    for part in ("MATCH!", "│P1  ★│", "│R4  ●│", "│W   ✱│", "▶ You", "R ●", "Worth", "0+1", "-31"):
        assert part in lines


def test_the_others_hands_are_not_shown_but_counted() -> None:
    lines = lines_of(scene_of(start("R1 R3", top="R2", others=["B5 B4 B4"])))
    assert not any("B5" in line or "B4" in line for line in lines)
    (row,) = [line for line in lines if "Medium bot 1" in line]
    assert row.split()[-2:] == ["3", "0"]


@pytest.mark.parametrize(("called", "said"), [("R", "red"), ("3", "✱ 3")])
def test_a_call_stands_above_the_joker(called: str, said: str) -> None:
    lines = "\n".join(lines_of(scene_of(start("R1", top="W", called=called))))
    assert said in lines
    assert "│W   ✱│" in lines


PILES = "R5 Y4 Y5 Y0 P0 P2 P4 P3 P2 P1"


@pytest.mark.parametrize("width", [80, 45])
@pytest.mark.parametrize(("own", "their", "name"), [(PILES, "", "You"), ("", PILES, "Mediu")])
def test_of_a_pile_the_top_is_drawn_and_how_many_lie_beneath(
    own: str, their: str, name: str, width: int
) -> None:
    """[M9]"""
    state = start("G5", top="R3", own=own, their=[their])
    (row,) = [line for line in lines_of(scene_of(state), width) if line[2:].startswith(name)]
    assert re.findall(r" (5|\d\+\d) ", row)[:3] == ["5", "0+2", "1+5"]


def test_what_a_collection_is_worth_is_told_of_the_own_until_the_game_is_over() -> None:
    """The sum would tell of the cards beneath. [M9]"""
    state = start("G5", top="R3", own="R5 R1", their=["Y4 Y5"])
    worth = {seat: rows(scene_of(state, seat)) for seat in (0, 1, None)}
    assert worth == {0: ["6", "·"], 1: ["9", "·"], None: ["·", "·"]}
    over = state_of(finished(own="R5 R1", their=["Y4 Y5"]))
    assert rows(scene_of(over)) == ["6", "9"]


def rows(scene: Scene) -> list[str]:
    """What stands under Worth, the viewer's first."""
    lines = [line for line in lines_of(scene) if re.search(r" -?\d+$", line)]
    return [line.split()[-3] for line in lines]


def test_own_piles_are_opened_on_demand_and_all_if_one_asks_for_all() -> None:
    """[M9]"""
    sitting = Sitting(new_setup("match", seed=5, level="easy"), "en", console := Console(file=io.StringIO()))
    sitting.begin(start("G5", top="R3", own="R5 R1 B0", their=["Y4 Y5"]))
    assert isinstance(console.file, io.StringIO)
    sitting.do_look("")
    assert "You: R5 R1   B0" in console.file.getvalue()
    assert "Y4" not in console.file.getvalue()
    sitting.do_look("all")
    assert "Y4 Y5" in console.file.getvalue()


def test_moves_say_what_they_bring() -> None:
    lines = "\n".join(lines_of(scene_of(start("G5 W", top="R2"))))
    assert "collect G5  +5" in lines
    assert "wild B  blue" in lines
    assert "match B3 collection  -3" in "\n".join(lines_of(scene_of(start("G5", top="R3", own="B3"))))


def test_an_empty_deck_and_a_spectator_have_their_looks() -> None:
    state = start("G5", top="R3", deck="")
    assert any("╎     ╎" in line for line in lines_of(scene_of(state)))
    looking_on = "\n".join(lines_of(scene_of(state, seat=None)))
    assert "Your hand" not in looking_on
    assert "G5" not in looking_on


@pytest.mark.parametrize("language", ["en", "es"])
def test_six_players_with_all_there_is_fit_80_by_24(language: str) -> None:
    state = state_of(full_table())
    assert len(state.legal_moves) >= 12
    lines = lines_of(scene_of(state, language=language), 80, [NOTE])
    assert_it_fits(lines)


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_every_moment_of_a_game_fits_80_by_24(players: int) -> None:
    state = kibitz.game("match").deal(players=players, seed=players, rounds=2)
    while not state.over:
        if len(state.history) % 9 == 0:
            lines = lines_of(scene_of(state, state.turn), 80, [NOTE])
            assert_it_fits(lines)
        state.play(state.legal_moves[len(state.history) % len(state.legal_moves)])
    assert len(lines_of(scene_of(state), 80)) <= HEIGHT


@pytest.mark.parametrize("width", [40, 60, 79, 100, 200])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    assert max(map(len, lines_of(scene_of(state_of(full_table())), width, [NOTE]))) <= width


def test_a_hand_of_many_cards_is_a_list() -> None:
    state = start("R0 R1 R3 R4 R5 Y0 Y1 Y2 Y3 Y4 G0 G1", top="B5", others=["W"])
    assert any("R0 R1 R3 R4 R5 Y0 Y1 Y2 Y3 Y4 G0 G1" in line for line in lines_of(scene_of(state)))
