"""A game without a drawing of its own is drawn plainly."""

import pytest

import kibitz
from kibitz.core.game import Game
from tests.conftest import brief, some_move
from tests.games.drawing import WIDTH, lines_of, scene_of


@pytest.fixture(autouse=True)
def _no_drawings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kibitz.terminal.drawing.find_spec", lambda name: None)


def test_any_game_has_a_plain_drawing() -> None:
    state = kibitz.game("kaching").deal(seed=5, starter=0)
    lines = "\n".join(lines_of(scene_of(state)))
    for part in ("columns:", "stocks:", "You: ", "Medium bot 1: ", "money:", "1 buy"):
        assert part in lines


@pytest.mark.parametrize("width", [60, WIDTH])
def test_the_plain_drawing_is_no_wider_than_the_terminal(game: Game, width: int) -> None:
    state = brief(game, seed=5)
    for _ in range(20):
        if not state.over:
            state.play(some_move(state))
    assert max(map(len, lines_of(scene_of(state), width))) <= width
