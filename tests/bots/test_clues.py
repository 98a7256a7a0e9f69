"""What rivals betray by what they do: signs read from what a seat was shown, and beliefs that heed them."""

import json
from itertools import product

import numpy as np
import pytest

import kibitz
from kibitz.bots.analysis import belief
from kibitz.bots.clues import WEIGHTS, Follower, clues_of, likelihoods, likely_worlds, odds
from kibitz.bots.clues.match import fits
from kibitz.core.game import Game
from kibitz.core.secret import bot_generator
from kibitz.core.state import State
from kibitz.games.match import rules
from tests.bots.test_bots import midgame
from tests.games.assets import positions as assets
from tests.games.match import positions as match

WITH_CLUES = [name for name in kibitz.games() if clues_of(name)]
with_clues = pytest.mark.parametrize("name", WITH_CLUES)


def after(state: State, *moves: str) -> State:
    for move in moves:
        state.play(move)
    return state


# What is read


def test_who_yields_hardly_holds_what_would_have_answered() -> None:
    hands, deck = ["auto home home bank", "coins coins auto auto"], "stamps piggy stamps piggy stamps piggy"
    state = assets.state_of(assets.position(hands, ["stocks stocks", ""], "mattress", deck, turn=1))
    after(state, "pair coins coins", "discard bank", "pair auto auto", "steal p1 with auto")
    before = odds(state.observation(0))[1]
    now = odds(after(state, "yield").observation(0))[1]
    assert now["auto"] / now["jewels"] < 0.6 * before["auto"] / before["jewels"]
    assert now["silver"] < before["silver"]


def test_who_discards_had_no_second_card_of_it_and_none_like_the_top_of_the_pile() -> None:
    hands = ["stocks auto home bank", "coins stamps jewels piggy"]
    state = assets.state_of(assets.position(hands, discard="mattress"))
    before = odds(after(state, "discard stocks").observation(0))[1]
    now = odds(after(state, "discard coins").observation(0))[1]
    for card in ("coins", "stocks"):
        assert now[card] / now["bank"] < 0.7 * before[card] / before["bank"]


def test_what_was_drawn_since_is_not_judged_by_it() -> None:
    rival = Follower(drawn=5)
    assert [rival.share_since(drawn, size=4) for drawn in (5, 4, 2, 0)] == [1.0, 0.75, 0.25, 0.0]


def test_who_plays_from_the_collection_hardly_holds_what_fits() -> None:
    state = match.state_of(match.position("R1 Y1 G1 B1 P1", "R2", their=("R4",)))
    before = odds(state.observation(0))[1]
    now = odds(after(state, "match R1", "match R4 collection").observation(0))[1]
    for card, other in (("R5", "Y5"), ("R3", "Y3"), ("Y1", "Y2")):
        assert now[card] / now[other] < 0.7 * before[card] / before[other] + 0.1


def test_what_fits_is_what_the_rules_say() -> None:
    calls = {rules.NUM_CARDS + call: rules.CALLS[call] for call in range(1, rules.NUM_CALLS + 1)}
    cards = {number: card for card, number in rules.CARDS.numbers.items()}
    for (number, card), (asked, text) in product(cards.items(), {**cards, **calls}.items()):
        if text != "W":
            assert fits(card, text) == rules.FITS[asked, number], (card, text)


# In any game


@with_clues
def test_every_sign_has_its_weight_and_no_other_has_one(name: str) -> None:
    told = clues_of(name)
    assert told is not None
    kept = json.loads(WEIGHTS.read_text(encoding="utf-8"))[name]
    assert set(kept) == {"two", "more"}
    assert all(sorted(weights) == sorted(told.names) for weights in kept.values())


def test_a_game_without_clues_is_imagined_by_chance(game: Game) -> None:
    if clues_of(game.name) is None:
        seen = midgame(game, 4, 30).observation(midgame(game, 4, 30).turn)
        assert odds(seen) == {}
        assert len(likely_worlds(seen, 7, bot_generator(1))) == 7


@with_clues
@pytest.mark.parametrize("players", [2, 4])
def test_every_card_that_a_rival_may_hold_is_judged(name: str, players: int) -> None:
    state = kibitz.game(name).deal(players, seed=2)
    while len(state.history) < 30:
        state.play(state.legal_moves[0])
    seen = state.observation(state.turn)
    found = odds(seen)
    assert set(found) == {seat for seat in range(players) if "?" in seen.view["hands"][seat]}
    for seat, cards in found.items():
        assert set(state.position()["hands"][seat]) <= set(cards)


@with_clues
def test_when_nobody_has_moved_all_rivals_are_alike(name: str) -> None:
    state = kibitz.game(name).deal(4, seed=2)
    first, *others = odds(state.observation(state.turn)).values()
    assert others == [first, first]


@with_clues
def test_a_log_from_outside_tells_the_same(name: str) -> None:
    state = midgame(kibitz.game(name), 4, 30)
    seen = state.observation(state.turn)
    assert odds(kibitz.game(name).observation(seen.view, seen.log)) == odds(seen)


@with_clues
def test_a_belief_without_a_past_counts_as_many_cards(name: str) -> None:
    state = kibitz.game(name).from_position(midgame(kibitz.game(name), 4, 40).position())
    for seat, hand in enumerate(state.view(state.turn)["hands"]):
        if "?" in hand:
            expected = belief(state.observation(state.turn), seed=1)[f"hands/{seat}"]
            assert sum(expected.values()) == pytest.approx(len(hand))


@with_clues
def test_true_hands_are_likelier_than_those_imagined_by_chance(name: str) -> None:
    likelier = []
    for seed in range(30):
        state = kibitz.game(name).deal(2, seed)
        player = kibitz.bot("easy", name, seed)
        while not state.over and len(state.history) < 40:
            state.play(player.choose(state.observation(state.turn)))
        if state.turn is not None:
            seen = state.observation(state.turn)
            worlds = [state.fields(), *(seen.imagine(number).fields() for number in range(40))]
            truth, *others = likelihoods(seen, np.array(worlds))
            likelier += [truth > other for other in others]
    assert sum(likelier) / len(likelier) > 0.55
