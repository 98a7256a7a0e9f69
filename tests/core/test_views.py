"""Views are what their types say: no key more, no key less, and values of the kinds that are declared."""

from importlib import import_module
from typing import Any, get_type_hints

import msgspec
import pytest

import kibitz
from kibitz.core.state import State
from kibitz.core.views import CommonView
from tests.conftest import some_move

GAMES = 3  # of each, by chance


def declared(game: str) -> Any:
    return import_module(f"kibitz.games.{game}.views").View


def views(state: State) -> list[dict[str, Any]]:
    return [state.view(viewer) for viewer in (None, *range(state.players))]


@pytest.mark.parametrize("game", kibitz.games())
def test_views_are_as_declared(game: str) -> None:
    kind = declared(game)
    for seed in range(GAMES):
        players = kibitz.game(game).players
        state = kibitz.game(game).deal(players=players[seed % len(players)], seed=seed)
        for _ in range(120):
            for view in views(state):
                assert list(view) == list(keys(kind))
                assert msgspec.convert(view, kind) == view, "and nothing within is left out"
            if state.over:
                break
            state.play(some_move(state))


def keys(kind: Any) -> list[str]:
    """The common ones first, as in a view."""
    common = list(get_type_hints(CommonView))
    return [*common, *(key for key in get_type_hints(kind) if key not in common)]


@pytest.mark.parametrize("game", [name for name in kibitz.games() if kibitz.game(name).figures])
def test_figures_are_as_declared_and_leave_the_view_as_it_is(game: str) -> None:
    figures = kibitz.game(game).figures
    assert figures is not None
    kind = import_module(figures.__module__).Figures
    state = kibitz.game(game).deal(seed=1)
    for _ in range(120):
        for viewer in (None, *range(state.players)):
            told, view = state.figures(viewer), state.view(viewer)
            assert list(told) == list(get_type_hints(kind))
            assert msgspec.convert(told, kind) == told, "and nothing within is left out"
            assert told.get("prompt", "title") in kibitz.game(game).words("es"), "what is asked can be said"
            figures(view, viewer, [])
            assert view == state.view(viewer)
        if state.over:
            break
        state.play(some_move(state))


def test_a_wrong_declaration_is_noticed() -> None:
    class View(CommonView):
        columns: list[list[int]]

    with pytest.raises(msgspec.ValidationError, match="columns"):
        msgspec.convert(kibitz.game("kaching").deal(seed=1).view(0), View)
