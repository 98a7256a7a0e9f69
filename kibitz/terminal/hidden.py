"""What may be hidden from a player, as bars: each rival's hand, and the next card of the deck."""

import re
from collections.abc import Iterator, Mapping, Sequence

from rich.text import Text

from kibitz.core.words import Words
from kibitz.terminal.drawing import Drawing, joined
from kibitz.terminal.narration import percent

MOST = 12  # cards of a place, the likeliest
BAR = 20  # cells of one that is there for certain


def hidden_lines(
    beliefs: Mapping[str, Mapping[str, float]], names: Sequence[str], words: Words, drawing: Drawing
) -> Iterator[Text]:
    """How likely each card is at each place, by `kibitz.bots.analysis.belief`."""
    if not beliefs:
        yield Text(words("terminal.hidden.none"))
        return
    yield Text(words("terminal.hidden.told"), style="dim")
    for place, expected in beliefs.items():
        hand = re.fullmatch(r"hands/(\d+)", place)
        total = sum(expected.values())
        yield Text()
        if hand:
            whose = words("terminal.hidden.hand", name=names[int(hand[1])], count=round(total))
            yield Text(whose, style="bold")
        else:
            yield Text(words("terminal.hidden.next"), style="bold")
        likeliest = list(expected.items())[:MOST]
        width = max(len(card) for card, _ in likeliest)
        for card, count in likeliest:
            yield card_line(card, count if hand else count / total, width, words, drawing)


def card_line(card: str, count: float, width: int, words: Words, drawing: Drawing) -> Text:
    """A card, and how likely it is there; how many, where more than one is likely."""
    told = percent(count) if count <= 1 else words("terminal.hidden.expected", count=f"{count:.1f}")
    bar = "━" * max(1, round(BAR * min(1.0, count)))
    gap = " " * (width - len(card))
    return joined("  ", drawing.paint(card), gap, (f"  {bar:<{BAR}}", "cyan"), f"  {told}")
