"""The notation of CASH's moves, and what is wrong with a text that isn't one."""

from kibitz.core.errors import Refusal
from kibitz.games.cash.cards import (
    CARDS,
    FIRST_CASH,
    FIRST_COVER,
    FIRST_PROBE,
    LAST_CASH,
    LAST_COVER,
    LAST_PROBE,
    LICENSE,
    NUMBER,
    POLICIES,
    SETTLEMENT,
    STOP,
    TAXMAN,
    VALUE,
    VENTURE,
    figure,
)
from kibitz.games.cash.table import (
    ACCEPT,
    AGAIN,
    DECLINE,
    DISCARD,
    DONE,
    DROP,
    GIVE,
    GIVE_FIRM,
    INSURE,
    LOOSE_CARDS,
    NUM_MOVES,
    PASS,
    PLAY,
    PLAY_TAXMAN,
    PLAY_VENTURE,
    PROBE,
    PROPOSE,
    SEATS,
    SETTLE,
    TAKE_OVER,
    TRADE,
    TRIM,
    WANT,
    WANT_FIRM,
)

COVERS = CARDS[FIRST_COVER : LAST_COVER + 1]
CASH = CARDS[FIRST_CASH : LAST_CASH + 1]
PROBES = CARDS[FIRST_PROBE : LAST_PROBE + 1]
PLAYABLE = {CARDS[card] for card in (LICENSE, STOP, SETTLEMENT, VENTURE, TAXMAN)} | set(CASH)
SINGLE = {  # moves that are one of a kind
    SETTLE: "play settlement",
    PLAY_VENTURE: "play venture",
    PLAY_TAXMAN: "play taxman",
    DONE: "done",
    AGAIN: "again",
    PROPOSE: "propose",
    DROP: "drop",
    ACCEPT: "accept",
    DECLINE: "decline",
}
WITH_A_CARD = (  # moves that name a card, the last range first
    (WANT, "want"),
    (GIVE, "give"),
    (PASS, "pass"),
    (TRIM, "trim"),
    (DISCARD, "discard"),
)


def move_text(move: int) -> str:
    """A move's notation: `play cash-25`, `play cover-50 over cash-10 cash-25`, `discard takeover on p2` …"""
    if move in SINGLE:
        return SINGLE[move]
    if move < INSURE:
        return f"play {CARDS[move - PLAY + 1]}"
    if move < PROBE:
        cover, cash = POLICIES[move - INSURE + 1]
        return f"play {CARDS[cover]} over {' '.join(CARDS[card] for card in cash)}"
    if move < SETTLE:
        return f"play {CARDS[FIRST_PROBE + (move - PROBE) // SEATS]} on p{(move - PROBE) % SEATS}"
    if TAKE_OVER <= move < DONE:
        return f"discard takeover on p{move - TAKE_OVER}"
    if TRADE <= move < GIVE:
        return f"trade p{move - TRADE}"
    if GIVE_FIRM <= move < WANT:
        return f"give firm {CARDS[LOOSE_CARDS[move - GIVE_FIRM]]}"
    if move >= WANT_FIRM:
        return f"want firm {CARDS[LOOSE_CARDS[move - WANT_FIRM]]}"
    first, verb = next(line for line in WITH_A_CARD if line[0] <= move)
    return f"{verb} {CARDS[move - first + 1]}"


NOTATION = {move_text(move): move for move in range(NUM_MOVES)}


def unknown(text: str) -> Refusal:
    """Why a text can't be a move anywhere."""
    match text.split(" "):
        case ["play", cover] if cover in COVERS:
            return Refusal("say-what-is-insured", "notation", card=cover)
        case ["play", cover, "over", *cash] if cover in COVERS and cash and set(cash) <= set(CASH):
            return _not_insurable(cover, cash)
        case ["play", probe] if probe in PROBES:
            return Refusal("say-on-whom", "notation", card=probe)
        case ["play", card] if card in NUMBER:
            return Refusal("only-discarded", "cards", card=card)
        case ["give" | "want", "firm", card] if card in NUMBER:
            return Refusal("never-traded", "trading", card=card)
        case _:
            return Refusal("unknown-move", "notation")


def _not_insurable(cover: str, cash: list[str]) -> Refusal:
    cards = sorted(NUMBER[name] for name in cash)
    right = f"play {cover} over {' '.join(CARDS[card] for card in cards)}"
    if right in NOTATION:
        return Refusal("ascending", "notation", right=right)
    total = sum(int(VALUE[card]) for card in cards)
    if total > figure(cover):
        return Refusal("over-limit", "C12", card=cover, total=total, limit=figure(cover))
    return Refusal("not-so-many", "cards", right=right)
