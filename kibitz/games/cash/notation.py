"""The notation of CASH's moves, and what is wrong with a text that isn't one."""

from kibitz.core.errors import Refusal
from kibitz.games.cash import box, table

SINGLE = {  # moves that are one of a kind
    table.SETTLE: "play settlement",
    table.PLAY_VENTURE: "play venture",
    table.PLAY_TAXMAN: "play taxman",
    table.DONE: "done",
    table.AGAIN: "again",
    table.PROPOSE: "propose",
    table.DROP: "drop",
    table.ACCEPT: "accept",
    table.DECLINE: "decline",
    table.TAKE: "take",
    table.COUNTER: "counter",
}
WITH_A_CARD = (  # moves that name a card, the last range first
    (table.WANT, "want"),
    (table.GIVE, "give"),
    (table.PASS, "pass"),
    (table.TRIM, "trim"),
    (table.DISCARD, "discard"),
)


def move_text(move: int) -> str:
    """A move's notation: `play cash-25`, `play cover-50 over cash-10 cash-25`, `discard takeover on p2` …"""
    if move in SINGLE:
        return SINGLE[move]
    if move < table.INSURE:
        return f"play {box.CARDS[move - table.PLAY + 1]}"
    if move < table.PROBE:
        cover, cash = box.POLICIES[move - table.INSURE + 1]
        return f"play {box.CARDS[cover]} over {' '.join(box.CARDS[card] for card in cash)}"
    if move < table.SETTLE:
        probe, rival = divmod(move - table.PROBE, table.SEATS)
        return f"play {box.PROBE_NAMES[probe]} on p{rival}"
    if table.TAKE_OVER <= move < table.DONE:
        return f"discard takeover on p{move - table.TAKE_OVER}"
    if table.TRADE <= move < table.GIVE:
        return f"trade p{move - table.TRADE}"
    if table.GIVE_FIRM <= move < table.WANT:
        return f"give firm {box.CARDS[table.LOOSE_CARDS[move - table.GIVE_FIRM]]}"
    if move >= table.SPARE:
        return f"spare p{move - table.SPARE}"
    if move >= table.WANT_FIRM:
        return f"want firm {box.CARDS[table.LOOSE_CARDS[move - table.WANT_FIRM]]}"
    first, verb = next(line for line in WITH_A_CARD if line[0] <= move)
    return f"{verb} {box.CARDS[move - first + 1]}"


NOTATION = {move_text(move): move for move in range(table.NUM_MOVES)}


def unknown(text: str) -> Refusal:
    """Why a text can't be a move anywhere."""
    match text.split(" "):
        case ["play", cover] if cover in box.COVER_NAMES:
            return Refusal("say-what-is-insured", "notation", card=cover)
        case ["play", cover, "over", *cash] if (
            cover in box.COVER_NAMES and cash and set(cash) <= set(box.CASH_NAMES)
        ):
            return _not_insurable(cover, cash)
        case ["play", probe] if probe in box.PROBE_NAMES:
            return Refusal("say-on-whom", "notation", card=probe)
        case ["play", card] if card in box.NUMBER:
            return Refusal("only-discarded", "cards", card=card)
        case ["give" | "want", "firm", card] if card in box.NUMBER:
            return Refusal("never-traded", "trading", card=card)
        case _:
            return Refusal("unknown-move", "notation")


def _not_insurable(cover: str, cash: list[str]) -> Refusal:
    cards = sorted(box.NUMBER[name] for name in cash)
    right = f"play {cover} over {' '.join(box.CARDS[card] for card in cards)}"
    if right in NOTATION:
        return Refusal("ascending", "notation", right=right)
    total = sum(int(box.VALUE[card]) for card in cards)
    if total > box.figure(cover):
        return Refusal("over-limit", "C12", card=cover, total=total, limit=box.figure(cover))
    return Refusal("not-so-many", "cards", right=right)
