"""CASH in the terminal: a line for every seat with its firm, the offer if there is one, and the own hand.

  points, hand ▮, firm: ✓ license, 25 cash, [25] insured, V venture, T taxman
▶ p0 You            $245k  7▮  ✓ 25 25 50 [10 25] V
  p1 Medium bot     -$30k  7▮  ✗crime 75
  Deck 120 · Discards 31: crash
  p1 offers p0: ? for firm cash-25
  Hand  cash-25  cover-50  probe-crime  crash
"""

import re
from typing import TYPE_CHECKING, Any

from rich.style import Style
from rich.text import Text

from kibitz.games.cash.box import CARDS, NUMBER, VALUE
from kibitz.terminal.drawing import Scene, joined
from kibitz.terminal.papers import painter, printed

if TYPE_CHECKING:
    from kibitz.core.move import Move

COLOURS = {  # of each kind of card its paper; ink follows
    "license": "#c9b79c",
    "stop": "#b5261e",
    "cash": "#2e7d5b",
    "cover": "#2272b9",
    "probe": "#7d3c98",
    "clear": "#a9c4de",
    "settlement": "#a9c4de",
    "dividend": "#f2c230",
    "premium": "#f2c230",
    "venture": "#f2c230",
    "takeover": "#f2c230",
    "crash": "#8c3b2e",
    "recession": "#8c3b2e",
    "bankruptcy": "#8c3b2e",
    "broker": "#d98880",
    "banker": "#d98880",
    "taxman": "#d98880",
}
DARK = {"stop", "cash", "cover", "probe", "crash", "recession", "bankruptcy"}
STYLES = printed(COLOURS, DARK)
BACK = "▮"
CARD = re.compile(rf"\b(?:{'|'.join(sorted(CARDS.numbers, key=len, reverse=True))})\b")
NAME_WIDTH = 20
MONEY_WIDTH = 10
SEATS_WITH_A_LEGEND = 4  # with more, the lines are needed


def status(scene: Scene) -> str:
    """The round, and what is played for."""
    options = scene.view["options"]
    key = "table.status" if options["rounds"] is None else "table.status-rounds"
    target = scene.words.money(options["target"])
    return scene.words(key, round=scene.view["round"], rounds=options["rounds"], target=target)


def task(scene: Scene) -> str:
    """What is asked now: after the one card of a turn, only trading is left; some offers can be countered."""
    if scene.view["acted"] and scene.view["phase"] == "action":
        return scene.words("table.task-acted")
    if "counter" in map(str, scene.moves):
        return scene.words("table.task-counter")
    return scene.words(f"phase.{scene.view['phase']}")


def table(scene: Scene, width: int) -> list[Text]:
    """The seats, deck and discards, what is offered, passed or taken, and the viewer's hand."""
    lines = [seat_line(scene, seat) for seat in scene.seats]
    if len(lines) <= SEATS_WITH_A_LEGEND:
        lines.insert(0, Text(f"  {scene.words('table.legend')}", style="dim"))
    lines.append(piles_line(scene))
    if scene.view["offer"]:
        lines.append(offer_line(scene))
    if scene.view["passing"]:
        lines.append(Text(f"  {scene.words('table.passing', count=scene.view['passing']['count'])}", "bold"))
    if scene.view["taking"]:
        lines.append(taking_line(scene))
    for line in lines:
        line.truncate(width, overflow="ellipsis")
    return lines + (hand_lines(scene, width) if scene.seat is not None else [])


# The seats


def seat_line(scene: Scene, seat: int) -> Text:
    """Whose turn, who, the total, the cards in the hand, and the firm."""
    view = scene.view
    acting = view["turn"] == seat
    name = Text(f"{'▶' if acting else ' '} p{seat} {scene.names[seat]}", style="bold" if acting else "")
    name.truncate(NAME_WIDTH, overflow="ellipsis", pad=True)
    total = f"{scene.words.money(view['scores'][seat]):>{MONEY_WIDTH}}"
    hand = f" {len(view['hands'][seat]):>2}{BACK} "
    lost = f" -{view['lost'][seat]}⟲" if view["lost"][seat] else ""
    return joined(name, (total, "bold"), hand, *firm_parts(view["firms"][seat]), (lost, "bold"))


def firm_parts(firm: dict[str, Any]) -> list[Text]:
    """License or probe, loose cash, insured cash in brackets, ventures and taxmen."""
    parts = [license_part(firm)]
    if firm["cash"]:
        parts += [Text(" "), Text(" ".join(map(figure, firm["cash"])), style=STYLES["cash"])]
    for policy in firm["insured"]:
        insured = f"[{' '.join(map(figure, policy['cash']))}]"
        parts += [Text(" "), Text(insured, style=STYLES["cover"])]
    for letter, kind in (("V", "venture"), ("T", "taxman")):
        if firm[kind]:
            parts += [Text(" "), Text(letter * firm[kind], style=STYLES[kind])]
    return parts


def license_part(firm: dict[str, Any]) -> Text:
    """A licensed firm, one without, or one under investigation."""
    if firm["probe"]:
        return Text(f"!{firm['probe'].partition('-')[2]}", style=STYLES["probe"])
    return Text("✓" if firm["license"] else "✗", style="bold")


def piles_line(scene: Scene) -> Text:
    """How many cards are in the deck, and the top of the discards."""
    discard = scene.view["discard"]
    deck = f"  {scene.words('table.deck')} {len(scene.view['deck'])} · "
    top = [Text(": "), chip(discard[-1])] if discard else []
    extra = f" · {scene.words('table.extra')}" if scene.view["extra"] else ""
    return joined(deck, f"{scene.words('table.discard')} {len(discard)}", *top, extra)


def offer_line(scene: Scene) -> Text:
    """The offer on the table, as far as the viewer may see it."""
    offer = scene.view["offer"]
    sides = {"from": f"p{offer['from']}", "to": f"p{offer['to']}"}
    if scene.view["phase"] == "offer" and scene.seat != offer["from"]:
        return Text(f"  {scene.words('table.offer-building', **sides)}", style="bold")
    give = side(scene, offer["give"], offer["give_firm"])
    want = side(scene, offer["want"], offer["want_firm"])
    return joined("  ", paint(scene.words("table.offer-line", give=give, want=want, **sides)))


def taking_line(scene: Scene) -> Text:
    """The card that takes, and whom it spares."""
    view = scene.view
    spared = ", ".join(f"p{seat}" for seat in view["spared"]) or scene.words("table.nobody")
    said = scene.words("table.taking-line", seat=f"p{view['turn']}", card=view["taking"], spared=spared)
    return joined("  ", paint(said))


def side(scene: Scene, hand: list[str], firm: list[str]) -> str:
    """One side of an offer."""
    return ", ".join([*hand, *(f"firm {card}" for card in firm)]) or scene.words("table.nothing")


def hand_lines(scene: Scene, width: int) -> list[Text]:
    """The viewer's hand, in as many lines as it takes."""
    label = f"  {scene.words('table.hand')} "
    lines = [Text(label)]
    for card in scene.view["hands"][scene.seat]:
        if lines[-1].cell_len + len(card) + 3 > width:
            lines.append(Text(" " * len(label)))
        lines[-1] = joined(lines[-1], " ", chip(card))
    return lines


def chip(card: str) -> Text:
    """A card in its colour."""
    return Text(f" {card} ", style=style_of(card))


def style_of(card: str) -> Style:
    """The colour of a card's kind."""
    return STYLES[card.partition("-")[0]]


def figure(card: str) -> str:
    """A cash card's thousands."""
    return card.partition("-")[2]


# Moves and words


def numbers(scene: Scene) -> dict[int, str]:
    """The legal moves, counted from 1."""
    return {number: str(move) for number, move in enumerate(scene.moves, 1)}


def meaning(scene: Scene, move: "Move") -> str:
    """What a move brings at once, where that is a sum."""
    match str(move).split():
        case ["play", _, "over", *cash]:
            return scene.words.money(sum(int(VALUE[NUMBER[card]]) for card in cash))
        case ["discard", "dividend" | "premium" as card] if scene.seat is not None:
            return taken(scene, -1 if card == "premium" else 0)
        case _:
            return ""


def taken(scene: Scene, which: int) -> str:
    """What everybody's lowest or highest uninsured cash comes to."""
    firms = [firm for seat, firm in enumerate(scene.view["firms"]) if seat != scene.seat and firm["cash"]]
    total = sum(int(VALUE[NUMBER[firm["cash"][which]]]) for firm in firms)
    own = scene.view["firms"][scene.seat]["license"]
    return f"+{scene.words.money(total)}" if own and total else ""


paint = painter(CARD, style_of)
