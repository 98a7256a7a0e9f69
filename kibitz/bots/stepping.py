"""Many games at once, as kernels: moves made, finished games dealt anew, what the seats in turn see written.

Templates, like those of `search`: compiled for each game with its own verbs. Every game has a generator of
its own, so that what happens in it depends neither on the others nor on the number of threads.

Of what a seat sees only the changes are written. A game's *ink* is the bytes of the view that its tensor is
made of, in words of eight; words that are as they were when the tensor was last written are skipped.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from kibitz.bots.search import best_rated
from kibitz.core.chance import fresh_key, pick
from kibitz.core.journal import no_journal
from kibitz.core.kernel import borrowed, inlined, kernel, wide
from kibitz.core.layout import NOBODY, AnyRecord, Moves, Rng
from kibitz.core.octets import copy_octets, octets
from kibitz.core.tensors import BITS, COUNT, OFFSET, OWN, START, WIDTH, Numbers, Octets, Spans, write_tensor

if TYPE_CHECKING:
    from kibitz.bots.verbs import imagine, is_over, legal_moves, play, set_up
    from kibitz.core.edge import observe

Records = npt.NDArray[Any]  # many, or one to work in
Masks = npt.NDArray[np.int8]
Words = npt.NDArray[np.int64]

OUTSIDE = -1  # as a policy: whoever steps the batch chooses
RANDOM = 0
HEURISTIC = 1

MOST = 2**31 - 1  # as a limit: none
NO_TABLE = NOBODY  # as a seat of the first policy: it is drawn for each game

SPAN, FIRST_WORD = range(2)  # columns of what `ink_words` makes


def ink_words(spans: Spans) -> Words:
    """For each word of ink the span it is of, and that span's first word: every span begins a new word."""
    lines: list[tuple[int, int]] = []
    for span, line in enumerate(spans.tolist()):
        size = line[COUNT] * line[WIDTH]
        lines += [(span, len(lines))] * ((size + 7) // 8)
    return np.array(lines, np.int64).reshape(-1, 2)


# Moves


def deal_anew(state: AnyRecord, template: AnyRecord, rng: Rng) -> None:
    """A new game with the template's players and options."""
    octets(state)[:] = octets(template)
    fresh_key(state, rng)
    set_up(state, no_journal())


def choose(
    policy: int, state: AnyRecord, moves: Moves, count: int, rng: Rng, views: Records, imagined: Records
) -> int:
    """A move by chance, or the one rated best in a state imagined from what the seat in turn knows."""
    if count == 1:
        return moves[0]
    if policy == RANDOM:
        return moves[pick(rng, count)]
    octets(views[0])[:] = 0
    observe(state, state.turn, views[0])
    imagine(views[0], rng, imagined[0])
    return best_rated(imagined[0], moves, count, rng)


def reward(state: AnyRecord, rewards: Any) -> None:
    """Add what a finished game is worth to each seat; see `kibitz.core.tensors.returns`."""
    players = wide(state.players)
    winners = 0
    for seat in range(players):
        winners += wide(state.winners[seat])
    for seat in range(players):
        if winners > 0:
            rewards[seat] += (players * wide(state.winners[seat]) / winners - 1) / (players - 1)


def begin(states: Records, template: Records, rngs: Any, seats: Any, first_seat: int) -> None:
    """Deal all games; the first policy sits on `first_seat`, or somewhere else in each game."""
    for game in range(len(states)):
        deal_anew(states[game], template[0], rngs[game])
        seats[game] = pick(rngs[game], wide(template[0].players)) if first_seat == NO_TABLE else first_seat


def advance(
    states: Records,
    template: Records,
    rngs: Any,
    legal: Any,
    counts: Any,
    rewards: Any,
    own_rewards: Any,
    ended: Any,
    seats: Any,
    finals: Any,
    first_seat: int,
    policies: Masks,
    actions: Moves,
    limit: int,
    ends: int,
    views: Records,
    imagined: Records,
    spans: Spans,
) -> int:
    """Make the given move in each game, if any is given; then let seats play that have a policy of their own.

    At most `limit` moves are made in a game, and `ends` games are ended. After an end a new game is dealt
    and played on likewise. Returns how many moves were made.
    """
    journal = no_journal()
    decisions = 0
    for game in range(len(states)):
        state, rng, moves = states[game], borrowed(rngs[game]), borrowed(legal[game])
        rewards[game, :] = 0.0
        own_rewards[game] = 0.0
        ended[game] = 0
        given = len(actions) > 0
        left = limit
        while left > 0 and ended[game] < ends:
            if given:
                move = actions[game]
                given = False
            else:
                policy = policies[(wide(state.turn) - wide(seats[game])) % len(policies)]
                if policy == OUTSIDE:
                    break
                count = legal_moves(state, moves)
                move = choose(policy, state, moves, count, rng, views, imagined)
            play(state, move, journal)
            decisions += 1
            left -= 1
            if is_over(state):
                own_rewards[game] -= rewards[game, seats[game]]
                reward(state, rewards[game])
                own_rewards[game] += rewards[game, seats[game]]
                ended[game] += 1
                if len(finals) > 0:
                    octets(views[0])[:] = 0
                    observe(state, wide(seats[game]), views[0])
                    write_tensor(octets(views[0]), wide(seats[game]), spans, finals[game])
                deal_anew(state, template[0], rng)
                if first_seat == NO_TABLE:
                    seats[game] = pick(rng, len(policies))
        counts[game] = legal_moves(state, moves)
    return decisions


# What is seen


def look(
    states: Records,
    legal: Any,
    counts: Any,
    turns: Any,
    observations: Any,
    masks: Any,
    inks: Any,
    views: Records,
    spans: Spans,
    words: Words,
    fresh: Words,
    fresh_octets: Octets,
) -> None:
    """Write for each game who is in turn, what that seat sees, and which moves are legal."""
    for game in range(len(states)):
        seat = wide(states[game].turn)
        octets(views[0])[:] = 0
        observe(states[game], seat, views[0])
        gather_ink(octets(views[0]), seat, spans, fresh_octets)
        write_changes(
            borrowed(fresh),
            borrowed(inks[game]),
            borrowed(spans),
            borrowed(words),
            borrowed(observations[game]),
        )
        masks[game, :] = 0
        for place in range(counts[game]):
            masks[game, legal[game, place]] = 1
        turns[game] = seat


@kernel
def gather_ink(source: Octets, observer: int, spans: Spans, ink: Octets) -> None:
    """Put the bytes that a tensor is made of side by side, each span from the beginning of a word."""
    target = 0
    for line in range(len(spans)):
        first = spans[line, OFFSET] + observer * spans[line, OWN]
        size = spans[line, COUNT] * spans[line, WIDTH]
        copy_octets(source, first, ink, target, size)
        target += (size + 7) // 8 * 8


@kernel
def write_changes(fresh: Words, ink: Words, spans: Spans, words: Words, numbers: Numbers) -> None:
    """Write the numbers of all words that differ from those written last, which the ink remembers."""
    for place in range(len(fresh)):
        if fresh[place] != ink[place]:
            line = words[place, SPAN]
            byte = 8 * (place - words[place, FIRST_WORD])
            write_word(fresh[place], fresh[place] ^ ink[place], byte, spans, line, numbers)
            ink[place] = fresh[place]


@inlined
def write_word(word: int, changed: int, byte: int, spans: Spans, line: int, numbers: Numbers) -> None:
    """The numbers of one word of a span, from that byte of it on: those that have changed."""
    width, bits_each, start = spans[line, WIDTH], spans[line, BITS], spans[line, START]
    size = 8 * width
    every = np.int64(-1) if size == 64 else (np.int64(1) << size) - 1
    first = byte // width
    for i in range(min(8 // width, spans[line, COUNT] - first)):
        if (changed >> (size * i)) & every != 0:
            number = (word >> (size * i)) & every
            if bits_each > 0:
                for bit in range(bits_each):
                    numbers[start + (first + i) * bits_each + bit] = (number >> bit) & 1
            else:
                sign = np.int64(1) << (size - 1)
                numbers[start + first + i] = number - ((number & sign) << 1)


# What is asked for in any game


@kernel
def first_refused(legal: Any, counts: Any, actions: Moves) -> int:
    """The first game in which the given move isn't legal, or -1."""
    for game in range(len(actions)):
        place = 0
        while place < counts[game] and legal[game, place] != actions[game]:
            place += 1
        if place == counts[game]:
            return game
    return -1


@kernel
def pick_each(legal: Any, counts: Any, rngs: Any, actions: Moves) -> None:
    """A legal move by chance for each game."""
    for game in range(len(actions)):
        actions[game] = legal[game, pick(rngs[game], wide(counts[game]))]


TEMPLATES: Sequence[Any] = (best_rated, deal_anew, choose, reward, begin, advance, look)
PARTS = (best_rated, deal_anew, choose, reward)
