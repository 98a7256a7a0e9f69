"""Random numbers: published vectors, an independent twin of the whole stream, and uniform shuffles."""

import hashlib
import math
import random
from collections.abc import Sequence
from itertools import islice
from typing import Any

import numpy as np
import pytest

import kibitz
from kibitz.core import chance
from kibitz.core.secret import Source, bot_generator, source
from kibitz.games.kazink.text import laid_by
from tests.core import shuffle_twin, shuffles

SHUFFLES = 100_000
SMALL_DECK = 5
LARGE_DECK = 35

# The dealing generator

# RFC 8439, appendix A.1, test vectors 1 to 4: key, block counter, the block. (The fifth has another nonce.)
VECTORS = [
    (
        "00" * 32,
        0,
        "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
        "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586",
    ),
    (
        "00" * 32,
        1,
        "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed"
        "29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f",
    ),
    (
        "00" * 31 + "01",
        1,
        "3aeb5224ecf849929b9d828db1ced4dd832025e8018b8160b82284f3c949aa5a"
        "8eca00bbb4a73bdad192b5c42f73f2fd4e273644c8b36125a64addeb006c13a0",
    ),
    (
        "00ff" + "00" * 30,
        2,
        "72d54dfbf12ec44b362692df94137f328fea8da73990265ec1bbbea1ae9af0ca"
        "13b25aa26cb4a648cb9b9d1be65b2c0924a66c54d545ec1b7374f4872e99f096",
    ),
]


@pytest.mark.interpreted
@pytest.mark.parametrize(("key", "number", "expected"), VECTORS)
def test_chacha20_gives_the_blocks_of_rfc_8439(key: str, number: int, expected: str) -> None:
    state = shuffles.stream(0)
    state.key[:] = np.frombuffer(bytes.fromhex(key), "<u4")
    state.drawn = number * chance.NUMBERS_PER_BLOCK
    block = chance.fresh_block()
    numbers = [chance.draw_number(state, block) for _ in range(chance.NUMBERS_PER_BLOCK)]
    assert b"".join(int(number).to_bytes(4, "little") for number in numbers).hex() == expected


@pytest.mark.parametrize(("key", "number", "expected"), VECTORS)
def test_the_twin_gives_them_too(key: str, number: int, expected: str) -> None:
    block = shuffle_twin.block(bytes.fromhex(key), number)
    assert b"".join(number.to_bytes(4, "little") for number in block).hex() == expected


@pytest.mark.interpreted
def test_words_come_in_order_across_blocks_and_are_counted() -> None:
    state, block = shuffles.stream(7), chance.fresh_block()
    drawn = [int(chance.draw_number(state, block)) for _ in range(300)]
    assert drawn == list(islice(shuffle_twin.stream(shuffle_twin.key_of(7)), 300))
    assert state.drawn == 300


@pytest.mark.interpreted
def test_a_stream_goes_on_where_the_state_says() -> None:
    """A state that was copied, saved or undone needs nothing but its key and its count."""
    state, block = shuffles.stream(7), chance.fresh_block()
    numbers = [int(chance.draw_number(state, block)) for _ in range(280)]
    for start in (21, 150):
        state.drawn = start
        drawn = [int(chance.draw_number(state, block)) for _ in range(5)]
        drawn += [int(chance.draw_number(state, chance.fresh_block())) for _ in range(9)]
        assert drawn == numbers[start : start + 14]


@pytest.mark.interpreted
@pytest.mark.parametrize("bound", [1, 2, 3, 35, 1000, 2**31 + 1, 3 * 2**30, 2**32 - 1])
def test_below_passes_over_the_incomplete_last_stretch(bound: int) -> None:
    state, block = shuffles.stream(3), chance.fresh_block()
    numbers = shuffle_twin.stream(shuffle_twin.key_of(3))
    times = 200
    drawn = [int(chance.below(state, bound, block)) for _ in range(times)]
    assert drawn == [shuffle_twin.below(numbers, bound) for _ in range(times)]
    if bound == 3 * 2**30:  # a quarter of all numbers is passed over
        assert times * 1.1 < state.drawn < times * 1.7
    elif bound <= 1000:
        assert state.drawn == times


@pytest.mark.interpreted
def test_below_takes_a_bound_that_is_a_field_of_the_record() -> None:
    state = shuffles.stream(3)
    expected = int(chance.below(state, 3, chance.fresh_block()))
    again = shuffles.stream(3)
    small: Any = np.int8(3)
    assert int(chance.below(again, small, chance.fresh_block())) == expected


# The bots' generator


@pytest.mark.interpreted
def test_xoshiro128_plus_plus_gives_its_authors_numbers() -> None:
    rng = np.array([1, 2, 3, 4], np.uint32)
    assert [int(chance.next_number(rng)) for _ in range(10)] == [
        *(641, 1573767, 3222811527, 3517856514, 836907274),
        *(4247214768, 3867114732, 1355841295, 495546011, 621204420),
    ]


@pytest.mark.interpreted
def test_a_bots_numbers_stay_within_their_bounds() -> None:
    rng = bot_generator(1)
    picked = [int(chance.pick(rng, 7)) for _ in range(500)]
    assert set(picked) == set(range(7))
    chances = [float(chance.chance(rng)) for _ in range(500)]
    assert 0 <= min(chances) < 0.05
    assert 0.95 < max(chances) < 1


@pytest.mark.interpreted
def test_an_imagined_state_gets_a_key_from_the_bot_not_from_the_deal() -> None:
    one, other = shuffles.stream(1), shuffles.stream(2)
    one.drawn = 9
    chance.fresh_key(one, bot_generator(5))
    chance.fresh_key(other, bot_generator(5))
    assert one.tobytes() == other.tobytes() != shuffles.stream(1).tobytes()
    assert one.drawn == 0


@pytest.mark.interpreted
def test_bots_with_the_same_seed_and_context_have_the_same_numbers_and_others_have_not() -> None:
    made = [
        bot_generator(1, "tiny").tobytes(),
        bot_generator(2, "tiny").tobytes(),
        bot_generator(1, "kaching").tobytes(),
        bot_generator(None).tobytes(),
        bot_generator(None).tobytes(),
    ]
    assert len(set(made)) == len(made)
    assert bot_generator(1, "tiny").tobytes() == made[0]


# Uniform shuffles


def quantile(freedom: int, deviations: float = 4.0) -> float:
    """What chi-squared exceeds once in some 30,000 times (Wilson and Hilferty's approximation)."""
    spread = 2 / (9 * freedom)
    return freedom * (1 - spread + deviations * math.sqrt(spread)) ** 3


def chi_squared(counts: Sequence[int]) -> float:
    expected = sum(counts) / len(counts)
    return sum((count - expected) ** 2 for count in counts) / expected


def excess_of_orders(shuffle: Any, seed: int = 1, size: int = SMALL_DECK) -> float:
    """How far the counts of all orders of a small deck are from even; above 1 is too far."""
    counts = np.zeros(math.factorial(size), np.int64)
    shuffles.counters(shuffle).count_orders(shuffles.stream(seed), size, SHUFFLES, counts)
    assert counts.sum() == SHUFFLES
    return chi_squared(counts.tolist()) / quantile(len(counts) - 1)


def excess_of_places(shuffle: Any, seed: int = 1, size: int = LARGE_DECK) -> float:
    """The same for the places of all cards of a large deck."""
    counts = np.zeros(size * size, np.int64)
    shuffles.counters(shuffle).count_places(shuffles.stream(seed), size, SHUFFLES, counts)
    assert counts.sum() == SHUFFLES * size
    freedom = (size - 1) ** 2  # as each card has one place, and each place one card
    return chi_squared(counts.tolist()) * (size - 1) / size / quantile(freedom)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_order_of_a_small_deck_is_equally_likely(seed: int) -> None:
    assert excess_of_orders(shuffles.true_shuffle, seed) < 1


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_card_of_a_large_deck_is_equally_likely_at_every_place(seed: int) -> None:
    assert excess_of_places(shuffles.true_shuffle, seed) < 1


BAD = [shuffles.swap_with_any, shuffles.never_stay, shuffles.remainder_of_small_numbers, shuffles.last_stays]


@pytest.mark.parametrize("bad", BAD, ids=lambda bad: bad.__name__)
def test_a_bad_shuffle_shows_in_the_orders_of_a_small_deck(bad: Any) -> None:
    assert excess_of_orders(bad) > 1.5


@pytest.mark.parametrize("bad", BAD, ids=lambda bad: bad.__name__)
def test_a_bad_shuffle_shows_in_the_places_of_a_large_deck(bad: Any) -> None:
    assert excess_of_places(bad) > 1.5


def test_below_is_even_where_a_plain_remainder_would_not_be() -> None:
    bound, parts = 3 * 2**30, 6
    counts = np.zeros(parts, np.int64)
    shuffles.count_below(shuffles.stream(1), bound, SHUFFLES, parts, counts)
    assert chi_squared(counts.tolist()) < quantile(parts - 1)
    biased = [0] * parts
    for number in islice(shuffle_twin.stream(shuffle_twin.key_of(1)), 2000):
        biased[number % bound * parts // bound] += 1
    assert chi_squared(biased) > quantile(parts - 1)


def test_a_bots_picks_are_even() -> None:
    counts = np.zeros(35, np.int64)
    shuffles.count_picks(bot_generator(1), 35, SHUFFLES, counts)
    assert chi_squared(counts.tolist()) < quantile(34)


# The deal

SEEDS: list[tuple[int | bytes, tuple[str, ...]]] = [
    (0, ()),
    (1, ()),
    (-1, ()),
    (7, ("tea",)),
    (2**64 + 1, ()),
    (b"", ()),
    (b"kibitz", ()),
    (bytes(range(32)), ()),
    (bytes(range(32)), ("tea", "té", "")),
    (bytes(range(32)), ("teaté",)),
]


@pytest.mark.interpreted
@pytest.mark.parametrize(("seed", "words"), SEEDS)
def test_an_independent_program_finds_the_same_deal(seed: int | bytes, words: tuple[str, ...]) -> None:
    dealt = kibitz.game("kaching").deal(seed=seed, words=words).position()
    assert (dealt["starter"], dealt["columns"]) == shuffle_twin.kaching_deal(seed, words)


@pytest.mark.interpreted
@pytest.mark.parametrize("starter", [0, 1])
def test_where_no_starter_is_drawn_the_deck_comes_first(starter: int) -> None:
    dealt = kibitz.game("kaching").deal(seed=4, starter=starter).position()
    assert (dealt["starter"], dealt["columns"]) == shuffle_twin.kaching_deal(4, starter=starter)


@pytest.mark.interpreted
def test_a_series_goes_on_in_the_same_stream_with_the_other_starter() -> None:
    state = kibitz.game("kaching").deal(seed=5, series="total", rounds=3)
    numbers = shuffle_twin.stream(shuffle_twin.key_of(5))
    first = shuffle_twin.below(numbers, 2)
    for number in range(3):
        dealt = state.position()
        assert dealt["starter"] == (first + number) % 2
        assert dealt["columns"] == shuffle_twin.kaching_columns(numbers)
        while state.round == number + 1 and not state.over:
            state.play(state.legal_moves[0])


@pytest.mark.interpreted
@pytest.mark.parametrize(("players", "dealer", "hand"), [(2, "random", 3), (3, "random", 5), (4, 2, 1)])
def test_the_dealer_is_drawn_first_and_cards_are_dealt_one_by_one_from_the_left(
    players: int, dealer: str | int, hand: int
) -> None:
    dealt = kibitz.game("kazink").deal(players, seed=7, dealer=dealer, hand=hand).position()
    numbers = shuffle_twin.stream(shuffle_twin.key_of(7))
    dealing = shuffle_twin.below(numbers, players) if dealer == "random" else int(dealer)
    order = "SHDCWUK"
    deck = shuffle_twin.shuffled(numbers, [*"S" * 11, *"H" * 11, *"D" * 11, *"C" * 11, *"WWWWUUUUKK"])
    hands: list[list[str]] = [[] for _ in range(players)]
    for number in range(players * hand):
        hands[(dealing + 1 + number) % players].append(deck.pop())
    assert (dealt["dealer"], dealt["deck"]) == (dealing, deck)
    assert dealt["hands"] == [sorted(each, key=order.index) for each in hands]


@pytest.mark.interpreted
def test_an_empty_deck_is_made_of_the_discards_in_the_order_they_lie_in() -> None:
    state = kibitz.game("kazink").deal(4, seed=9, dealer=0, hand=5)
    numbers = shuffle_twin.stream(shuffle_twin.key_of(9))
    shuffle_twin.shuffled(numbers, range(54))
    chooser = random.Random(9)
    before = state.position()
    while len(state.position()["deck"]) <= len(before["deck"]):
        before = state.position()
        state.play(chooser.choice(state.legal_moves))
    laid = laid_by(str(state.history[-1]))  # nothing, if a double-up was laid before
    *deck, drawn = shuffle_twin.shuffled(numbers, [*before["discard"], *laid])
    assert state.position()["deck"] == deck
    assert drawn in state.position()["hands"][before["turn"]]


def test_every_seed_and_every_word_gives_another_deal() -> None:
    assert len({source(seed, words).key().tobytes() for seed, words in SEEDS}) == len(SEEDS)


def test_words_cannot_be_moved_from_one_seat_to_another_unseen() -> None:
    splits = [("ab", "c"), ("a", "bc"), ("abc", ""), ("", "abc"), ("abc",), ("c", "ab")]
    assert len({source(b"secret", words).key().tobytes() for words in splits}) == len(splits)


def test_without_a_seed_every_deal_is_another_with_256_bits_of_its_own() -> None:
    made = [source(None) for _ in range(20)]
    assert len({one.secret for one in made}) == 20
    assert all(one.secret is not None and len(one.secret) == 32 and one.seed is None for one in made)


def test_the_commitment_is_the_hash_of_the_secret_and_a_number_needs_none() -> None:
    assert source(b"secret").commitment == hashlib.sha256(b"secret").hexdigest()
    assert source(7).commitment is None
    assert isinstance(source(7), Source)


@pytest.mark.parametrize("seed", ["7", 7.0, True, [7], (1,), bytearray(b"7")])
def test_a_seed_of_another_kind_is_refused(seed: Any) -> None:
    with pytest.raises(kibitz.BadOptions, match="seed: expected a whole number, bytes or None"):
        kibitz.game("kaching").deal(seed=seed)


@pytest.mark.parametrize("words", ["tea", [1], [None], ["\ud800"], [b"tea"]])
def test_words_of_another_kind_are_refused(words: Any) -> None:
    with pytest.raises(kibitz.BadOptions, match="words: expected a list of texts"):
        kibitz.game("kaching").deal(seed=1, words=words)
