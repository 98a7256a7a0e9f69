"""Advice says what a move does, how likely it wins, and a reason only where that holds in most worlds."""

import pytest

import kibitz
from kibitz.bots.advice import DIFFERENCE, MOST, Advice, Kind, advise, what_follows
from kibitz.core.game import Game
from kibitz.core.sentences import Seat
from kibitz.core.state import State
from tests.bots.test_analysis import deciding

DOUBT = 0.2  # by which a share may differ in other worlds


def advised(state: State, seed: int = 1) -> tuple[Advice, ...]:
    return advise(state.observation(state.turn), nodes=200, seed=seed)


def moments(game: Game) -> list[State]:
    """Some moments of a game between easy bots in which there is a choice."""
    state = game.deal(seed=3)
    bot = kibitz.bot("easy", game, seed=1)
    found = []
    for _ in range(60):
        if state.turn is None:
            break
        if len(state.legal_moves) > 2:
            found.append(state.copy())
        state.play(bot.choose(state.observation(state.turn)))
    return found[::6]


def test_the_best_moves_come_first_and_say_what_they_surely_do(game: Game) -> None:
    state = deciding(game)
    advice = advised(state)
    assert 1 <= len(advice) <= 3
    assert advice[0].move == kibitz.analyse(state.observation(state.turn), nodes=200, seed=1).best.move
    for one in advice:
        assert one.move in state.legal_moves
        assert list(one.told) == game.sentences(state.observation(state.turn).preview(one.move))


def test_it_hangs_on_nothing_that_the_seat_can_not_see(game: Game) -> None:
    state = deciding(game)
    other = state.observation(state.turn).imagine(5)
    assert advised(other) == advised(state)


@pytest.mark.parametrize("name", ["kaching", "match", "assets", "kazink"])
def test_a_reason_holds_in_most_worlds_and_is_the_seats_own(name: str) -> None:
    """In worlds other than those in which it was found, too."""
    game = kibitz.game(name)
    given = 0
    for state in moments(game):
        seen = state.observation(state.turn)
        advice = advised(state)
        for number, one in enumerate(advice):
            rival = advice[1 if number == 0 else 0]
            for reason in one.reasons:
                given += 1
                assert reason.share > MOST
                brings = reason.kind is Kind.BRINGS
                after, instead = (one, rival) if brings else (rival, one)
                assert (reason.sentence.data["seat"] == Seat(seen.seat or 0)) is brings
                share = what_follows(seen, after.move, seed=77).share(reason.sentence)
                less = what_follows(seen, instead.move, seed=77).share(reason.sentence)
                assert share > MOST - DOUBT
                assert less < share - DIFFERENCE + 2 * DOUBT
    assert given


def test_a_purchase_is_advised_because_of_the_sale_that_follows() -> None:
    """Ka-Ching!: a second red card makes a pair that sells for more than both cost."""
    game = kibitz.game("kaching")
    advice = [one for state in moments(game) for one in advised(state)]
    sales = [
        reason.sentence.key
        for one in advice
        for reason in one.reasons
        if str(one.move).startswith("buy") and reason.sentence.key == "log.sell"
    ]
    assert sales
