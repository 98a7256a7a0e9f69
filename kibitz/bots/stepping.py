"""Many games at once, as kernels: moves made, finished games dealt anew, what the seats in turn see written.

Templates, like those of `search`: compiled for each game with its own verbs. Every game has a generator of
its own, so that what happens in it depends neither on the others nor on the number of threads.

Of what a seat sees only the changes are written. A game's *ink* is the view, in words of eight bytes, that
its tensor was last written from: what is the same there is skipped.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload
from numba.np.arrayobj import make_array
from numba.np.numpy_support import as_dtype

from kibitz.bots import search
from kibitz.bots.search import best_rated
from kibitz.core.chance import fresh_key, pick
from kibitz.core.journal import no_journal
from kibitz.core.kernel import borrowed, inlined, kernel, lowest_bit, wide
from kibitz.core.layout import NOBODY, AnyRecord, Moves, Rng
from kibitz.core.octets import copy_octets, octets
from kibitz.core.tensors import COUNT, OFFSET, OWN, WIDTH, Numbers, Octets, Spans, write_tensor

if TYPE_CHECKING:
    from kibitz.bots.verbs import imagine, is_over, legal_moves, play, set_up
    from kibitz.core.edge import observe

Records = npt.NDArray[Any]  # many, or one to work in
Masks = npt.NDArray[np.int8]
Words = npt.NDArray[np.int64]
Places = npt.NDArray[np.int32]

OUTSIDE = -1  # as a policy: whoever steps the batch chooses
RANDOM = 0
HEURISTIC = 1

MOST = 2**31 - 1  # as a limit: none
NO_TABLE = NOBODY  # as a seat of the first policy: it is drawn for each game

WORD = 8  # bytes
BLOCK = 32  # words that are compared at once
NO_RUN = -1
GLANCE = 32  # legal moves that are compared with a given one at once
AHEAD = 2  # games: how long before it is played a state's memory is asked for …
FETCHED = 400  # … but for fields of more bytes: a move needs little of those
LINE = 64  # bytes that memory is fetched in
TARGET, SHIFT, SIZE = range(3)  # columns of the places


class Games(NamedTuple):
    """What a thread works on: a row a game; then its room to think in, and for what is shown."""

    states: Records
    rngs: Any
    legal: Any  # the legal moves of the seat in turn …
    counts: Any  # … and how many they are
    rewards: Any
    own_rewards: Any
    ended: Any  # how many games ended in the step …
    done: Any  # … and whether any did
    seats: Any
    turns: Any
    observations: Any
    masks: Any  # 1 for each legal move, if they were shown; else 0
    inks: Any
    finals: Any
    views: Records
    imagined: Records
    shown: Records  # what two games, this one and the one before, show …
    words: Words  # … as memory, in blocks …
    changed: Places  # … and the words of it that aren't as their ink is


class Plan(NamedTuple):
    """What is the same for all games of a batch."""

    template: Records  # a state with the players and options, not dealt yet
    first_seat: int  # where the first policy sits, or NO_TABLE
    spans: Spans
    own_spans: Spans  # those of them with a row for each seat
    blocks: Words  # the first word of each block of a view that is in its tensor
    inked: Words  # for each word the bits that are
    runs: Words  # … and where its numbers go, if they are eight in a row, of a byte each; else NO_RUN
    places: Places  # for each byte the number that it is a part of: where it goes, and where it begins


def ink(spans: Spans, size: int) -> tuple[Words, Words, Words, Places]:
    """What a plan says of views of so many bytes; of seats' own rows the first counts."""
    words = -(-size // (BLOCK * WORD)) * BLOCK
    inked = np.zeros(words, np.int64)
    places = np.zeros((words * WORD, 3), np.int32)
    for offset, _, width, bits, count, start in spans.tolist():
        for i in range(count):
            first = offset + i * width
            target = start + i * max(bits, 1)
            places[first : first + width] = target, first % WORD * 8, 0 if bits else 8 * width
        inked.view(np.uint8)[offset : offset + count * width] = 255
    targets, sizes = places[:, TARGET].reshape(words, WORD), places[:, SIZE].reshape(words, WORD)
    in_a_row = (inked == -1) & (sizes == 8).all(axis=1) & (np.diff(targets) == 1).all(axis=1)
    runs = np.where(in_a_row, targets[:, 0], NO_RUN)
    blocks = BLOCK * np.flatnonzero(inked.reshape(-1, BLOCK).any(axis=1))
    return blocks, inked, runs.astype(np.int64), places


# Moves


def deal_anew(state: AnyRecord, template: AnyRecord, rng: Rng) -> None:
    """A new game with the template's players and options."""
    blank = octets(template)
    copy_octets(blank, 0, octets(state), 0, len(blank))  # a slice could fail, which takes long to compile
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


def begin(games: Games, plan: Plan) -> None:
    """Deal all games; the first policy sits on its seat, or somewhere else in each game."""
    players = wide(plan.template[0].players)
    for game in range(len(games.states)):
        deal_anew(games.states[game], plan.template[0], games.rngs[game])
        games.seats[game] = (
            pick(games.rngs[game], players) if plan.first_seat == NO_TABLE else plan.first_seat
        )


def settle(games: Games, plan: Plan, game: int) -> None:
    """Reward a finished game, keep what the first player saw last, and deal the next."""
    state, rng, seat = games.states[game], borrowed(games.rngs[game]), wide(games.seats[game])
    games.own_rewards[game] -= games.rewards[game, seat]
    reward(state, games.rewards[game])
    games.own_rewards[game] += games.rewards[game, seat]
    games.ended[game] += 1
    games.done[game] = True
    if len(games.finals) > 0:
        octets(games.views[0])[:] = 0
        observe(state, seat, games.views[0])
        write_tensor(octets(games.views[0]), seat, plan.spans, games.finals[game])
    deal_anew(state, plan.template[0], rng)
    if plan.first_seat == NO_TABLE:
        games.seats[game] = pick(rng, wide(state.players))


@inlined
def fetch_next(games: Games, game: int) -> None:
    """Ask for the memory of the games that come after this one, so that it is there in time."""
    if game + AHEAD < len(games.states):
        fetch(games.states[game + AHEAD])
        if len(games.masks) > 0:
            fetch_at(games.legal[game + AHEAD], 0)
            fetch_at(games.masks[game + 1], games.legal[game + 1, 0])
            fetch_at(games.masks[game + 1], games.legal[game + 1, games.counts[game + 1] - 1])


@inlined
def forget(games: Games, game: int) -> None:
    """What the step before has left: the mask, and what games were worth that ended in it, if any did."""
    if len(games.masks) > 0:
        mark(games.masks[game], games.legal[game], games.counts[game], 0)
    if games.ended[game] > 0:
        games.rewards[game, :] = 0.0
        games.own_rewards[game] = 0.0
        games.ended[game] = 0
        games.done[game] = False


def advance(
    games: Games, plan: Plan, policies: Masks, actions: Moves, limit: int, ends: int, shown: bool
) -> int:
    """Make the given move in each game, if any is given; then let seats play that have a policy of their own.

    At most `limit` moves are made in a game, and `ends` games are ended; new ones are dealt after them. Then
    what the seats in turn see is written, if it is to be shown. Returns how many moves were made.
    """
    games, plan = borrowed(games), borrowed(plan)
    journal = borrowed(no_journal())
    no_bots = (policies == OUTSIDE).all()
    decisions = unwritten = 0
    for game in range(len(games.states)):
        fetch_next(games, game)
        forget(games, game)
        state, rng, moves = games.states[game], games.rngs[game], games.legal[game]
        made = 0
        while made < limit and games.ended[game] < ends:
            if made == 0 and len(actions) > 0:
                move = actions[game]
            elif no_bots:
                break
            else:
                policy = policies[(wide(state.turn) - wide(games.seats[game])) % len(policies)]
                if policy == OUTSIDE:
                    break
                count = legal_moves(state, moves)
                move = choose(policy, state, moves, count, rng, games.views, games.imagined)
            play(state, move, journal)
            made += 1
            if is_over(state):
                settle(games, plan, game)
        decisions += made
        games.counts[game] = legal_moves(state, moves)
        if shown:
            mark(games.masks[game], moves, games.counts[game], 1)
            games.turns[game] = state.turn
            show(state, games.shown[game & 1], plan.own_spans)
            found = find_changes(games, plan, game)
            write_changes(games, plan, game - 1, unwritten)
            unwritten = found
    write_changes(games, plan, len(games.states) - 1, unwritten)
    return decisions


# What is seen


@inlined
def mark(mask: Masks, moves: Moves, count: int, number: int) -> None:
    """Put the number into the mask for each of the moves."""
    for place in range(count):
        mask[unsigned(moves[place])] = number


def show(state: AnyRecord, view: AnyRecord, own_spans: Spans) -> None:
    """Build the view of the seat in turn, with its own rows where the ink has them."""
    seat = wide(state.turn)
    octets(view)[:] = 0
    observe(state, seat, view)
    if seat > 0:
        own_row_first(octets(view), seat, own_spans)


@kernel
def own_row_first(view: Octets, seat: int, own_spans: Spans) -> None:
    """Put a seat's rows into the places of the first seat's, where the ink has them for everybody."""
    for line in range(len(own_spans)):
        first, size = own_spans[line, OFFSET], own_spans[line, COUNT] * own_spans[line, WIDTH]
        copy_octets(view, first + seat * own_spans[line, OWN], view, first, size)


@inlined
def find_changes(games: Games, plan: Plan, game: int) -> int:
    """List the words of a game that differ from its ink; returns how many they are.

    The memory that their numbers go to is asked for, and written one game later: a write that waits for
    memory lets all others wait behind it. That saves up to a tenth of a step.
    """
    fresh, ink, found = games.words[game & 1], games.inks[game], games.changed[game & 1]
    count = 0
    for line in range(len(plan.blocks)):
        block = plan.blocks[line]
        changes = changed_words(fresh, ink, plan.inked, block)
        while changes != 0:
            place = block + lowest_bit(changes)
            changes &= changes - 1
            found[count] = place
            count += 1
            fetch_at(games.observations[game], first_number(fresh, ink, plan, place))
    return count


@inlined
def first_number(fresh: Words, ink: Words, plan: Plan, place: Any) -> int:
    """Where the first number of a changed word goes."""
    word = unsigned(place)
    if plan.runs[word] != NO_RUN:
        return wide(plan.runs[word])
    bit = lowest_bit((fresh[word] ^ ink[word]) & plan.inked[word])
    byte = unsigned(WORD * place + (bit >> 3))
    within = bit - plan.places[byte, SHIFT] if plan.places[byte, SIZE] == 0 else 0
    return wide(plan.places[byte, TARGET] + within)


@inlined
def write_changes(games: Games, plan: Plan, game: int, count: int) -> None:
    """Write the numbers of all words that were found to differ from the ink, and have it remember them."""
    for line in range(count):
        fresh, ink, numbers = games.words[game & 1], games.inks[game], games.observations[game]
        place = wide(games.changed[game & 1, line])
        word = unsigned(place)
        if plan.runs[word] != NO_RUN:
            write_run(fresh[word], numbers, plan.runs[word])
        else:
            differ = (fresh[word] ^ ink[word]) & plan.inked[word]
            write_word(fresh[word], differ, plan.places, WORD * place, numbers)
        ink[word] = fresh[word]


@inlined
def write_word(word: Any, changed: Any, places: Places, first: Any, numbers: Numbers) -> None:
    """The numbers of one word that have changed bits: a set's bits each by itself."""
    while changed != 0:
        bit = lowest_bit(changed)
        byte = unsigned(first + (bit >> 3))
        target, shift, size = places[byte, TARGET], places[byte, SHIFT], places[byte, SIZE]
        if size == 0:
            numbers[unsigned(target + bit - shift)] = (word >> bit) & 1
            changed ^= np.int64(1) << bit
        else:
            numbers[unsigned(target)] = (word << (64 - shift - size)) >> (64 - size)  # with its sign
            changed &= ~(((np.int64(1) << size) - 1) << shift)


@inlined
def unsigned(place: Any) -> Any:
    """An index that never counts from the end: compiled code needn't ask at each of them."""
    return np.uint64(place)


# … several numbers at once, which Numba doesn't do by itself


def changed_words(fresh: Words, ink: Words, inked: Words, first: int) -> int:
    """Which words of a block, from the first on, differ from the ink: a bit for each."""
    block = slice(first, first + BLOCK)
    differ = (fresh[block] ^ ink[block]) & inked[block] != 0
    return int(np.packbits(differ, bitorder="little").view("<u4")[0])


@overload(changed_words, strict=False)  # type: ignore[untyped-decorator]
def _compiled_changed_words(fresh: Any, ink: Any, inked: Any, first: Any) -> Any:
    return lambda fresh, ink, inked, first: _changed_words(fresh, ink, inked, np.int64(first))


@intrinsic  # type: ignore[untyped-decorator]
def _changed_words(context: Any, fresh: Any, ink: Any, inked: Any, first: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        words = [
            _several(context, builder, kind, array, arguments[3], ir.IntType(64), BLOCK)
            for kind, array in zip(signature.args, arguments[:3])
        ]
        now, before, counting = (builder.load(pointer, align=WORD) for pointer in words)
        changed = builder.and_(builder.xor(now, before), counting)
        differ = builder.icmp_unsigned("!=", changed, changed.type([0] * BLOCK))
        return builder.zext(builder.bitcast(differ, ir.IntType(BLOCK)), ir.IntType(64))

    return types.int64(fresh, ink, inked, first), generate


def write_run(word: int, numbers: Numbers, target: int) -> None:
    """A word's eight bytes as numbers with their signs: sooner written than asked which of them changed."""
    numbers[target : target + WORD] = np.array([word], np.int64).view(np.int8)


@overload(write_run, strict=False)  # type: ignore[untyped-decorator]
def _compiled_write_run(word: Any, numbers: Any, target: Any) -> Any:
    return lambda word, numbers, target: _write_run(np.int64(word), numbers, np.int64(target))


@intrinsic  # type: ignore[untyped-decorator]
def _write_run(context: Any, word: Any, numbers: Any, target: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        there = _several(
            context, builder, signature.args[1], arguments[1], arguments[2], ir.IntType(32), WORD
        )
        octets = builder.bitcast(arguments[0], ir.VectorType(ir.IntType(8), WORD))
        builder.store(builder.sext(octets, there.type.pointee), there, align=4)
        return context.get_dummy_value()

    return types.void(word, numbers, target), generate


def _several(context: Any, builder: Any, kind: Any, array: Any, place: Any, number: Any, count: int) -> Any:
    """Where so many numbers of an array lie, from a place on."""
    first = builder.gep(make_array(kind)(context, builder, array).data, [place])
    return builder.bitcast(first, ir.VectorType(number, count).as_pointer())


def lines_to_fetch(record: np.dtype[Any]) -> list[int]:
    """The lines of memory that have part of a field that isn't big."""
    lines: set[int] = set()
    for kind, start, *_ in (record.fields or {}).values():
        if kind.itemsize <= FETCHED:
            lines.update(range(start // LINE, (start + kind.itemsize - 1) // LINE + 1))
    return sorted(lines)


def fetch(record: AnyRecord) -> None:
    """Have the processor fetch a record's memory while it works on others: saves up to a fifth of a step."""


@overload(fetch, strict=False)  # type: ignore[untyped-decorator]
def _compiled_fetch(record: Any) -> Any:
    return lambda record: _fetch(record)


@intrinsic  # type: ignore[untyped-decorator]
def _fetch(context: Any, record: Any) -> Any:
    lines = lines_to_fetch(as_dtype(record))

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        first = builder.bitcast(arguments[0], ir.IntType(8).as_pointer())
        for line in lines:
            _ask_for(builder, builder.gep(first, [ir.IntType(32)(LINE * line)]))
        return context.get_dummy_value()

    return types.void(record), generate


def fetch_at(array: Any, place: int) -> None:
    """… and one place of an array."""


@overload(fetch_at, strict=False)  # type: ignore[untyped-decorator]
def _compiled_fetch_at(array: Any, place: Any) -> Any:
    return lambda array, place: _fetch_at(array, np.int64(place))


@intrinsic  # type: ignore[untyped-decorator]
def _fetch_at(context: Any, array: Any, place: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        first = make_array(signature.args[0])(context, builder, arguments[0]).data
        _ask_for(builder, builder.bitcast(builder.gep(first, [arguments[1]]), ir.IntType(8).as_pointer()))
        return context.get_dummy_value()

    return types.void(array, place), generate


def _ask_for(builder: Any, memory: Any) -> None:
    number = ir.IntType(32)
    kind = ir.FunctionType(ir.VoidType(), [memory.type, number, number, number])
    prefetch = builder.module.declare_intrinsic("llvm.prefetch", (memory.type,), kind)
    for_writing, soon, as_data = number(1), number(3), number(1)
    builder.call(prefetch, [memory, for_writing, soon, as_data])


# What is asked for in any game


@kernel
def first_refused(legal: Any, counts: Any, actions: Moves) -> int:
    """The first game in which the given move isn't legal, or -1."""
    for game in range(len(actions)):
        count, place = wide(counts[game]), 0
        found = False
        if legal.shape[1] >= GLANCE:
            first = (np.int64(1) << min(count, GLANCE)) - 1
            found = found_at(legal, game, actions[game]) & first != 0
            place = GLANCE
        while not found and place < count:
            found = legal[game, place] == actions[game]
            place += 1
        if not found:
            return game
    return -1


def found_at(legal: Any, game: int, move: int) -> int:
    """Where a move is among the first ones of a game: a bit for each place."""
    return int(np.packbits(legal[game, :GLANCE] == move, bitorder="little").view("<u4")[0])


@overload(found_at, strict=False)  # type: ignore[untyped-decorator]
def _compiled_found_at(legal: Any, game: Any, move: Any) -> Any:
    return lambda legal, game, move: _found_at(legal[game], np.int16(move))


@intrinsic  # type: ignore[untyped-decorator]
def _found_at(context: Any, moves: Any, move: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        none = context.get_constant(types.intp, 0)
        there = _several(context, builder, signature.args[0], arguments[0], none, ir.IntType(16), GLANCE)
        wanted = ir.Constant(there.type.pointee, ir.Undefined)
        wanted = builder.insert_element(wanted, arguments[1], ir.IntType(32)(0))
        everywhere = ir.Constant(ir.VectorType(ir.IntType(32), GLANCE), [0] * GLANCE)
        wanted = builder.shuffle_vector(wanted, wanted, everywhere)
        same = builder.icmp_unsigned("==", builder.load(there, align=2), wanted)
        return builder.zext(builder.bitcast(same, ir.IntType(GLANCE)), ir.IntType(64))

    return types.int64(moves, move), generate


@kernel
def pick_each(legal: Any, counts: Any, rngs: Any, actions: Moves) -> None:
    """A legal move by chance for each game."""
    for game in range(len(actions)):
        actions[game] = legal[game, pick(rngs[game], wide(counts[game]))]


PARTS = (*search.RATING, deal_anew, choose, reward, settle, show)
TEMPLATES: Sequence[Any] = (*PARTS, begin, advance)
