"""What games count for statistics: it agrees with the scores, and can be said in every language."""

from random import Random

import pytest

from kibitz.core.events import RoundScored, SeatScore, Took
from kibitz.core.game import Game
from kibitz.core.state import State
from kibitz.core.tallies import ROUND, SEAT, Tally, tally
from kibitz.core.words import LANGUAGES

MOST_MOVES = 4000  # random players of CASH trade much


def played(game: Game) -> State:
    chooser = Random(1)
    state = game.deal(min(3, max(game.players)), seed=1)
    while not state.over and len(state.history) < MOST_MOVES:
        state.play(chooser.choice(state.legal_moves))
    return state


def tally_of(state: State) -> Tally:
    return tally(state.game.tallies, state.log(None), state.players)


@pytest.fixture
def state(game: Game) -> State:
    if not game.tallies:
        pytest.skip("It counts nothing.")
    return played(game)


def test_every_kind_is_counted_and_has_words(state: State) -> None:
    found = tally_of(state)
    for language in LANGUAGES:
        words = state.game.words(language)
        keys = {key for seats in found.values() for counts in seats for key in counts}
        keys = {key for key in keys if not key.startswith((ROUND, SEAT))} | {
            f"tally.{kind}" for kind in found
        }
        assert [key for key in keys if key not in words] == []
    assert all(any(seats) for seats in found.values()), found


def test_rounds_add_up_to_the_scores(state: State) -> None:
    if "rounds" not in state.game.tallies:
        pytest.skip("Its rounds aren't counted.")
    last = [event for event in state.log(None) if isinstance(event, RoundScored)][-1]
    for seat, counts in enumerate(tally_of(state)["rounds"]):
        assert sum(counts.values()) == state.scores[seat] - capital(last.seats[seat])


def capital(score: SeatScore) -> int:
    """What Ka-Ching!'s players have before they begin."""
    steps = {step.name: step.amount for step in score.steps}
    return steps["money"] - steps["profit"] if "profit" in steps else 0


def test_cards_that_were_taken_from_others_are_steals(state: State) -> None:
    if "steals" not in state.game.tallies:
        pytest.skip("There is no stealing.")
    taken = [one for one in state.log(None) if isinstance(one, Took) and one.source is not None]
    counted = sum(sum(counts.values()) for counts in tally_of(state)["steals"])
    assert 0 < counted <= len(taken)
