"""The stacks of Cover Your Assets: sets of cards, each laid crosswise on the one before."""

from kibitz.core.cards import NO_CARD
from kibitz.core.kernel import kernel, wide
from kibitz.core.layout import AnyRecord
from kibitz.games.assets.box import GOLD, SILVER, VALUE


@kernel
def top_asset(state: AnyRecord, seat: int) -> int:
    """What a seat's top set is made of."""
    return wide(state.assets[seat, wide(state.heights[seat]) - 1])


@kernel
def lay_pair(state: AnyRecord, seat: int, asset: int, partner: int) -> None:
    """Lay an asset with its like (0), with silver (1) or with gold (2)."""
    height = wide(state.heights[seat])
    state.assets[seat, height] = asset
    state.counts[seat, height] = 2 if partner == 0 else 1
    state.silvers[seat, height] = 1 if partner == 1 else 0
    state.golds[seat, height] = 1 if partner == 2 else 0
    state.heights[seat] = height + 1


@kernel
def join(state: AnyRecord, seat: int, place: int, card: int) -> None:
    """Add a card to a set."""
    if card == SILVER:
        state.silvers[seat, place] += 1
    elif card == GOLD:
        state.golds[seat, place] += 1
    else:
        state.counts[seat, place] += 1


@kernel
def move_top_set(state: AnyRecord, source: int, target: int) -> None:
    """A stolen set lies on top of the thief's stack."""
    top, place = wide(state.heights[source]) - 1, wide(state.heights[target])
    state.assets[target, place] = state.assets[source, top]
    state.counts[target, place] = state.counts[source, top]
    state.silvers[target, place] = state.silvers[source, top]
    state.golds[target, place] = state.golds[source, top]
    state.heights[target] += 1
    drop_top_set(state, source)


@kernel
def drop_top_set(state: AnyRecord, seat: int) -> None:
    """The top set leaves a stack."""
    state.heights[seat] -= 1
    place = wide(state.heights[seat])
    state.assets[seat, place] = NO_CARD
    state.counts[seat, place] = 0
    state.silvers[seat, place] = 0
    state.golds[seat, place] = 0


@kernel
def asset_worth(state: AnyRecord, seat: int) -> int:
    """What the assets in a stack count."""
    worth = 0
    for place in range(state.heights[seat]):
        worth += VALUE[state.edition, state.assets[seat, place]] * state.counts[seat, place]
    return worth


@kernel
def silver_worth(state: AnyRecord, seat: int) -> int:
    """What the silver in a stack counts."""
    return wide(state.silvers[seat].sum()) * wide(VALUE[state.edition, SILVER])


@kernel
def gold_worth(state: AnyRecord, seat: int) -> int:
    """What the gold in a stack counts."""
    return wide(state.golds[seat].sum()) * wide(VALUE[state.edition, GOLD])


@kernel
def wild_worth(state: AnyRecord, seat: int) -> int:
    """What the wilds in a stack count."""
    return silver_worth(state, seat) + gold_worth(state, seat)
