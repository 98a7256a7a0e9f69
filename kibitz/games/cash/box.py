"""What is in the box of CASH: the cards, how many there are of each, and what they are worth."""

from collections.abc import Iterator

import numpy as np

from kibitz.core.cards import NO_CARD, CardCodes
from kibitz.core.common import frozen

# The printed rules don't count the cards: this table does, and nothing else. Card order is the table's.
BOX = (
    ("license", 20),
    ("stop", 10),
    ("cash-5", 10),
    ("cash-10", 10),
    ("cash-25", 14),
    ("cash-50", 12),
    ("cash-75", 8),
    ("cash-150", 2),
    ("cover-25", 6),
    ("cover-50", 4),
    ("cover-75", 2),
    ("probe-bribery", 6),
    ("probe-insider", 6),
    ("probe-laundering", 6),
    ("probe-crime", 6),
    ("clear-bribery", 10),
    ("clear-insider", 10),
    ("clear-laundering", 10),
    ("clear-crime", 10),
    ("settlement", 8),
    ("dividend", 10),
    ("premium", 2),
    ("venture", 4),
    ("takeover", 4),
    ("crash", 8),
    ("recession", 6),
    ("bankruptcy", 2),
    ("broker", 5),
    ("banker", 3),
    ("taxman", 2),
)
THOUSAND = 1000

# A card is a number from 1 in this order; 0 is no card.
CARDS = CardCodes([name for name, _ in BOX], expected="a card such as 'cash-25'")
NUM_CARDS = len(BOX)
NUMBER = CARDS.numbers

LICENSE, STOP = NUMBER["license"], NUMBER["stop"]
FIRST_CASH, LAST_CASH = NUMBER["cash-5"], NUMBER["cash-150"]
CASH_25, CASH_50 = NUMBER["cash-25"], NUMBER["cash-50"]
FIRST_COVER, LAST_COVER = NUMBER["cover-25"], NUMBER["cover-75"]
FIRST_PROBE, LAST_PROBE = NUMBER["probe-bribery"], NUMBER["probe-crime"]
FIRST_CLEAR, LAST_CLEAR = NUMBER["clear-bribery"], NUMBER["clear-crime"]
SETTLEMENT = NUMBER["settlement"]
DIVIDEND, PREMIUM, VENTURE, TAKEOVER = (
    NUMBER[name] for name in ("dividend", "premium", "venture", "takeover")
)
CRASH, RECESSION, BANKRUPTCY = (NUMBER[name] for name in ("crash", "recession", "bankruptcy"))
BROKER, BANKER, TAXMAN = (NUMBER[name] for name in ("broker", "banker", "taxman"))
BULLS, BEARS, COMMISSIONS = (DIVIDEND, PREMIUM), (CRASH, RECESSION, BANKRUPTCY), (BROKER, BANKER)
TAKING_CARDS = BULLS + COMMISSIONS  # they take others' cash

CASH_NAMES = CARDS.names[FIRST_CASH : LAST_CASH + 1]
COVER_NAMES = CARDS.names[FIRST_COVER : LAST_COVER + 1]
PROBE_NAMES = CARDS.names[FIRST_PROBE : LAST_PROBE + 1]
NUM_CASH, NUM_COVERS, NUM_PROBES = len(CASH_NAMES), len(COVER_NAMES), len(PROBE_NAMES)
ALL_COVERS = sum(copies for name, copies in BOX if name.startswith("cover"))
DECK_SIZE = sum(copies for _, copies in BOX)


def figure(name: str) -> int:
    """The number in the name of a cash card or an insurance, in dollars."""
    return int(name.partition("-")[2]) * THOUSAND


COPIES = frozen([0, *(copies for _, copies in BOX)])  # by card
MOST_COPIES = int(COPIES.max())
VALUE = frozen([figure(name) if name.startswith("cash") else 0 for name in CARDS.names])  # dollars, by card
DECK = frozen([NUMBER[name] for name, copies in BOX for _ in range(copies)], np.int8)


# Insurance: a policy is a cover with the cash beneath it. Which there can be is a fixed list, sorted by
# cover and then by its cash, so that a number stands for each. Number 0 is no policy.

Policy = tuple[int, tuple[int, ...]]  # the cover, and the cash cards in card order


def policies(cover: int, cash: tuple[int, ...] = ()) -> Iterator[Policy]:
    """All ways to insure with a cover that begin with some cash: its value is at most the limit. [C12]"""
    if cash:
        yield cover, cash
    for card in range(cash[-1] if cash else FIRST_CASH, LAST_CASH + 1):
        more = (*cash, card)
        if sum(VALUE[card] for card in more) <= figure(CARDS[cover]) and more.count(card) <= COPIES[card]:
            yield from policies(cover, more)


POLICIES: tuple[Policy, ...] = (
    (NO_CARD, ()),
    *(policy for cover in range(FIRST_COVER, LAST_COVER + 1) for policy in policies(cover)),
)
NUM_POLICIES = len(POLICIES) - 1
POLICY_NUMBER = {policy: number for number, policy in enumerate(POLICIES) if number}
POLICY_COVER = frozen([cover for cover, _ in POLICIES])
POLICY_VALUE = frozen([sum(int(VALUE[card]) for card in cash) for _, cash in POLICIES])
POLICY_CASH = frozen(  # how many cash cards of each kind, by policy
    [[cash.count(card) for card in range(FIRST_CASH, LAST_CASH + 1)] for _, cash in POLICIES]
)
PACK = 8  # bits for the count of each kind of cash, the highest of them free: all are compared at once
POLICY_PACKED = frozen(
    [sum(int(count) << PACK * place for place, count in enumerate(row)) for row in POLICY_CASH]
)
HIGH_BITS = sum(1 << PACK * place + PACK - 1 for place in range(NUM_CASH))
FIRST_POLICY = frozen(  # of each cover, and one beyond the last
    [1 + sum(other - FIRST_COVER < cover for other, _ in POLICIES[1:]) for cover in range(NUM_COVERS + 1)]
)
