"""A preview tells what a move surely does by what its seat knows, and nothing that it can't know."""

import pytest

import kibitz
from kibitz.core import preview
from kibitz.core.events import AnyEvent, Drew, Lost, MoneyChanged, Moved, Revealed, Took
from kibitz.core.game import Game
from kibitz.core.state import State
from tests.conftest import brief, some_move
from tests.games.cash.positions import start

STEPS_BETWEEN = 7  # of a game, from one look to the next


def looks(game: Game, players: int) -> list[State]:
    """Some states of a whole game."""
    state = brief(game, seed=players, players=players)
    found = []
    while not state.over and len(state.history) < 40 * STEPS_BETWEEN:
        if len(state.history) % STEPS_BETWEEN == 0:
            found.append(state.copy())
        state.play(some_move(state))
    return found


def told_by(state: State, move: str, seat: int) -> tuple[AnyEvent, ...]:
    """What a seat is told when the move is really made."""
    before = len(state.log(seat))
    played = state.copy()
    played.play(move)
    return played.log(seat)[before:]


def test_what_was_previewed_then_happens(game: Game) -> None:
    for players in (game.players.start, game.players.stop - 1):
        for state in looks(game, players):
            assert state.turn is not None
            for move in state.legal_moves[:5]:
                sure = state.preview(move)
                assert sure[0] == Moved(state.turn, str(move))
                assert told_by(state, str(move), state.turn)[: len(sure)] == sure


def test_two_worlds_with_the_same_view_have_the_same_preview_and_both_keep_it(game: Game) -> None:
    for state in looks(game, game.players.stop - 1):
        seen = state.observation(state.turn)
        assert seen.seat is not None
        worlds = [preview.imagined(seen, preview.generator(seen, number)) for number in range(3)]
        for move in state.legal_moves[-3:]:
            sure = seen.preview(move)
            for world in worlds:
                twin = game.from_bytes(world.tobytes())
                assert twin.view(seen.seat) == seen.view
                assert told_by(twin, str(move), seen.seat)[: len(sure)] == sure


def test_nothing_is_told_from_the_first_draw_on(game: Game) -> None:
    for state in looks(game, game.players.start):
        for move in state.legal_moves[:3]:
            assert not any(isinstance(event, Drew | Revealed) for event in state.preview(move))


def test_a_preview_changes_nothing(game: Game) -> None:
    state = brief(game, seed=1)
    before = bytes(state)
    state.preview(state.legal_moves[0])
    assert bytes(state) == before
    assert not state.history


def test_a_purchase_says_what_it_costs() -> None:
    state = kibitz.game("kaching").deal(seed=7)
    assert state.preview("buy 2") == (Moved(1, "buy 2"), Took(1, "P6", None), MoneyChanged(1, -6))


def test_a_crash_says_what_is_lost_and_not_what_is_passed() -> None:
    told = start("crash license", "cash-5 cash-50").preview("discard crash")
    assert Lost(0, "cash-5") in told
    assert Lost(0, "cash-50") not in told


def test_a_move_that_is_not_legal_is_refused_by_its_rule() -> None:
    state = kibitz.game("kaching").deal(seed=7)
    with pytest.raises(kibitz.IllegalMove) as refused:
        state.preview("pass")
    assert refused.value.rule == "K3"
    with pytest.raises(kibitz.IllegalMove) as refused:
        state.observation(1).preview("pass")
    assert refused.value.rule == "K3"
    with pytest.raises(kibitz.NotYourTurn):
        state.observation(0).preview("buy 1")
