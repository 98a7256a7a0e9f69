"""The naive twin and the engine play the same games."""

from itertools import product
from random import Random
from typing import Any

import numba
import numpy as np
import pytest

import kibitz
from kibitz.core.state import State
from tests.campaigns import size
from tests.games.assets import naive
from tests.games.assets.naive import Position
from tests.games.assets.positions import DEFAULTS, all_cards, as_json, position

pytestmark = pytest.mark.interpreted

INTERPRETED = bool(numba.config.DISABLE_JIT)
ODD_POSITIONS = 20 if INTERPRETED else size(250)
BLOCKS = 10  # of odd positions, a test each
PLAYERS = [2, 3, 4, 5, 6]
ROUNDS: list[dict[str, Any]] = [{"rounds": 1}, {"rounds": 2}, {"target": 300000}]
SETTINGS = [
    (players, DEFAULTS | rounds | {"deck": deck, "hand": hand, "forgetful": forgetful})
    for players, deck, hand, rounds, forgetful in product(
        PLAYERS, ["first", "second"], [4, 5], ROUNDS, [False, True]
    )
]
GAMES = 1 if INTERPRETED else 4
FULL_GAMES = 0 if INTERPRETED else 4
CLOSE_LOOKS = 0.1  # of the positions: there the views are compared, too


def test_the_settings_make_500_games_in_sum() -> None:
    if not INTERPRETED:
        assert len(SETTINGS) * GAMES + len(PLAYERS) * FULL_GAMES >= 500


def named(value: Any) -> str:
    return "-".join(map(str, value.values())) if isinstance(value, dict) else str(value)


@pytest.mark.parametrize(("players", "options"), SETTINGS, ids=named)
def test_the_twin_plays_the_same_games(players: int, options: dict[str, Any]) -> None:
    if INTERPRETED and options["rounds"] != 1:
        return
    for seed in range(GAMES):
        rng = Random(f"{players} {options} {seed}")
        dealer = rng.choice(["random", *range(players)])
        play_a_game(players, options | {"dealer": dealer}, seed, rng)


@pytest.mark.parametrize("players", PLAYERS)
def test_the_twin_plays_the_same_full_games(players: int) -> None:
    for seed in range(FULL_GAMES):
        play_a_game(players, DEFAULTS | {"forgetful": seed % 3 == 0}, seed, Random(seed))


@pytest.mark.campaign
@pytest.mark.parametrize("block", range(BLOCKS))
def test_the_twin_plays_the_same_from_odd_positions(block: int) -> None:
    """Tall stacks, empty decks and hands, duels at the caps: what games from the deal seldom reach."""
    for seed in range(block, ODD_POSITIONS, BLOCKS):
        play_on(odd_position(Random(seed)), seed)


def play_a_game(players: int, options: dict[str, Any], seed: int, rng: Random) -> None:
    state = kibitz.game("assets").deal(players, seed=seed, **options)
    dealt = state.position()
    assert options["dealer"] in ("random", dealt["dealer"])
    play_both(state, naive.set_up(options, players, dealt["dealer"], undealt(dealt)), rng)


def play_on(first: Position, seed: int) -> None:
    """From a position that is given, for a while."""
    play_both(kibitz.game("assets").from_position(first, seed=seed), first, Random(seed), most=60)


def play_both(state: State, twin: Position, rng: Random, most: int = 100_000) -> None:
    """Play random moves to the end, or so many, in the engine and in the twin."""
    legal = compare(state, twin, closely=True)
    while not twin["over"] and len(state.history) < most:
        text = choice(rng, legal)
        state.play(text, seat=twin["turn"])
        twin = naive.play(twin, text, next_deck=lambda: undealt(state.position()))
        legal = compare(state, twin, closely=twin["over"] or rng.random() < CLOSE_LOOKS)


def choice(rng: Random, legal: list[str]) -> str:
    """Any move; steals and their answers rather than others, so that duels are long and many."""
    bold = [move for move in legal if move.split()[0] in ("steal", "defend", "press")]
    return rng.choice(bold if bold and rng.random() < 0.5 else legal)


def undealt(dealt: Position) -> naive.Deck:
    """The shuffled deck from which this was dealt: hands are sorted, so any order of theirs will do."""
    deck = [*dealt["deck"], *dealt["discard"]]
    hands = [list(hand) for hand in dealt["hands"]]
    first = (dealt["dealer"] + 1) % dealt["players"]
    order = []
    while any(hands):
        for step in range(dealt["players"]):
            hand = hands[(first + step) % dealt["players"]]
            if hand:
                order.append(hand.pop())
    return deck + order[::-1]


def compare(state: State, twin: Position, closely: bool) -> list[str]:
    """The state is the twin's; returns the legal moves, in the order of their texts."""
    given = state.position()
    assert given == twin
    legal = sorted(naive.legal_moves(twin))
    assert sorted(str(move) for move in state.legal_moves) == legal
    if not closely:
        return legal
    assert as_json(given) == as_json(twin)
    assert len(set(legal)) == len(legal)
    assert sorted(all_cards(given)) == sorted(naive.cards_of(given["options"]["deck"]))
    for seat in (None, *range(twin["players"])):
        assert state.view_json(seat) == as_json(naive.view(twin, seat))
    assert (state.turn, state.phase, state.round) == (twin["turn"], twin["phase"], twin["round"])
    assert (state.over, list(state.winners)) == (twin["over"], twin["winners"])
    points = np.zeros(6, np.int32)
    state.game.rules.score(state.fields(), points)
    assert points[: twin["players"]].tolist() == naive.score(twin)
    return legal


# Positions that play would hardly reach


def odd_position(rng: Random) -> Position:
    """Any position that the rules don't forbid, with many sets to steal; after the deck, or with one."""
    players = rng.choice(PLAYERS)
    options = odd_options(rng)
    cards = rng.sample(naive.cards_of(options["deck"]), len(naive.cards_of(options["deck"])))
    limits = [rng.choice([options["hand"], 1, 2]) if options["forgetful"] else options["hand"]] * players
    stacks = [odd_stack(rng, options, cards) for _ in range(players)]
    late = rng.random() < 0.5
    turn = rng.randrange(players)
    sizes = [rng.randint(seat == turn, limit) if late else limit for seat, limit in enumerate(limits)]
    hands = [[cards.pop() for _ in range(size)] for size in sizes]
    deck = [] if late else rng.sample(cards, rng.choice([1, 2, 5, len(cards)]))
    rounds = options["rounds"]
    return position(
        [" ".join(naive.in_order({"options": options}, hand)) for hand in hands],
        stacks,
        deck=" ".join(deck),
        options=options,
        round=rng.choice([1, 2, 99, 100]) if rounds is None else rng.randint(1, rounds),
        turn=turn,
        moves=rng.choice([5, 300, 1990, 1997, 1998, 1999]),
        scores=[options["target"] - rng.choice([20000, 100000, 250000]) for _ in range(players)],
        limits=limits,
        dealer=rng.randrange(players),
    )


def odd_options(rng: Random) -> dict[str, Any]:
    return DEFAULTS | {
        "rounds": rng.choice([None, 1, 1, 2]),
        "target": rng.choice([300000, 1000000]),
        "hand": rng.choice([4, 5]),
        "deck": rng.choice(["first", "second"]),
        "forgetful": rng.random() < 0.3,
    }


def odd_stack(rng: Random, options: dict[str, Any], cards: list[str]) -> str:
    """Up to three sets, each of an asset and what goes with it."""
    sets = []
    for _ in range(rng.choice([0, 1, 2, 3])):
        asset = next(card for card in cards if not naive.is_wild(card))
        cards.remove(asset)
        others = [card for card in cards if naive.makes_a_pair(asset, card)][: rng.choice([1, 1, 2, 4])]
        for card in others:
            cards.remove(card)
        sets.append(naive.in_order({"options": options}, [asset, *others]))
    return " | ".join(" ".join(one_set) for one_set in sets)


def test_odd_positions_reach_every_corner() -> None:
    """If they didn't, the twins' agreement on them would say little."""
    seen: set[str] = set()
    for seed in range(250):
        made = odd_position(Random(seed))
        hands = made["hands"]
        seen |= {move.split()[0] for move in naive.legal_moves(made)}
        seen |= {f"{made['players']} players", f"moves {made['moves']}", f"round {made['round']}"}
        seen |= {"deck empty"} if not made["deck"] else {"deck low"} if len(made["deck"]) < 3 else set()
        seen |= {"somebody is out of cards"} if [] in hands else set()
        seen |= {"only one has cards"} if sum(map(bool, hands)) == 1 else set()
        seen |= (
            {"a wild in a set"}
            if any("gold" in s["cards"] for stack in made["stacks"] for s in stack)
            else set()
        )
        seen |= {"low limits"} if max(made["limits"]) < 4 else set()
    assert seen >= {"pair", "take", "discard", "steal", "2 players", "6 players", "moves 1999", "round 100"}
    assert seen >= {"deck empty", "deck low", "somebody is out of cards", "only one has cards"}
    assert seen >= {"a wild in a set", "low limits"}
