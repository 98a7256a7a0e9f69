"""The engine and its naive twin play the same random games, and agree at each step."""

from collections import Counter
from collections.abc import Callable
from itertools import product
from random import Random
from typing import Any

import numba
import pytest

import kibitz
from kibitz.core.state import State
from tests.campaigns import size
from tests.games.kazink import naive
from tests.games.kazink.naive import Deal, Position
from tests.games.kazink.positions import DEFAULTS, as_json, in_version_1, patch, position

pytestmark = pytest.mark.interpreted

PLAYERS = [2, 3, 4]
SETTINGS = [
    (players, {"board": board, "dealer": dealer, "hand": hand, "pool": pool})
    for players, board, dealer, hand, pool in product(
        PLAYERS, ["24", "20"], ["random", 0, 1], [1, 2, 3, 4, 5], ["divided", "shared"]
    )
    if pool == "divided" or (players == 4 and dealer == 0)
]
INTERPRETED = bool(numba.config.DISABLE_JIT)
ODD_POSITIONS = 20 if INTERPRETED else size(300)
BLOCKS = 10  # of odd positions, a test each


def games_of(options: dict[str, Any]) -> int:
    """500 games in sum, most of them with the usual hand; the interpreter has time for few."""
    if INTERPRETED:
        return int(options["hand"] == 3 and options["dealer"] == 0)
    return 17 if options["hand"] == 3 else 3


def test_the_settings_make_500_games_in_sum() -> None:
    if not INTERPRETED:
        assert sum(games_of(options) for _, options in SETTINGS) >= 500


@pytest.mark.parametrize(("players", "options"), SETTINGS, ids=str)
def test_the_twin_plays_the_same_games(players: int, options: dict[str, Any]) -> None:
    for seed in range(games_of(options)):
        state = kibitz.game("kazink").deal(players=players, seed=seed, **options)
        dealt = state.position()
        deal = Deal(dealt["dealer"], dealt["hands"], dealt["deck"])
        assert naive.is_a_deal(options, players, deal)
        play_both(state, naive.set_up(options, players, deal), Random(f"{players} {options} {seed}"))


@pytest.mark.parametrize("players", PLAYERS)
def test_the_twin_plays_the_same_games_of_version_1(players: int) -> None:
    """Partners share a pool."""
    options = DEFAULTS | {"pool": "shared"}
    for seed in range(2 if INTERPRETED else 20):
        state = kibitz.game("kazink").deal(players=players, seed=seed, rules_version=1)
        dealt = state.position()
        deal = Deal(dealt["dealer"], dealt["hands"], dealt["deck"])
        play_both(state, naive.set_up(options, players, deal), Random(f"{players} {seed}"))


@pytest.mark.campaign
@pytest.mark.parametrize("block", range(BLOCKS))
def test_the_twin_plays_the_same_from_odd_positions(block: int) -> None:
    """Dead suits, no chips, empty decks and hands, tall stacks, the cap near: what games seldom reach."""
    for seed in range(block, ODD_POSITIONS, BLOCKS):
        play_on(odd_position(Random(seed)), seed)


def play_on(first: Position, seed: int) -> None:
    """From a position that is given, for a while; with a pool it may be given as version 1 wrote it."""
    given = in_version_1(first) if first["options"]["pool"] == "shared" and seed % 2 else first
    play_both(kibitz.game("kazink").from_position(given, seed=seed), first, Random(seed), most=60)


def order_of(state: State) -> Callable[[list[str]], list[str]]:
    """The order that the engine's last reshuffle made; its top card has been drawn already."""
    deck = state.position()["deck"]

    def shuffled(cards: list[str]) -> list[str]:
        (drawn,) = (Counter(cards) - Counter(deck)).elements()
        assert len(deck) + 1 == len(cards)
        return [*deck, drawn]

    return shuffled


def choose(twin: Position, legal: list[str], rng: Random, builder: bool) -> str:
    """Any move; a builder rather stacks on chips of its own."""
    if builder and rng.random() < 0.8:
        mine = [move for move in legal if naive.top(twin, move.split()[-1]) == naive.own(twin)]
        legal = mine or legal
    return rng.choice(legal)


def play_both(state: State, twin: Position, rng: Random, most: int = naive.MAX_MOVES) -> None:
    """Play random moves to the end, or so many, in the engine and in the twin."""
    done: list[str] = []
    builder = rng.random() < 0.5
    legal = compare(state, twin)
    while not twin["over"] and len(done) < most:
        text = choose(twin, legal, rng, builder)
        move = next(move for move in state.legal_moves if str(move) == text)
        ways: list[Any] = [text, move, move.id]
        state.play(rng.choice(ways), seat=rng.choice([None, twin["turn"]]))
        done.append(text)
        twin = naive.play(twin, text, order_of(state))
        legal = compare(state, twin)
    assert [str(move) for move in state.history] == done


def compare(state: State, twin: Position) -> list[str]:
    """The state is the twin's; returns the legal moves, in the order of their texts."""
    assert as_json(state.position()) == as_json(twin)
    legal = sorted(naive.legal_moves(twin))
    assert sorted(str(move) for move in state.legal_moves) == legal
    for seat in (*range(twin["players"]), None):
        assert state.view_json(seat) == as_json(naive.view(twin, seat))
    assert (state.turn, state.phase, state.round) == (twin["turn"], twin["phase"], twin["round"])
    assert (state.over, list(state.winners)) == (twin["over"], twin["winners"])
    assert list(state.scores) == naive.score(twin)
    return legal


def odd_position(rng: Random) -> Position:
    """Any position that the rules don't forbid, also one that play would hardly reach."""
    made = any_position(rng)
    while not is_running(made):
        made = any_position(rng)
    return made


def is_running(made: Position) -> bool:
    """Nobody has won, something is left to crown, and who is in turn has a move."""
    can_move = {
        "turn": made["hands"][made["turn"]] != [],
        "shift": True,
        "place": naive.chips_of(made, made["turn"]) > 0,
    }
    return not naive.someone_has_won(made) and naive.uncrowned(made) != [] and can_move[made["phase"]]


def any_position(rng: Random) -> Position:
    cards = rng.sample(naive.DECK, len(naive.DECK))
    players = rng.choice(PLAYERS)
    phase = rng.choice(["turn", "turn", "turn", "shift", "place"])
    discards = [cards.pop() for _ in range(rng.choice([0, 1, 5]))]
    if phase != "turn":
        cards.remove("U") if "U" in cards else discards.remove("U")
        discards.append("U")
    suits = rng.choice(["", "", "S", "HD", "SHD"])  # of which many are in hand, and dead
    cards.sort(key=lambda card: (card in suits) * rng.random())
    hands = [[cards.pop() for _ in range(rng.choice([0, 1, 2, 3, 3, 5]))] for _ in range(players)]
    left = rng.choice([0, 0, 1, 2, len(cards)])
    deck = rng.sample(cards, left)
    rng.shuffle(discards) if phase == "turn" else None
    options = {"board": rng.choice(["24", "20"]), "hand": rng.choice([1, 3, 5])}
    options["pool"] = rng.choice(["divided", "divided", "shared"])
    made = position(
        " ".join(hands[0]),
        odd_board(rng, {"options": options, "players": players}, suits),
        others=[" ".join(hand) for hand in hands[1:]],
        deck=" ".join(deck),
        discard=" ".join(discards),
        options=options,
        turn=rng.randrange(players),
        phase=phase,
        moves=rng.choice([5, 300, 1990, 1998, 1999]),
        dealer=rng.randrange(players),
        swapped=rng.random() < 0.3,
        idle=rng.randrange(players),
    )
    if naive.divides(made):
        made["seat_chips"] = odd_division(rng, made)
    return made


def odd_division(rng: Random, made: Position) -> list[int]:
    """Partners have what is left of their 36 chips, 18 at most, one of them often none."""
    firsts = []
    for left in made["chips"].values():
        fewest, most = max(0, left - 18), min(18, left)
        firsts.append(rng.choice([fewest, most, rng.randint(fewest, most)]))
    return [*firsts, *(left - first for left, first in zip(made["chips"].values(), firsts, strict=True))]


def odd_board(rng: Random, table: Position, dead: str) -> dict[str, str]:
    """Stacks of any kind; some spaces are crowned, all of the dead suits among them, or all but a few."""
    spaces = naive.usable(table)
    if rng.random() < 0.15:
        few = rng.sample(spaces, 2)
        return {space: f"{patch(space)}*" for space in spaces if space not in few} | {few[0]: "BYY"}
    chips = [
        colour for colour in naive.colours(table) for _ in range(rng.choice([0, 5, 12, 20, 34, 35, 36, 36]))
    ]
    rng.shuffle(chips)
    used = rng.sample(spaces, rng.choice([4, 8, len(spaces) - 1, len(spaces)]))
    stacks = dict.fromkeys(spaces, "")
    for chip in chips:
        stacks[rng.choice(used)] += chip
    crowns = rng.choice([0.0, 0.1, 0.3])
    return {
        space: stack + "*" * (naive.suit_of(space) in dead or rng.random() < crowns)
        for space, stack in stacks.items()
        if stack
    }


def test_odd_positions_reach_every_corner() -> None:
    """If they didn't, the twins' agreement on them would say little."""
    seen: Counter[str] = Counter()
    for seed in range(300):
        made = odd_position(Random(seed))
        legal = naive.legal_moves(made)
        seen.update({move.split()[0] for move in legal})
        seen.update({move[-1] for move in legal if move.startswith("shift")})
        hands, out = made["hands"], naive.chips_of(made, made["turn"]) == 0
        team = made["players"] == 4 and made["chips"][naive.own(made)] > 0
        stacks = made["board"].values()
        corners = {
            "out of chips": out,
            "out of chips in a double-up": out and made["phase"] == "shift",
            "out of chips beside a partner who has some": out and team,
            "chips left in a pool": team and made["options"]["pool"] == "shared",
            "version 1": made["options"]["pool"] == "shared" and seed % 2 == 1,
            "empty hand elsewhere": [] in hands,
            "empty hand in a double-up": hands[made["turn"]] == [],
            "deck empty": not made["deck"],
            "nothing but a discard": legal != [] and all(move.startswith("discard") for move in legal),
            "nothing but stay": legal == ["stay"],
            "tall": any(len(stack) > 12 for stack in stacks),
            "a crown buried": any(
                stack[i : i + 3] in ("YYY", "BBB", "RRR") for stack in stacks for i in range(len(stack) - 3)
            ),
            f"moves {made['moves']}": True,
            f"idle {made['idle']} of {made['players']}": True,
            f"swapped {made['swapped']}": True,
        }
        seen.update(name for name, there in corners.items() if there)
    wanted = {*"SHDCWKU", "swap", "discard", "shift", "stay", "place", "1", "2"}
    wanted |= {"out of chips", "out of chips in a double-up", "empty hand elsewhere", "deck empty", "tall"}
    wanted |= {"out of chips beside a partner who has some", "chips left in a pool", "version 1"}
    wanted |= {"empty hand in a double-up", "nothing but a discard", "nothing but stay", "a crown buried"}
    wanted |= {"moves 1999", "idle 1 of 2", "idle 2 of 3", "idle 3 of 4", "swapped True", "swapped False"}
    assert {corner for corner in wanted if seen[corner] < 3} == set()
