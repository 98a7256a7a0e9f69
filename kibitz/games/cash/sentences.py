"""The log of CASH in words: a finished offer is one line, and what a move caused follows it."""

from collections.abc import Sequence

from kibitz.core import events
from kibitz.core.layout import HIDDEN
from kibitz.core.sentences import Card, Seat, Sentence, listed, seat_named


def sentences(turn: Sequence[events.AnyEvent]) -> list[Sentence]:
    """One move with what it caused, as lines of the log."""
    lines: list[Sentence] = []
    drawn: dict[int, list[str]] = {}
    dealt = False
    for event in turn:
        match event:
            case events.Moved(seat, "take"):
                nothing = not any(isinstance(each, events.Took) for each in turn)
                lines += [Sentence("log.take-nothing", {"seat": Seat(seat)})] if nothing else []
            case events.Moved(seat, move):
                lines += _moved(seat, move, [each for each in turn if isinstance(each, events.Offered)])
            case events.Took(seat, card, int(source)):
                lines.append(
                    Sentence("log.take", {"seat": Seat(seat), "card": Card(card), "rival": Seat(source)})
                )
            case events.Lost(seat, card):
                lines.append(Sentence("log.lose", {"seat": Seat(seat), "card": Card(card)}))
            case events.Skipped(seat):
                lines += _drawn(drawn)
                lines.append(Sentence("log.skip", {"seat": Seat(seat)}))
            case events.Passed(seat, card, to) if card != HIDDEN:
                lines.append(
                    Sentence("log.passed", {"seat": Seat(seat), "card": Card(card), "rival": Seat(to)})
                )
            case events.Drew(seat, card):
                drawn.setdefault(seat, []).append(card)
            case events.Offered() | events.Passed():
                pass
            case events.RoundScored(number, "stop"):  # the move has told why
                lines += [*_drawn(drawn), Sentence("log.scored", {"round": number})]
            case _:
                lines += [*_drawn(drawn), *events.common_sentences(event)]
                dealt = dealt or isinstance(event, events.RoundBegan)
    return lines + (_dealt(drawn) if dealt else _drawn(drawn))


def _drawn(drawn: dict[int, list[str]]) -> list[Sentence]:
    """What was drawn since the last line that tells of it; which cards, only to whom they are known."""
    lines = [
        Sentence(
            "log.draw" if HIDDEN in cards else "log.draw-cards",
            {"seat": Seat(seat), "count": len(cards), "cards": listed(cards)},
        )
        for seat, cards in drawn.items()
    ]
    drawn.clear()
    return lines


def _dealt(drawn: dict[int, list[str]]) -> list[Sentence]:
    """A deal, with the first draw, is told to whom it is known."""
    return [
        Sentence("log.dealt", {"seat": Seat(seat), "cards": listed(cards)})
        for seat, cards in drawn.items()
        if HIDDEN not in cards
    ]


def _moved(seat: int, move: str, offered: Sequence[events.Offered]) -> list[Sentence]:
    match move.split(" "):
        case ["play", "license" | "stop" | "settlement" | "venture" | "taxman" as card]:
            return [Sentence(f"log.play.{card}", {"seat": Seat(seat)})]
        case ["play", cover, "over", *cash]:
            return [Sentence("log.insure", {"seat": Seat(seat), "card": Card(cover), "cards": listed(cash)})]
        case ["play", probe, "on", rival]:
            return [
                Sentence("log.probe", {"seat": Seat(seat), "card": Card(probe), "rival": seat_named(rival)})
            ]
        case ["play", card]:
            return [Sentence("log.cash", {"seat": Seat(seat), "card": Card(card)})]
        case ["discard", _, "on", rival]:
            return [Sentence("log.takeover", {"seat": Seat(seat), "rival": seat_named(rival)})]
        case ["discard", card]:
            return [Sentence("log.discard", {"seat": Seat(seat), "card": Card(card)})]
        case ["trim", card]:
            return [Sentence("log.trim", {"seat": Seat(seat), "card": Card(card)})]
        case ["pass", card]:
            return [Sentence("log.pass", {"seat": Seat(seat), "card": Card(card)})]
        case ["again"]:
            return [Sentence("log.again", {"seat": Seat(seat)})]
        case ["propose"]:
            return [_offer(seat, offered)]
        case ["spare", rival]:
            return [Sentence("log.spare", {"seat": Seat(seat), "rival": seat_named(rival)})]
        case ["accept" | "decline" | "counter" as answer]:
            return [Sentence(f"log.{answer}", {"seat": Seat(seat)})]
        case _:
            return []  # an offer is told when it is proposed; the end of an action needs no words


def _offer(maker: int, offered: Sequence[events.Offered]) -> Sentence:
    """The whole offer: a trade, a gift, or a wish for one."""
    give = tuple(_card(each) for each in offered if each.seat == maker)
    want = tuple(_card(each) for each in offered if each.seat != maker)
    rival = next(each.to if each.seat == maker else each.seat for each in offered)
    kind = "log.offer" if give and want else "log.offer-gift" if give else "log.offer-wish"
    return Sentence(kind, {"seat": Seat(maker), "rival": Seat(rival), "give": give, "want": want})


def _card(offered: events.Offered) -> Card | Sentence:
    """A card of an offer; one that lies on the table is told so."""
    card = Card(offered.card)
    return Sentence("log.from-firm", {"card": card}) if offered.open else card
