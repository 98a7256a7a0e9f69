"""The log of CASH in words: a finished offer is one line, and what a move caused follows it."""

from collections.abc import Sequence

from kibitz.core.events import (
    AnyEvent,
    Drew,
    Lost,
    Moved,
    Offered,
    Passed,
    RoundBegan,
    Sentence,
    Skipped,
    Took,
    common_sentences,
)

HIDDEN = "?"


def sentences(turn: Sequence[AnyEvent]) -> list[Sentence]:
    """One move with what it caused, as lines of the log."""
    lines: list[Sentence] = []
    drawn: dict[int, list[str]] = {}
    dealt = False
    for event in turn:
        match event:
            case Moved(seat, move):
                lines += _moved(seat, move, [each for each in turn if isinstance(each, Offered)])
            case Took(seat, card, source):
                lines.append(Sentence("log.take", {"seat": seat, "card": card, "rival": f"p{source}"}))
            case Lost(seat, card):
                lines.append(Sentence("log.lose", {"seat": seat, "card": card}))
            case Skipped(seat):
                lines += _drawn(drawn)
                lines.append(Sentence("log.skip", {"seat": seat}))
            case Passed(seat, card, to) if card != HIDDEN:
                lines.append(Sentence("log.passed", {"seat": seat, "card": card, "rival": f"p{to}"}))
            case Drew(seat, card):
                drawn.setdefault(seat, []).append(card)
            case Offered() | Passed():
                pass
            case _:
                lines += [*_drawn(drawn), *common_sentences(event)]
                dealt = dealt or isinstance(event, RoundBegan)
    return lines + (_dealt(drawn) if dealt else _drawn(drawn))


def _drawn(drawn: dict[int, list[str]]) -> list[Sentence]:
    """What was drawn since the last line that tells of it; which cards, only to whom they are known."""
    lines = [
        Sentence(
            "log.draw" if HIDDEN in cards else "log.draw-cards",
            {"seat": seat, "count": len(cards), "cards": ", ".join(cards)},
        )
        for seat, cards in drawn.items()
    ]
    drawn.clear()
    return lines


def _dealt(drawn: dict[int, list[str]]) -> list[Sentence]:
    """A deal, with the first draw, is told to whom it is known."""
    return [
        Sentence("log.dealt", {"seat": seat, "cards": ", ".join(cards)})
        for seat, cards in drawn.items()
        if HIDDEN not in cards
    ]


def _moved(seat: int, move: str, offered: Sequence[Offered]) -> list[Sentence]:
    match move.split(" "):
        case ["play", "license" | "stop" | "settlement" | "venture" | "taxman" as card]:
            return [Sentence(f"log.play.{card}", {"seat": seat})]
        case ["play", cover, "over", *cash]:
            return [Sentence("log.insure", {"seat": seat, "card": cover, "cards": ", ".join(cash)})]
        case ["play", probe, "on", rival]:
            return [Sentence("log.probe", {"seat": seat, "card": probe, "rival": rival})]
        case ["play", card]:
            return [Sentence("log.cash", {"seat": seat, "card": card})]
        case ["discard", _, "on", rival]:
            return [Sentence("log.takeover", {"seat": seat, "rival": rival})]
        case ["discard", card]:
            return [Sentence("log.discard", {"seat": seat, "card": card})]
        case ["trim", card]:
            return [Sentence("log.trim", {"seat": seat, "card": card})]
        case ["pass", card]:
            return [Sentence("log.pass", {"seat": seat, "card": card})]
        case ["again"]:
            return [Sentence("log.again", {"seat": seat})]
        case ["propose"]:
            return [_offer(seat, offered)]
        case ["accept" | "decline" as answer]:
            return [Sentence(f"log.{answer}", {"seat": seat})]
        case _:
            return []  # an offer is told when it is proposed; the end of an action needs no words


def _offer(maker: int, offered: Sequence[Offered]) -> Sentence:
    """The whole offer: a trade, a gift, or a wish for one."""
    give = ", ".join(_card(each) for each in offered if each.seat == maker)
    want = ", ".join(_card(each) for each in offered if each.seat != maker)
    rival = next(each.to if each.seat == maker else each.seat for each in offered)
    kind = "log.offer" if give and want else "log.offer-gift" if give else "log.offer-wish"
    return Sentence(kind, {"seat": maker, "rival": f"p{rival}", "give": give, "want": want})


def _card(offered: Offered) -> str:
    return f"firm {offered.card}" if offered.open else offered.card
