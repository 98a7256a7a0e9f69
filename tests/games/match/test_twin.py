"""The engine and its naive twin play the same random games, and agree at each step."""

from collections import Counter
from itertools import product
from random import Random
from typing import Any

import numba
import pytest

import kibitz
from kibitz.core.events import Drew, RoundScored, turns
from kibitz.core.state import State
from tests.campaigns import size
from tests.games.match import naive
from tests.games.match.naive import DECK, Chance, Deal, Position
from tests.games.match.positions import as_json, collection, in_order, position

pytestmark = pytest.mark.interpreted

PLAYERS = [2, 3, 4, 5, 6]
SETTINGS = [
    (players, {"target": target, "rounds": rounds, "starter": starter})
    for players, (target, rounds), starter in product(
        PLAYERS, [(50, None), (10, None), (500, 1), (500, 2), (50, 3)], ["random", 0, 1]
    )
]
INTERPRETED = bool(numba.config.DISABLE_JIT)
ODD_POSITIONS = 20 if INTERPRETED else size(250)
BLOCKS = 10  # of odd positions, a test each


def games_of(players: int, options: dict[str, Any]) -> int:
    """Many short games and a few long ones, some 500 in sum; the interpreter has time for few."""
    if INTERPRETED:
        return 1 if options["rounds"] == 1 else 0
    return {None: 1 if options["target"] == 50 else 4, 1: 22, 2: 6, 3: 4}[options["rounds"]]


def test_the_settings_make_500_games_in_sum() -> None:
    if not INTERPRETED:
        assert sum(games_of(*setting) for setting in SETTINGS) >= 500


@pytest.mark.parametrize(("players", "options"), SETTINGS, ids=str)
def test_the_twin_plays_the_same_games(players: int, options: dict[str, Any]) -> None:
    for seed in range(games_of(players, options)):
        state = kibitz.game("match").deal(players=players, seed=seed, **options)
        dealt = state.position()
        assert options["starter"] in ("random", dealt["starter"])
        first = naive.set_up(options, players, deal_of(dealt), dealt["starter"])
        play_both(state, first, Random(f"{players} {options} {seed}"))


@pytest.mark.campaign
@pytest.mark.parametrize("block", range(BLOCKS))
def test_the_twin_plays_the_same_from_odd_positions(block: int) -> None:
    """Empty decks, long collections, jokers on top, the caps near: what games from the deal seldom reach."""
    for seed in range(block, ODD_POSITIONS, BLOCKS):
        play_on(odd_position(Random(seed)), seed)


def play_on(first: Position, seed: int) -> None:
    """From a position that is given, for a while."""
    play_both(kibitz.game("match").from_position(first, seed=seed), first, Random(seed), most=120)


def deal_of(dealt: Position) -> Deal:
    """A fresh deal, checked."""
    assert len(dealt["discard"]) == 1
    made = Deal(dealt["hands"], dealt["deck"], dealt["discard"][0])
    assert naive.is_a_deal(dealt["players"], made)
    return made


def drawn_by_the_last_move(state: State, seat: int) -> str:
    """What the seat was shown to draw, before a next deal."""
    for event in turns(state.log(seat))[-1]:
        assert not isinstance(event, RoundScored)
        if isinstance(event, Drew):
            assert event.seat == seat
            return event.card
    raise AssertionError("nothing was drawn")


def chance_of(state: State, before: Position) -> Chance:
    """The engine's chance in its last move, for the twin: a deal, or the order of a reshuffled deck."""
    after = state.position()

    def shuffled(cards: list[str]) -> list[str]:
        drawn = drawn_by_the_last_move(state, before["turn"])
        if after["round"] == before["round"]:
            deck = [*after["deck"], drawn]
            assert Counter(deck) == Counter(cards)
            return deck
        cards.remove(drawn)  # another deal has covered the deck: only the drawn card shows
        return [*cards, drawn]

    return Chance(deal=lambda: deal_of(after), shuffled=shuffled)


def play_both(state: State, twin: Position, rng: Random, most: int = 100_000) -> None:
    """Play random moves to the end, or so many, in the engine and in the twin."""
    played: list[str] = []
    legal = compare(state, twin)
    while not twin["over"] and len(played) < most:
        text = rng.choice(legal)
        move = next(move for move in state.legal_moves if str(move) == text)
        ways: list[Any] = [text, move, move.id]
        state.play(rng.choice(ways), seat=rng.choice([None, twin["turn"]]))
        played.append(text)
        twin = naive.play(twin, text, chance_of(state, twin))
        legal = compare(state, twin)
    assert [str(move) for move in state.history] == played


def compare(state: State, twin: Position) -> list[str]:
    """The state is the twin's; returns the legal moves, in the order of their texts."""
    given = state.position()
    assert as_json(given) == as_json(twin)
    legal = sorted(naive.legal_moves(twin))
    assert sorted(str(move) for move in state.legal_moves) == legal
    for seat in (*range(twin["players"]), None):
        assert state.view_json(seat) == as_json(naive.view(twin, seat))
    assert (state.turn, state.phase, state.round) == (twin["turn"], twin["phase"], twin["round"])
    assert (state.over, list(state.winners)) == (twin["over"], twin["winners"])
    return legal


def odd_position(rng: Random) -> Position:
    """Any position that the rules don't forbid, also one that play would hardly reach."""
    cards = rng.sample(DECK, len(DECK))
    players = rng.choice(PLAYERS)
    hands = [" ".join(cards.pop() for _ in range(rng.choice([1, 1, 2, 5, 7]))) for _ in range(players)]
    tops = [cards.pop() for _ in range(rng.choice([1, 1, 2, 3]))]
    left = rng.choice([0, 0, 1, 3, len(cards)])
    deck = [cards.pop() for _ in range(min(left, len(cards)))]
    piles = [[card for card in cards[seat::players] if card != "W"] for seat in range(players)]
    for card in cards:
        if card == "W":  # is never collected
            hands[rng.randrange(players)] += " W"
    rounds = rng.choice([None, None, 1, 2, 100])
    round_ = rng.choice([1, 2, 99, 100]) if rounds in (None, 100) else rounds
    called = rng.choice("RYGBP012345") if tops[-1] == "W" else None
    scores = [rng.choice([0, 3, 20, 49, -30]) for _ in range(players)]
    return position(
        hands[0],
        tops[-1],
        others=hands[1:],
        beneath=" ".join(tops[:-1]),
        deck=" ".join(deck),
        own=" ".join(piles[0]),
        their=[" ".join(pile) for pile in piles[1:]],
        options={"rounds": rounds, "target": rng.choice([50, 60, 500])},
        round=round_,
        turn=rng.randrange(players),
        moves=rng.choice([5, 30, 500, 990, 999]),
        scores=scores,
        starter=rng.randrange(players),
        called=called,
    )


def test_odd_positions_reach_every_corner() -> None:
    """If they didn't, the twins' agreement on them would say little."""
    seen = set()
    for seed in range(250):
        made = odd_position(Random(seed))
        legal = naive.legal_moves(made)
        seen |= {move.split()[0] for move in legal}
        seen |= {"deck empty"} if not made["deck"] else set()
        seen |= {"nothing to draw"} if not made["deck"] and len(made["discard"]) == 1 else set()
        seen |= {"call"} if made["called"] else set()
        seen |= {"bound"} if any("collection" in move for move in legal) else set()
        seen |= {f"round {made['round']}", f"moves {made['moves']}", f"{made['players']} players"}
        last = len(made["hands"][made["turn"]]) == 1
        seen |= {"last joker"} if last and any("wild" in move for move in legal) else set()
        seen |= {"last collected"} if last and any("collect " in move for move in legal) else set()
    assert seen >= {"match", "collect", "wild", "deck empty", "nothing to draw", "call", "bound"}
    assert seen >= {"round 100", "moves 999", "2 players", "6 players", "last joker", "last collected"}


def test_the_twins_pile_helper_keeps_the_order() -> None:
    assert collection("R3 B1 R5") == {"R": ["R3", "R5"], "B": ["B1"]}
    assert in_order(["W", "P0", "R5", "R0"]) == ["R0", "R5", "P0", "W"]
