"""The engine and its naive twin play the same random games, and agree at each step."""

from itertools import product
from random import Random
from typing import Any

import numba
import pytest

import kibitz
from kibitz.core.state import State
from tests.campaigns import size
from tests.games.kaching import naive
from tests.games.kaching.naive import DECK, Position
from tests.games.kaching.positions import as_json, position

pytestmark = pytest.mark.interpreted

SERIES = [("single", 3), *product(["best_of", "total"], [1, 3, 5, 9])]
SETTINGS = [
    {"series": series, "rounds": rounds, "open_money": open_money, "starter": starter}
    for (series, rounds), open_money, starter in product(SERIES, [False, True], ["random", 0, 1])
]
INTERPRETED = bool(numba.config.DISABLE_JIT)
ODD_POSITIONS = 30 if INTERPRETED else size(250)
BLOCKS = 10  # of odd positions, a test each


def games_of(options: dict[str, Any]) -> int:
    """Many short games and a few long ones, some 500 in sum; the interpreter has time for one of each."""
    if INTERPRETED:
        return 1 if options["rounds"] <= 3 else 0
    rounds = 1 if options["series"] == "single" else options["rounds"]
    return {1: 20, 3: 8, 5: 2, 9: 2}[rounds]


def test_the_settings_make_500_games_in_sum() -> None:
    if not INTERPRETED:
        assert sum(map(games_of, SETTINGS)) >= 500


@pytest.mark.parametrize("options", SETTINGS, ids=lambda options: "-".join(map(str, options.values())))
def test_the_twin_plays_the_same_games(options: dict[str, Any]) -> None:
    for seed in range(games_of(options)):
        state = kibitz.game("kaching").deal(players=2, seed=seed, **options)
        dealt = state.position()
        assert naive.is_a_deal(dealt["columns"])
        assert options["starter"] in ("random", dealt["starter"])
        first = naive.set_up(options, dealt["columns"], dealt["starter"])
        play_both(state, first, Random(f"{options} {seed}"))


@pytest.mark.campaign
@pytest.mark.parametrize("block", range(BLOCKS))
def test_the_twin_plays_the_same_from_odd_positions(block: int) -> None:
    """Poor players, few cards, the caps near: what games from the deal seldom reach."""
    for seed in range(block, ODD_POSITIONS, BLOCKS):
        play_on(odd_position(Random(seed)), seed)


def play_on(first: Position, seed: int) -> None:
    """From a position that is given."""
    play_both(kibitz.game("kaching").from_position(first, seed=seed), first, Random(seed))


def play_both(state: State, twin: Position, rng: Random) -> None:
    """Play random moves to the end, in the engine and in the twin."""
    played = []
    legal = compare(state, twin)
    while not twin["over"]:
        text = rng.choice(legal)
        move = next(move for move in state.legal_moves if str(move) == text)
        ways: list[Any] = [text, move, move.id]
        state.play(rng.choice(ways), seat=rng.choice([None, twin["turn"]]))
        played.append(text)
        dealt = state.position()["columns"]
        after = naive.play(twin, text, deal=lambda columns=dealt: columns)  # type: ignore[misc]
        if after["round"] > twin["round"]:
            assert naive.is_a_deal(dealt)
        twin = after
        legal = compare(state, twin)
    assert [str(move) for move in state.history] == played


def compare(state: State, twin: Position) -> list[str]:
    """The state is the twin's; returns the legal moves, in the order of their texts."""
    given = state.position()
    assert as_json(given) == as_json(twin)
    legal = sorted(naive.legal_moves(twin))
    assert sorted(str(move) for move in state.legal_moves) == legal
    assert len(set(legal)) == len(legal)
    for seat in (0, 1, None):
        assert state.view_json(seat) == as_json(naive.view(twin, seat))
    assert given["scores"] == list(state.scores) == naive.score(twin)
    assert (state.turn, state.phase, state.round) == (twin["turn"], twin["phase"], twin["round"])
    assert (state.over, list(state.winners)) == (twin["over"], twin["winners"])
    return legal


def odd_position(rng: Random) -> Position:
    """Any position that the rules don't forbid, also one that play would hardly reach."""
    columns, rest = odd_columns(rng, left=rng.choice([2, 3, 3, 3, 4, 5]))
    stocks = [
        sorted((rest.pop() for _ in range(rng.randint(0, 4)) if rest), key=naive.card_order) for _ in "01"
    ]
    last_sale = sum(map(bool, columns)) == 2
    round_, options, series = odd_series(rng)
    return position(
        options=options,
        round=round_,
        turn=rng.randint(0, 1),
        phase="last sale" if last_sale else "trade",
        moves=rng.choice([5, 30, 60, 190, 198, 199]),
        columns=columns,
        stocks=stocks,
        wilds=[rng.random() < 0.5, rng.random() < 0.5],
        money=[rng.choice([0, 1, 2, 3, 5, 8, 13, 40, 120]) for _ in "01"],
        starter=rng.randint(0, 1),
        series=series,
        closing=rng.choice([1, 2]) if last_sale else 0,
    )


def odd_columns(rng: Random, left: int) -> tuple[naive.Columns, list[str]]:
    """Short columns, `left` of them not empty, with the dear cards rather on top; and the other cards."""
    deck = sorted(DECK, key=lambda card: naive.value_of(card) + rng.uniform(0, 4))
    columns: naive.Columns = [[], [], [], [], []]
    for column in rng.sample(columns, left):
        cards = [deck.pop() for _ in range(rng.choice([1, 1, 2, 4]))]
        column.extend(reversed(cards))
    rng.shuffle(deck)
    return columns, deck


def odd_series(rng: Random) -> tuple[int, dict[str, Any], dict[str, Any]]:
    """The number of a round, the options, and the series as the finished rounds could have left it."""
    kind = rng.choice(["single", "best_of", "total"])
    rounds = rng.choice([1, 3, 9] if kind == "best_of" else [1, 2, 5, 20])
    options = {"series": kind, "rounds": rounds, "open_money": rng.random() < 0.3}
    last = {"single": 1, "best_of": 100, "total": rounds}[kind]
    round_ = rng.choice([1, last, rng.randint(1, last)])
    wins, totals = [0, 0], [0, 0]
    for _ in range(round_ - 1):
        money = [rng.randint(0, 60), rng.randint(0, 60)]
        if kind == "best_of" and 2 * (max(wins) + 1) > rounds:
            money = [money[0], money[0]]
        for seat in (0, 1):
            wins[seat] += int(money[seat] > money[1 - seat])
            totals[seat] += money[seat] - 20
    return round_, options, {"wins": wins, "totals": totals}


def test_odd_positions_reach_every_corner() -> None:
    """If they didn't, the twins' agreement on them would say little."""
    seen = set()
    for seed in range(250):
        made = odd_position(Random(seed))
        legal = naive.legal_moves(made)
        seen |= {made["phase"], made["series"]["kind"], f"moves {made['moves']}"}
        seen |= {"stuck"} if made["phase"] == "trade" and legal == ["pass"] else set()
        seen |= {"round 100"} if made["round"] == 100 else set()
        seen |= {move[:4] + move[-1:] for move in legal if move.endswith("W")}
    assert seen >= {
        "trade",
        "last sale",
        "single",
        "best_of",
        "total",
        "moves 199",
        "stuck",
        "round 100",
        "sellW",
    }
