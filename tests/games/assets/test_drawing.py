"""The table in the terminal: what it shows, and that it fits."""

import io
from random import Random
from typing import Any

import pytest
from rich.console import Console
from rich.text import Text

from kibitz.games.assets.box import CARDS
from kibitz.terminal.drawings import assets
from kibitz.terminal.play import Sitting
from kibitz.terminal.result import scores
from kibitz.terminal.setup import new_setup
from tests.games.assets.positions import duel, position
from tests.games.drawing import HEIGHT, WIDTH, assert_it_fits, lines_of

NOTE = Text(
    "You have no card that fits, so you must yield, which the others may take as they like. [A8] " * 2
)
STACKS = ["bank bank", "coins coins | home home gold"]


def sitting(players: int = 2, language: str = "en", **settings: Any) -> Sitting:
    setup = new_setup("assets", players=players, seed=5, level="easy", **settings)
    found = Sitting(setup, language, Console(file=io.StringIO()))
    found.begin(found.setup.deal())
    return found


def at(made: dict[str, Any], language: str = "en") -> Sitting:
    found = sitting(made["players"], language)
    found.begin(found.game.from_position(made, seed=1))
    return found


def test_every_card_has_a_colour() -> None:
    assert set(assets.COLOURS) == set(CARDS.numbers)


def test_the_table_shows_seats_top_sets_pile_and_hand() -> None:
    lines = "\n".join(
        lines_of(at(position(["home auto gold", "piggy"], STACKS, discard="auto jewels")).scene())
    )
    for part in (
        "Cover Your Assets",
        "▶ p0 You",
        "│home ×2 +G $90k│",
        "1 ▤ $20k",
        "(safe)",
        "Pile 2",
        "│jewels  │",
    ):
        assert part in lines
    for part in ("│home    │", "│gold    │", "$50k", "pair home gold  $70k", "steal p1 with home  $90k"):
        assert part in lines


def test_nobody_elses_hand_is_drawn() -> None:
    lines = "\n".join(lines_of(at(position(["home auto gold", "piggy stamps"], STACKS)).scene()))
    assert "stamps" not in lines
    assert "▮▮ " in lines


def test_a_duel_shows_its_cards_in_order() -> None:
    made = position(["home auto", "piggy stamps"], STACKS, phase="duel", duel=duel(0, 1, "home", "silver"))
    lines = "\n".join(lines_of(at(made).scene()))
    assert "Duel for home: p0 against p1: p0  home  p1  silver" in lines
    assert "press with home" in lines


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("players", [2, 4, 6])
def test_table_and_prompt_fit_80_by_24(players: int, language: str) -> None:
    found = sitting(players, language, options=["hand=5"])
    rng = Random(players)
    for _ in range(300):
        if found.state.over:
            break
        found.state.play(rng.choice(found.state.legal_moves))
        if rng.random() < 0.1:
            lines = lines_of(found.scene(), WIDTH, [NOTE])
            assert_it_fits(lines)


@pytest.mark.parametrize("width", [40, 60, 100, 200])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    found = at(position(["home auto gold silver", "piggy"], STACKS, discard="home"))
    assert max(map(len, lines_of(found.scene(), width, [NOTE]))) <= width


def test_the_end_with_its_result_fits() -> None:
    found = sitting(6, options=["rounds=1"])
    rng = Random(1)
    while not found.state.over:
        found.state.play(rng.choice(found.state.legal_moves))
    lines = lines_of(found.scene(), WIDTH, scores(found.state, found.words, found.names(), WIDTH))
    assert len(lines) <= HEIGHT


def test_cards_are_painted_in_the_log() -> None:
    painted = assets.paint("p0 lays a set: home and gold.")
    assert [painted.plain[span.start : span.end] for span in painted.spans] == ["home", "gold"]
