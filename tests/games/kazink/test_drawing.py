"""Kazink! in the terminal: what the table shows, that it fits 80 by 24, and that a turn is one line."""

import io
from typing import Any

import pytest
from rich.console import Console
from rich.text import Text

import kibitz
from kibitz.core.sentences import Speaker
from kibitz.core.state import State
from kibitz.terminal.drawing import drawing_of
from kibitz.terminal.play import Sitting
from kibitz.terminal.setup import new_setup
from tests.games.drawing import assert_it_fits, lines_of, scene_of
from tests.games.kazink.positions import start

NOTE = Text("Space b2 is of suit S: H can't be played there. " * 3)
GAME = kibitz.game("kazink")
BOARD = {"a1": "YY", "b1": "B", "c1": "YBYBYBY", "a2": "BYYY", "b2": "Y"}


def state_of(hand: list[str], board: dict[str, str], players: int = 2, **changes: Any) -> State:
    """Seat 0 in turn with a hand; all others have three clubs."""
    return start(" ".join(hand), board, others=["C C C"] * (players - 1), **changes)


def test_the_table_shows_suits_stacks_crowns_players_and_the_hand() -> None:
    lines = "\n".join(lines_of(scene_of(state_of(["S", "W", "U"], BOARD))))
    for part in (
        "Kazink!",
        "Rows to win: 2",
        "1 │♠ YY    │♥ B     │♦ …BYBY │♣       │",
        "2 │♥ ♛ Y   │♠ Y     │",
        "│S   ♠││W   ✱││U   ⇈│",
        "▶Y You",
        "B Medium",
        "0/2",
    ):
        assert part in lines


def test_the_bordered_rank_is_drawn_only_where_it_is_in_the_game() -> None:
    assert "6 │" not in "\n".join(lines_of(scene_of(GAME.deal(2, seed=1))))
    assert "6 │" in "\n".join(lines_of(scene_of(GAME.deal(3, seed=1))))
    assert "5 │" not in "\n".join(lines_of(scene_of(GAME.deal(2, seed=1, board="20"))))


@pytest.mark.parametrize(
    ("pool", "chips"), [("divided", [17, 16, 9, 15]), ("shared", [26, 31, 26, 31])], ids=["divided", "shared"]
)
def test_partners_have_one_colour_and_one_count_and_chips_by_the_pool(pool: str, chips: list[int]) -> None:
    state = state_of(["S"], BOARD, players=4, options={"pool": pool}, seat_chips=chips)
    lines = lines_of(scene_of(state))
    assert [line[39:].split()[-4:] for line in lines if "/3" in line] == [
        [str(chips[0]), "1", "0/3", "1"],
        [str(chips[1]), "0", "0/3", "3"],
        [str(chips[2]), "1", "0/3", "3"],
        [str(chips[3]), "0", "0/3", "3"],
    ]


def test_a_move_that_makes_a_crown_is_marked() -> None:
    scene = scene_of(state_of(["S", "W", "K", "U"], BOARD))
    meaning = drawing_of("kazink").meaning
    marked = [str(move) for move in scene.moves if meaning(scene, move) == "♛"]
    assert marked == ["S a1", "W a1", *(str(move) for move in scene.moves if str(move).startswith("K "))]
    state = state_of(["S", "U"], {"a1": "YY", "b2": "Y", "d1": "BYY"})
    state.play("U")
    scene = scene_of(state)
    marked = [str(move) for move in scene.moves if meaning(scene, move) == "♛"]
    assert {"shift a1 b2 2", "shift b2 a1 1", "shift a1 d1 1"} <= set(marked)
    assert "shift a1 b2 1" not in marked


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("hand", [["W", "W", "K", "U", "S"], ["S", "H", "D", "C", "W"]])
def test_the_fullest_table_fits_80_by_24(language: str, players: int, hand: list[str]) -> None:
    state = state_of(hand, BOARD, players, options={"board": "24", "dealer": "random", "hand": 5})
    for seat in (0, 1, None):
        lines = lines_of(scene_of(state, seat, language), notes=[NOTE])
        assert_it_fits(lines)


@pytest.mark.parametrize("width", [50, 60, 80, 120])
def test_the_table_is_never_wider_than_the_terminal(width: int) -> None:
    for line in drawing_of("kazink").table(scene_of(state_of(["S", "W", "U"], BOARD)), width):
        assert line.cell_len <= width


def lines_after(state: State, *moves: str) -> tuple[str, ...]:
    for move in moves:
        state.play(move)
    return scene_of(state).lines


def test_a_double_up_is_one_line_that_grows_with_its_steps() -> None:
    board = {"a1": "YY", "b2": "Y"}
    state = state_of(["S", "U"], board)
    assert lines_after(state, "U") == ("You play a double-up.",)
    assert lines_after(state, "shift a1 b2 1") == ("You play a double-up and shift 1 chip from a1 to b2.",)
    *lines, drawn = lines_after(state, "place c3")
    assert lines == ["You play a double-up: 1 chip from a1 to b2, and one on c3."]
    assert drawn.startswith("You draw ")
    state = state_of(["S", "U"], board)
    assert lines_after(state, "U", "stay") == ("You play a double-up and shift nothing.",)
    assert lines_after(state, "place a1")[:2] == (
        "You play a double-up: a chip on a1.",
        "You have a crown on a1.",
    )


def test_a_crown_is_told_where_it_is_also_if_a_shift_lays_it_bare() -> None:
    """A position may hold three equal chips beneath others; a game never comes to that."""
    state = state_of(["S", "U"], {"a1": "BBBY", "b2": "YY"})
    assert lines_after(state, "U", "shift a1 b2 1")[1:] == (
        "You have a crown on b2.",
        "Medium bot 1 has a crown on a1.",
    )


def test_each_step_reads_well_alone_for_the_page() -> None:
    state = state_of(["S", "U"], {"a1": "YY", "b2": "Y"})
    speaker = Speaker(GAME.words("en"), ["Ada", "Bob"])
    for move, sentence in (
        ("U", "Ada plays a double-up."),
        ("shift a1 b2 2", "Ada shifts 2 chips from a1 to b2."),
        ("place c3", "Ada places a chip on c3."),
    ):
        before = len(state.log(None))
        state.play(move)
        first = GAME.sentences(state.log(None)[before:])[0]
        assert speaker.tell(first) == sentence


def test_what_others_draw_is_not_told_and_what_i_draw_is() -> None:
    state = state_of(["S", "H"], {})
    state.play("S b2")
    state.play("C d1")
    mine, theirs = scene_of(state).lines
    assert mine.startswith("You play S on b2 and draw ")
    assert theirs == "Medium bot 1 plays C on d1."


def test_undo_takes_back_one_step_and_a_step_is_news() -> None:
    found = Sitting(new_setup("kazink", seed=5, level="easy"), "en", Console(file=io.StringIO()))
    found.begin(state_of(["S", "U"], {"a1": "YY", "b2": "Y"}))
    found.try_move("U", 0)
    found.try_move("shift a1 b2 1", 0)
    assert found.state.phase == "place"
    assert found.scene().lines == ("You play a double-up and shift 1 chip from a1 to b2.",)
    assert found.scene().fresh == 1
    found.do_undo("")
    assert found.state.phase == "shift"
    assert found.scene().lines == ("You play a double-up.",)
    found.do_undo("")
    assert found.state.phase == "turn"
    assert found.scene().lines == ()
