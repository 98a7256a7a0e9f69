"""How likely seats of MATCH! win by what was learned: signs of what they know, and what is made of them."""

import random
from collections.abc import Iterator

import numpy as np
import pytest

import kibitz
from kibitz.bots import lookahead
from kibitz.bots.heuristics import match, match_signs, match_worths
from kibitz.core.layout import AnyRecord
from kibitz.core.secret import bot_generator
from kibitz.core.state import State
from kibitz.games.match import rules

GAME = kibitz.game("match")


def games_of(players: int, games: int = 3) -> Iterator[State]:
    """Moments of random games."""
    for seed in range(games):
        luck, state = random.Random(seed), GAME.deal(players, seed=seed)
        while not state.over and len(state.history) < 150:
            yield state.copy()
            state.play(luck.choice(state.legal_moves))


def rated(state: State) -> dict[str, float]:
    """How a search rates each legal move."""
    moves = np.array([move.id for move in state.legal_moves], np.int16)
    ratings = np.zeros(len(moves))
    match_worths.rate_all(state.fields(), moves, len(moves), ratings)
    return dict(zip(map(str, state.legal_moves), ratings.tolist(), strict=True))


def surveyed(state: AnyRecord, seat: int) -> list[int]:
    """What a seat knows."""
    scene = np.zeros(match_signs.SCENE, np.int64)
    match_signs.survey(state, seat, scene)
    found: list[int] = scene.tolist()
    return found


def signs_of(state: AnyRecord, seat: int) -> list[int]:
    """The signs of what a seat knows."""
    scene = np.zeros(match_signs.SCENE, np.int64)
    signs = np.zeros(match_signs.MOST_SIGNS, np.int32)
    match_signs.survey(state, seat, scene)
    count = match_signs.find_signs(state, seat, scene, signs)
    return [int(sign) for sign in signs[:count]]


@pytest.mark.parametrize("players", [2, 3, 6])
def test_what_a_seat_foresees_is_what_it_knows_after_its_move(players: int) -> None:
    compared = 0
    for state in games_of(players):
        seat = state.turn
        assert seat is not None
        for move in state.legal_moves:
            then = state.copy()
            then.play(move)
            renewed = then.fields().discard_size < state.fields().discard_size  # the deck, from discards
            if then.round != state.round or then.over or renewed:
                continue
            scene = np.array(surveyed(state.fields(), seat))
            match_signs.foresee(state.fields(), scene, move.id)
            fields = then.fields()
            if str(move).startswith("collect"):
                take_back_draw(fields, state.fields(), seat, str(move).removeprefix("collect "))
                scene[match_signs.TO_DRAW] = 0
                scene[match_signs.SIZE] -= 1
            assert scene.tolist() == surveyed(fields, seat), (len(state.history), move)
            compared += 1
    assert compared > 500


def take_back_draw(fields: AnyRecord, before: AnyRecord, seat: int, collected: str) -> None:
    """The hand as it was before the draw: what it held, without what was collected."""
    held = [card for card in before.hands[seat].tolist() if card]
    held.remove(rules.CARDS.numbers[collected])
    fields.hands[seat] = 0
    fields.hands[seat, : len(held)] = held
    fields.hand_sizes[seat] = len(held)


@pytest.mark.parametrize("players", range(2, 7))
def test_signs_are_those_that_are_learned_for_and_only_of_colours_one_holds_twice(players: int) -> None:
    for state in games_of(players):
        for seat in range(players):
            found = signs_of(state.fields(), seat)
            assert all(0 <= sign < match_signs.NUM_SIGNS for sign in found)
            others = [sign for sign in found if sign >= match_signs.BY_NUMBER]
            assert len(set(others)) == len(others)


def test_colours_share_their_signs() -> None:
    state = next(found for found in games_of(2) if len(found.history) == 40).fields()
    turned = state.copy()
    for field in ("hands", "piles", "discard", "deck"):
        cards = turned[field]
        numbers = (cards > 0) & (cards < rules.JOKER)
        cards[numbers] = (cards[numbers] - 1 + rules.NUM_NUMBERS) % rules.NUM_CARDS + 1
    turned.piles[:] = np.roll(turned.piles, 1, axis=1)
    turned.heights[:] = np.roll(turned.heights, 1, axis=1)
    for seat in range(2):
        for size in turned.hand_sizes[seat : seat + 1]:
            turned.hands[seat, :size] = np.sort(turned.hands[seat, :size])
    assert state.called == rules.NO_CALL
    assert sorted(signs_of(turned, 0)) == sorted(signs_of(state, 0))
    assert signs_of(turned, 0) != signs_of(state, 0)


@pytest.mark.parametrize("players", [2, 4])
def test_a_move_is_rated_by_what_its_seat_knows(players: int) -> None:
    luck = np.random.default_rng(1)
    for state in games_of(players, games=1):
        before = rated(state)
        other = state.copy()
        fields = other.fields()
        hidden = [seat for seat in range(players) if seat != state.turn]
        cards = np.concatenate([fields.hands[seat, : fields.hand_sizes[seat]] for seat in hidden])
        cards = np.concatenate([cards, fields.deck[: fields.deck_size]])
        luck.shuffle(cards)
        for seat in hidden:
            size = fields.hand_sizes[seat]
            fields.hands[seat, :size], cards = np.sort(cards[:size]), cards[size:]
        moves = np.array([move.id for move in state.legal_moves], np.int16)
        ratings = np.zeros(len(moves))
        match_worths.rate_all(fields, moves, len(moves), ratings)
        assert ratings.tolist() == list(before.values())


def test_a_layer_is_the_sum_of_its_signs_rows() -> None:
    signs = np.array([3, 700, 4000], np.int32)
    layer = np.zeros(match_worths.HIDDEN, np.float32)
    match_worths.sum_up(match_worths.ROWS, signs, len(signs), layer)
    total = match_worths.ROWS[signs].astype(float).sum(axis=0)
    total[1:] = np.where(total[1:] > 0, total[1:], match_worths.LEAK * total[1:])
    assert layer == pytest.approx(total)
    weighed = float(match_worths.WEIGHTS[:-1] @ layer + match_worths.WEIGHTS[-1])
    assert match_worths.odds(match_worths.WEIGHTS, layer) == pytest.approx(weighed, rel=1e-4)


def test_who_is_in_turn_is_as_likely_to_win_as_by_its_best_move() -> None:
    for state in games_of(3, games=1):
        chances = [match_worths.chance_of(state.fields(), seat) for seat in range(3)]
        assert state.turn is not None
        assert chances[state.turn] == max(rated(state).values())
        assert sum(chances) == pytest.approx(1)


@pytest.mark.parametrize("players", [2, 5])
def test_a_rollout_ends_when_who_began_is_in_turn_the_second_time(players: int) -> None:
    dealt = GAME.deal(players, seed=1)
    began = dealt.turn
    dealt.play(dealt.legal_moves[0])
    state, room = dealt.fields(), np.zeros(GAME.num_moves, np.int16)
    lookahead.kernels("match").rollout(state, room, bot_generator(1), state.round_number)
    assert state.moves == match.HEURISTICS.laps * players
    assert state.turn == began


@pytest.mark.parametrize("players", range(2, 7))
def test_who_is_ahead_between_two_rounds_is_likelier_to_win(players: int) -> None:
    fields = GAME.deal(players, seed=1).fields()
    fields.scores[0] = 40
    behind, ahead = match_worths.chance_between(fields, 1), match_worths.chance_between(fields, 0)
    assert behind < 0.35
    assert ahead > 0.7


def test_who_looks_ahead_looks_into_the_eight_moves_that_seem_best() -> None:
    state = next(found for found in games_of(2, games=20) if len(found.legal_moves) > 12)
    bot = kibitz.bot("medium", GAME, seed=1)
    assert bot.choose(state.observation(state.turn)) in state.legal_moves
    assert bot.visits is not None
    best = sorted(rated(state).values(), reverse=True)[: match.HEURISTICS.width]
    looked_into = [rated(state)[str(GAME.moves[move])] for move in bot.visits]
    assert sorted(looked_into, reverse=True) == best


def test_the_worths_are_learned_from_many_games() -> None:
    with np.load(match_worths.FILE) as kept:
        assert kept["games_two"] >= 500_000
        assert kept["games_more"] >= 200_000
        assert all(np.abs(kept[f"rows_{players}"]).max() > 1000 for players in ("two", "more"))
