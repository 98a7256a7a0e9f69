"""The table on the screen: what it shows, and that it fits."""

import io
from typing import Any

import pytest
from rich.console import Console
from rich.text import Text

import kibitz
from kibitz.terminal.play import Sitting
from kibitz.terminal.result import scores
from kibitz.terminal.screen import picture, show
from kibitz.terminal.setup import new_setup
from tests.games.drawing import HEIGHT, assert_it_fits, lines_of

NOTE = Text("You can buy or sell, so you may not pass, even if every trade is a bad one. [K3] " * 2)

COLUMNS = [
    ["R2", "R2", "R3", "R3", "R4", "R5", "R6"],
    ["Y2", "Y2", "Y3", "Y3", "Y4", "Y5", "Y6"],
    ["G2"],
    ["B2"],
    ["P2"],
]


def sitting(language: str = "en", **settings: Any) -> Sitting:
    found = Sitting(
        new_setup("kaching", seed=5, level="easy", **settings), language, Console(file=io.StringIO())
    )
    found.begin(found.setup.deal())
    return found


def at_position(language: str = "en", **changes: Any) -> Sitting:
    """A position with some keys as given; `sold` follows."""
    found = sitting(language, options=["starter=0"])
    position = found.state.position() | changes
    cards = sum(map(len, position["columns"])) + sum(map(len, position["stocks"])) + sum(position["wilds"])
    found.begin(found.game.from_position(position | {"sold": 37 - cards}, seed=1))
    return found


def whole_stock(colours: str) -> list[str]:
    return [f"{colour}{value}" for colour in colours for value in (2, 2, 3, 3, 4, 5, 6)]


# What it shows


def test_the_table_at_the_beginning() -> None:
    lines = "\n".join(lines_of(sitting().scene(), 80))
    for part in ("Ka-Ching!", "Your turn", "$20  W ✱", "$?  W ✱", "R ●", "Y ▲", "G ■", "B ◆", "P ★", "buy 5"):
        assert part in lines


def test_a_stock_shows_its_values_and_its_best_pair() -> None:
    found = at_position(columns=[["R2"], ["Y2"], ["G2"], ["B2"], ["P2"]], stocks=[["R3", "R3", "R6"], ["G5"]])
    lines = lines_of(found.scene(), 80)
    assert any("3 3 6 ($18)" in line for line in lines)
    assert any("sell R3 R6  $18" in line for line in lines)


def test_what_is_too_dear_is_not_offered() -> None:
    found = at_position(columns=COLUMNS, money=[5, 5])
    lines = "\n".join(lines_of(found.scene(), 80))
    assert "buy 1" not in lines
    assert "buy 3  G2 $2" in lines


def test_the_last_sale_stands_out_and_counts_from_one() -> None:
    found = at_position(
        columns=[[], [], [], ["B2"], ["P2"]],
        stocks=[["R3", "R6"], []],
        phase="last sale",
        closing=2,
        wilds=[False] * 2,
    )
    lines = "\n".join(lines_of(found.scene(), 80))
    assert "Last sale: sell one pair or pass" in lines
    assert " 1 sell R3 R6  $18" in lines
    assert " 2 pass" in lines


def test_the_other_trader_stands_at_the_right_hand() -> None:
    (names,) = [line for line in lines_of(sitting().scene(), 80) if "▶ You" in line]
    assert names.index("You") < names.index("Easy bot")


def test_a_hint_is_marked_in_the_list() -> None:
    found = sitting()
    found.hinted = found.state.legal_moves[2]
    assert any(" 3→buy 3" in line for line in lines_of(found.scene(), 80))


# That it fits


def many_moves() -> Sitting:
    """Two columns of seven, and all else with the trader in turn: the most there can be to show."""
    columns = [whole_stock("R"), whole_stock("Y"), ["G6"], [], []]
    stock = [card for card in whole_stock("GBP") if card != "G6"]
    return at_position(columns=columns, stocks=[stock, []], money=[50, 50])


def position_after(moves: int, language: str = "en", **settings: Any) -> Sitting:
    found = sitting(language, **settings)
    players = [kibitz.bot("easy", found.game, seed=seat) for seat in range(2)]
    while found.state.turn is not None and len(found.state.history) < moves:
        found.state.play(players[found.state.turn].choose(found.state.observation(found.state.turn)))
    return found


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("moves", [0, 1, 7, 15, 22, 30, 38, 46])
def test_table_and_prompt_fit_80_by_24(moves: int, language: str) -> None:
    lines = lines_of(position_after(moves, language).scene(), 80, [NOTE])
    assert_it_fits(lines)


def test_a_series_fits_as_well() -> None:
    lines = lines_of(position_after(60, "es", options=["series=total", "rounds=20"]).scene(), 80, [NOTE])
    assert len(lines) <= HEIGHT


def test_the_fullest_stock_fits_80_by_24() -> None:
    found = many_moves()
    assert len(found.state.legal_moves) > 40
    lines = lines_of(found.scene(), 80, [NOTE])
    assert len(lines) <= HEIGHT
    assert any("more: type moves to see them" in line for line in lines)
    assert any("2233456 ($30)" in line for line in lines)


def test_the_end_with_its_result_fits_80_by_24() -> None:
    found = position_after(500)
    lines = lines_of(found.scene(), 80, scores(found.state, found.words, found.names(), 80))
    assert len(lines) <= HEIGHT
    assert any("Both have made their last sale." in line for line in lines)


@pytest.mark.parametrize("width", [40, 60, 79, 100, 200])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    for found in (position_after(20), many_moves()):
        assert max(map(len, lines_of(found.scene(), width, [NOTE]))) <= width


def test_without_colours_letters_and_shapes_tell_the_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    console = Console(width=80, file=io.StringIO(), force_terminal=True)
    found = sitting()
    show(console, picture(found.scene(), found.drawing, [], 80, HEIGHT))
    assert isinstance(console.file, io.StringIO)
    printed = console.file.getvalue()
    assert "\x1b[38" not in printed
    assert "\x1b[48" not in printed
    free = found.state.position()["columns"][0][-1]
    assert f"│{free}  " in printed
