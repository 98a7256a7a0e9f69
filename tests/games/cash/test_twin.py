"""The engine and its naive twin play the same random games, and agree at each step."""

from collections import Counter
from itertools import product
from random import Random
from typing import Any

import numba
import numpy as np
import pytest

import kibitz
from kibitz.core.events import Drew, Reshuffled, RoundScored, turns
from kibitz.core.state import State
from tests.campaigns import size
from tests.games.cash import naive
from tests.games.cash.naive import CARD_ORDER, DECK, Chance, Deal, Position
from tests.games.cash.positions import DEFAULTS, VERSION_1, VERSION_2, all_cards, as_json, offered, position

pytestmark = pytest.mark.interpreted

INTERPRETED = bool(numba.config.DISABLE_JIT)
ODD_POSITIONS = 20 if INTERPRETED else size(300)
BLOCKS = 10  # of odd positions, a test each
PLAYERS = [2, 3, 4, 5, 6, 7, 8]
LENGTHS: list[dict[str, Any]] = [{"rounds": 1}, {"rounds": 2}, {"rounds": 3, "target": 100_000}]
SCORING: list[dict[str, Any]] = [{"recession": 75, "tax": "harsh"}, {"recession": 50, "tax": "transfer"}]
VERSIONS: list[dict[str, Any]] = [{"offers": 3}, VERSION_1]
SETTINGS = [
    (players, DEFAULTS | version | length | scoring | {"advanced": advanced, "trading": trading})
    for players, length, (scoring, version), advanced, trading in product(
        PLAYERS, LENGTHS, list(zip(SCORING, VERSIONS, strict=True)), [False, True], [True, False]
    )
]
GAMES = {1: 7, 2: 1, 3: 1}  # by the number of rounds
CLOSE_LOOKS = 0.25  # of the positions in which nothing but hands and deck is hidden


def test_the_settings_make_500_games_in_sum() -> None:
    if not INTERPRETED:
        assert sum(GAMES[options["rounds"]] for _, options in SETTINGS) >= 500


def named(value: Any) -> str:
    return "-".join(map(str, value.values())) if isinstance(value, dict) else str(value)


@pytest.mark.parametrize(("players", "options"), SETTINGS, ids=named)
def test_the_twin_plays_the_same_games(players: int, options: dict[str, Any]) -> None:
    if not INTERPRETED:
        for seed in range(GAMES[options["rounds"]]):
            play_a_game(players, options, seed)


@pytest.mark.campaign
@pytest.mark.parametrize("block", range(BLOCKS))
def test_the_twin_plays_the_same_from_odd_positions(block: int) -> None:
    """Rich firms, empty decks, lost turns, the caps near: what games from the deal seldom reach."""
    for seed in range(block, ODD_POSITIONS, BLOCKS):
        play_on(odd_position(Random(seed)), seed)


@pytest.mark.parametrize("players", [2, 5])
def test_the_twin_plays_the_same_full_games(players: int) -> None:
    """To the target, over as many rounds as it takes."""
    if not INTERPRETED:
        play_a_game(players, DEFAULTS | {"target": 60_000, "trading": players == 2, "offers": 3}, seed=9)


def play_a_game(players: int, options: dict[str, Any], seed: int) -> None:
    rng = Random(f"{players} {options} {seed}")
    options = options | {"starter": rng.choice(["random", *range(players)])}
    state = kibitz.game("cash").deal(players=players, seed=seed, **options)
    dealt = state.position()
    assert options["starter"] in ("random", dealt["starter"])
    first = naive.set_up(options, players, undealt(dealt), dealt["starter"])
    play_both(state, first, rng)


def play_on(first: Position, seed: int) -> None:
    """From a position that is given, for a while."""
    play_both(kibitz.game("cash").from_position(first, seed=seed), first, Random(seed), most=60)


# Both play the same


def play_both(state: State, twin: Position, rng: Random, most: int = 100_000) -> None:
    """Play random moves to the end, or so many, in the engine and in the twin."""
    played: list[str] = []
    legal = compare(state, twin, closely=True)
    while not twin["over"] and len(played) < most:
        text = choice(rng, twin, legal)
        move = next(move for move in state.legal_moves if str(move) == text)
        ways: list[Any] = [text, move, move.id]
        state.play(rng.choice(ways), seat=rng.choice([None, twin["turn"]]))
        played.append(text)
        twin = naive.play(twin, text, chance_of(state, twin))
        legal = compare(state, twin, closely=secretive(twin) or rng.random() < CLOSE_LOOKS)
    assert [str(move) for move in state.history] == played


def secretive(twin: Position) -> bool:
    """Something is going on that not everybody sees in full."""
    return twin["phase"] in ("offer", "answer", "passing", "over", "taking")


def compare(state: State, twin: Position, closely: bool) -> list[str]:
    """The state is the twin's; returns the legal moves, in the order of their texts."""
    given = state.position()
    assert given == twin
    legal = sorted(naive.legal_moves(twin))
    assert sorted(str(move) for move in state.legal_moves) == legal
    if not closely:
        return legal
    assert as_json(given) == as_json(twin)
    assert all_cards(given) == DECK
    for seat in (*range(twin["players"]), None):
        assert state.view_json(seat) == as_json(naive.view(twin, seat))
    assert (state.turn, state.phase, state.round) == (twin["turn"], twin["phase"], twin["round"])
    assert (state.over, list(state.winners)) == (twin["over"], twin["winners"])
    points = np.zeros(8, np.int32)
    state.game.rules.score(state.fields(), points)
    assert points[: twin["players"]].tolist() == naive.score(twin)
    return legal


def undealt(dealt: Position) -> Deal:
    """The deal from which this position came: the starter has drawn one card, and any of the hand will do."""
    assert dealt["discard"] == []
    hands = [list(hand) for hand in dealt["hands"]]
    made = Deal(hands, [*dealt["deck"], hands[dealt["starter"]].pop()])
    assert naive.is_a_deal(dealt["options"], dealt["players"], made)
    return made


def chance_of(state: State, before: Position) -> Chance:
    """The engine's chance in its last move, for the twin: a deal, or the order of a reshuffled deck."""

    def shuffled(cards: list[str]) -> list[str]:
        after = state.position()
        drawn = drawn_after_the_shuffle(state)
        if after["round"] == before["round"]:
            deck = [*after["deck"], *reversed(drawn)]
            assert Counter(deck) == Counter(cards)
            return deck
        left = naive.in_order((Counter(cards) - Counter(drawn)).elements())
        return [*left, *reversed(drawn)]  # another deal has covered the deck: only the drawn cards show

    return Chance(deal=lambda: undealt(state.position()), shuffled=shuffled)


def drawn_after_the_shuffle(state: State) -> list[str]:
    """What anybody drew since the deck was made anew in the last move, before a next deal."""
    logs = [turns(state.log(seat))[-1] for seat in range(state.players)]
    drawn: list[str] = []
    shuffles = 0
    for events in zip(*logs, strict=True):
        if isinstance(events[0], Reshuffled):
            drawn, shuffles = [], shuffles + 1
        elif isinstance(events[0], Drew):
            drawn.append(events[events[0].seat].card)
        elif isinstance(events[0], RoundScored):
            break
    assert shuffles == 1
    return drawn


def choice(rng: Random, twin: Position, legal: list[str]) -> str:
    """Any move, but such that trades come about, rounds end, and rare cards are used."""
    if twin["phase"] == "offer":
        return next_step(rng, twin, legal)
    if twin["phase"] == "answer" and "accept" in legal:
        return "accept" if rng.random() < 0.7 else "decline"
    if twin["phase"] == "action":
        if "play stop" in legal and rng.random() < 0.2:
            return "play stop"
        trades = [move for move in legal if move.startswith("trade")]
        deeds = [move for move in legal if not move.startswith("trade")]
        if trades and (not deeds or rng.random() < 0.25):
            return rng.choice(trades)
        bold = [move for move in deeds if move.startswith(BOLD)]
        return rng.choice(bold if bold and rng.random() < 0.6 else deeds)
    bears = [move for move in legal if move.split()[-1] in naive.BEARS]
    return rng.choice(bears if twin["phase"] == "trim" and bears else legal)


BOLD = (
    *("play cover", "play probe", "play settlement", "play venture", "play taxman", "discard takeover on"),
    *("discard dividend", "discard premium", "discard b", "discard crash", "discard recession"),
)


def next_step(rng: Random, twin: Position, legal: list[str]) -> str:
    """A step of an offer; what is asked for is more often held than not."""
    if rng.random() < 0.3:
        return "propose" if "propose" in legal and rng.random() < 0.8 else "drop"
    held = [f"want {card}" for card in twin["hands"][twin["offer"]["to"]]]
    likely = [move for move in legal if not move.startswith("want ") or move in held or "firm" in move]
    return rng.choice(likely if rng.random() < 0.8 else legal)


# Positions that play would hardly reach


def odd_position(rng: Random) -> Position:
    """Any position that the rules don't forbid, with many tabled cards and much to decide."""
    players = rng.choice(PLAYERS)
    cards = Bag(rng)
    even = rng.random() < 0.1  # the round will bring everybody nothing
    firms = [empty_firm(cards) if even else odd_firm(rng, cards) for _ in range(players)]
    seat = rng.randrange(players)
    hands = [cards.any(rng.choice([0, 2, 6, 7, 7, 7]), WORTHLESS if even else ("",)) for _ in range(players)]
    hands[seat] = cards.any(8, WORTHLESS) if even else odd_hand(rng, cards)
    rounds = rng.choice([None, 1, 2, 100])
    trading = rng.random() < 0.8
    made = position(
        " ".join(hands[0]),
        firms[0],
        others=[" ".join(hand) for hand in hands[1:]],
        their=firms[1:],
        deck=None if rng.random() < 0.5 else " ".join(cards.any(rng.choice([0, 0, 1, 3, 8]))),
        options={
            "rounds": rounds,
            "target": rng.choice([100_000, 400_000, 1_000_000]),
            "trading": trading,
            "advanced": rng.random() < 0.5,
            "recession": rng.choice([75, 50]),
            "tax": rng.choice(["harsh", "transfer"]),
        },
        round=rng.choice([1, 2, 99, 100]) if rounds in (None, 100) else rounds,
        turn=seat,
        moves=rng.choice([5, 30, 500, 4960, 4990, 4999]),
        scores=[rng.choice([0, 3500, 95_000, -30_500]) for _ in range(players)],
        lost=[rng.choice([0, 0, 0, 1, 2, 5]) for _ in range(players)],
        starter=rng.randrange(players),
        acted=rng.random() < 0.2,
        offers=rng.choice([0, 0, 2, 4, 5]) if trading else 0,
    )
    rng.shuffle(made["discard"])
    rng.shuffle(made["deck"])
    made["options"] |= rng.choice([VERSION_1, VERSION_2 | {"offers": 5}])
    if even or rng.random() < 0.1:
        share_the_top(rng, made)
    if trading and rng.random() < 0.1:
        fill_an_offer(rng, made)
    return made


WORTHLESS = ("license", "stop", "clear-", "settlement")


def empty_firm(cards: "Bag") -> naive.Firm:
    cards.any(1, ("license",))
    return naive.empty_firm(license=True)


def fill_an_offer(rng: Random, made: Position) -> None:
    """An offer is being built, and asks for as many cards as it may, or one less."""
    most = 8 if made["options"]["counter"] else 4
    want = naive.in_order(rng.sample(CARD_ORDER, most - rng.randrange(2)))
    rival = rng.choice(naive.rivals(made, made["turn"]))
    made |= {"phase": "offer", "offers": max(1, made["offers"])}
    made["offer"] = offered(made["turn"], rival, want=" ".join(want))


def share_the_top(rng: Random, made: Position) -> None:
    """All have the same total; if it is at the target, the game may be tied."""
    total = rng.choice([0, made["options"]["target"]])
    made["scores"] = [total] * made["players"]
    made["tied"] = bool(
        total and made["round"] > 1 and made["options"]["tie"] == "next" and rng.random() < 0.7
    )


class Bag:
    """The cards that are not used yet."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.left = rng.sample(DECK, len(DECK))

    def any(self, count: int, kinds: tuple[str, ...] = ("",)) -> list[str]:
        """Some cards whose codes begin so."""
        fitting = [card for card in self.left if card.startswith(kinds)][:count]
        for card in fitting:
            self.left.remove(card)
        return fitting


def odd_firm(rng: Random, cards: Bag) -> naive.Firm:
    made = naive.empty_firm(license=rng.random() < 0.85)
    if not made["license"]:
        return made
    cards.any(1, ("license",))
    made["probe"] = next(iter(cards.any(1, ("probe-",))), None) if rng.random() < 0.25 else None
    made["cash"] = naive.in_order(cards.any(rng.choice([0, 1, 2, 4, 6]), ("cash-",)))
    made["venture"] = len(cards.any(rng.choice([0, 0, 1, 2]), ("venture",)))
    made["taxman"] = len(cards.any(rng.choice([0, 0, 1, 2]), ("taxman",)))
    for _ in range(rng.choice([0, 0, 1, 2])):
        for cover in cards.any(1, ("cover-",)):
            cash = cards.any(1, ("cash-5", "cash-10", "cash-25"))
            fits = cash and cash[0] in ("cash-5", "cash-10", "cash-25")
            cards.left += [] if fits else [cover, *cash]
            made["insured"] += [{"cover": cover, "cash": cash}] if fits else []
    made["insured"].sort(key=naive.insured_order)
    return made


def odd_hand(rng: Random, cards: Bag) -> list[str]:
    """Cards that do something; eight after the draw, sometimes none, sometimes many from trades."""
    kind = rng.choice(
        [("probe-", "settlement", "clear-"), ("dividend", "premium", "b"), ("cover-", "venture", "takeover")]
    )
    bears = cards.any(rng.choice([0, 1, 2]), ("crash", "recession", "bankruptcy"))
    hand = cards.any(rng.choice([2, 4]), kind) + bears
    return hand + cards.any(rng.choice([0, 1, max(0, 8 - len(hand)), 8]))


def test_odd_positions_reach_every_corner() -> None:
    """If they didn't, the twins' agreement on them would say little."""
    seen: set[str] = set()
    for seed in range(300):
        made = odd_position(Random(seed))
        assert all_cards(made) == DECK
        for move in naive.legal_moves(made):
            seen |= {" ".join(word for word in move.split() if word[:2] not in ("p0", "p1")), move.split()[0]}
        seen |= {f"{made['players']} players", f"moves {made['moves']}", f"round {made['round']}"}
        seen |= {"deck empty"} if not made["deck"] else set()
        seen |= {"several ventures"} if any(each["venture"] > 1 for each in made["firms"]) else set()
    assert seen >= {f"discard {card}" for card in CARD_ORDER}
    assert seen >= {"play stop", "play license", "play settlement", "play venture", "play taxman", "done"}
    assert seen >= {"discard takeover on", "play probe-crime on", "play cover-75 over cash-50"}
    assert seen >= {"trade", "deck empty", "several ventures", "moves 4999", "round 100", "8 players"}
