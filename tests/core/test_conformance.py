"""Every game keeps its promises; and the checks that say so catch a game that doesn't."""

from collections.abc import Callable

import pytest

import kibitz
from kibitz.core import conformance, registry
from kibitz.core.conformance import Broken, check_game, check_leaks
from kibitz.core.game import Game
from kibitz.core.kernel import JIT
from kibitz.core.state import State
from tests.campaigns import size
from tests.conftest import GAMES
from tests.core.mutants import BROKEN_GAMES, LEAKS, Defect
from tests.core.worlds import WORLDS, tiny_view

GAMES_PLAYED = size(24) if JIT else 4  # interpreted it takes its time
GAMES_WITH_LEAKS_SOUGHT = size(100)
Plant = Callable[[Defect], Game]


def named(defect: Defect) -> str:
    return defect.wrong.replace(" ", "-")


@pytest.fixture
def plant(monkeypatch: pytest.MonkeyPatch) -> Plant:
    """Registers the game with a defect, for the length of a test."""

    def planted(defect: Defect) -> Game:
        game = defect.game
        monkeypatch.setitem(registry._games, game.name, game)
        for name, part in defect.core.items():
            monkeypatch.setattr(State, name, part, raising=False)
        return game

    return planted


@pytest.mark.campaign
@pytest.mark.interpreted
def test_every_game_keeps_its_promises(game: Game) -> None:
    """Interpreted, what is out of range or overflows is an error, too."""
    assert check_game(game, GAMES_PLAYED) >= 10 * GAMES_PLAYED


def test_every_game_has_a_yardstick_for_leaks() -> None:
    assert set(GAMES) <= WORLDS.keys()


@pytest.mark.campaign
@pytest.mark.parametrize("name", GAMES)
def test_twin_worlds_look_the_same_to_who_cannot_see_the_difference(name: str) -> None:
    world = WORLDS[name]
    compared = check_leaks(
        kibitz.game(name), world.view, GAMES_WITH_LEAKS_SOUGHT, compare_memory=not world.known
    )
    assert compared >= 2 * GAMES_WITH_LEAKS_SOUGHT


@pytest.mark.parametrize("defect", BROKEN_GAMES, ids=named)
def test_a_broken_promise_is_found(defect: Defect, plant: Plant) -> None:
    with pytest.raises(Broken, match=defect.says):
        check_game(plant(defect))


@pytest.mark.parametrize("leak", LEAKS, ids=named)
def test_a_leak_is_found(leak: Defect, plant: Plant) -> None:
    with pytest.raises(Broken, match=leak.says):
        check_leaks(plant(leak), tiny_view, games=40)


def test_the_mutants_game_without_a_defect_passes(plant: Plant) -> None:
    sound = Defect("nothing", "")
    check_game(plant(sound))
    check_leaks(plant(sound), tiny_view, games=40)


def test_a_broken_promise_says_how_to_see_it_again(plant: Plant) -> None:
    defect = next(defect for defect in BROKEN_GAMES if defect.wrong == "a field out of bounds")
    with pytest.raises(Broken, match=r"Tiny, Setting\(players=\d, seed=\d+, options=\{\}\): hidden"):
        check_game(plant(defect))


def test_random_settings_cover_all_numbers_of_players_and_all_options(game: Game) -> None:
    made = list(conformance.settings(game, games=80, seed=3))
    assert {setting.players for setting in made} == set(game.players)
    for option in game.options:
        values = {setting.options[option.name] for setting in made}
        exact = [choice for choice in option.choices(2) if not isinstance(choice, range)]
        assert values >= set(exact)
    assert len({setting.seed for setting in made}) == len(made)
