"""Cover Your Assets in the terminal: a line for every seat with its top set, and below it pile and hand.

▶ p0 You           $245k  ▮▮▮▮  2│home ×3 S G $135k│
  p1 Medium bot    $180k  ▮▮▮   1│auto ×2 $30k│
  Deck 57 · Pile 12              Hand
 │auto    │                     │home    │ │coins   │ │gold    │
 │$15k    │                     │$20k    │ │$10k    │ │$50k    │
"""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.text import Text

from kibitz.games.assets.box import ASSETS, CARDS, EDITIONS, WILDS
from kibitz.terminal.drawing import Scene, joined
from kibitz.terminal.papers import painter, printed

if TYPE_CHECKING:
    from kibitz.core.move import Move

COLOURS = {  # of each card its paper; ink follows
    "home": "#8c3b2e",
    "auto": "#2272b9",
    "jewels": "#7d3c98",
    "stocks": "#2e7d5b",
    "coins": "#c98f2b",
    "bank": "#57ad5a",
    "stamps": "#d98880",
    "baseball": "#a9c4de",
    "mattress": "#c9b79c",
    "piggy": "#f0b6c4",
    "comics": "#f6c62f",
    "piano": "#3b3b3b",
    "train": "#b5261e",
    "scooter": "#45b5aa",
    "plane": "#87aee0",
    "cabin": "#6b4a2f",
    "silver": "#c5ccd3",
    "gold": "#f2c230",
}
DARK = {"home", "auto", "jewels", "stocks", "piano", "train", "cabin"}
STYLES = printed(COLOURS, DARK)
BACK = "▮"
CARD = re.compile(rf"\b(?:{'|'.join(CARDS.numbers)})\b")
VALUES = {
    name: {card: value for card, value, _ in deck}
    for name, deck in zip(("first", "second"), EDITIONS, strict=True)
}

CARD_WIDTH = max(map(len, ASSETS))
NAME_WIDTH = 15
MONEY_WIDTH = 8
HAND_WIDTH = 5
GAP = 3  # between pile and hand


def status(scene: Scene) -> str:
    """The round, and what is played for."""
    options = scene.view["options"]
    key = "table.round" if options["rounds"] is None else "table.round-of"
    return scene.words(key, round=scene.view["round"], rounds=options["rounds"], target=options["target"])


def table(scene: Scene, width: int) -> list[Text]:
    """The seats, the duel if there is one, and what lies before the viewer."""
    lines = [seat_line(scene, seat) for seat in scene.seats]
    if scene.view["duel"]:
        lines.append(duel_line(scene))
    lines += before_me(scene)
    for line in lines:
        line.truncate(width, overflow="ellipsis")
    return lines


# The seats


def seat_line(scene: Scene, seat: int) -> Text:
    """Whose turn, who, the total, the cards in the hand, covered sets, and the top set."""
    acting = scene.view["turn"] == seat
    name = Text(f"{'▶' if acting else ' '} p{seat} {scene.names[seat]}", style="bold" if acting else "")
    name.truncate(NAME_WIDTH + 5, overflow="ellipsis", pad=True)
    total = f"{scene.words.money(scene.view['scores'][seat]):>{MONEY_WIDTH}}"
    hand = f"  {BACK * len(scene.view['hands'][seat]):<{HAND_WIDTH}} "
    return joined(name, (total, "bold"), hand, *stack_parts(scene, scene.view["stacks"][seat]))


def stack_parts(scene: Scene, stack: Sequence[dict[str, Any]]) -> list[Text]:
    """The top set in full; of those beneath it how many they are and what they count."""
    if not stack:
        return [Text(scene.words("table.no-sets"), style="dim")]
    *covered, top = stack
    worth = scene.words.money(sum(set_value(scene, one) for one in covered))
    beneath = f"  {len(covered)} ▤ {worth}" if covered else f"  ({scene.words('table.safe')})"
    return [set_text(scene, top), Text(beneath, style="dim")]


def set_text(scene: Scene, one: dict[str, Any]) -> Text:
    """A set: its asset, how many, its wilds, what it counts."""
    asset, cards = one["asset"], one["cards"]
    wilds = "".join(f" +{card[0].upper()}" * cards.count(card) for card in WILDS)
    worth = scene.words.money(set_value(scene, one))
    return Text(f"│{asset} ×{cards.count(asset)}{wilds} {worth}│", style=STYLES[asset])


def duel_line(scene: Scene) -> Text:
    """What has been shown, in its order."""
    duel = scene.view["duel"]
    thief, victim = f"p{duel['thief']}", f"p{duel['victim']}"
    asset = scene.view["stacks"][duel["victim"]][-1]["asset"]
    shown = [Text(f"  {scene.words('table.duel', asset=asset, thief=thief, victim=victim)}:", style="bold")]
    for number in range(sum(map(len, duel["shown"]))):
        card = duel["shown"][number % 2][number // 2]
        shown += [Text(f" {thief if number % 2 == 0 else victim} "), Text(f" {card} ", style=STYLES[card])]
    return joined(*shown)


# Pile and hand


def before_me(scene: Scene) -> list[Text]:
    """Deck and pile, and the viewer's hand, as cards."""
    pile = scene.view["discard"]
    heap = scene.words("table.pile", count=len(pile)) if pile else scene.words("table.pile-empty")
    label = f" {scene.words('table.deck', count=len(scene.view['deck']))} · {heap}"
    rows = [Text(label), card_line(pile[-1:], str), card_line(pile[-1:], lambda card: price(scene, card))]
    if scene.seat is None:
        return rows
    hand = scene.view["hands"][scene.seat]
    mine = [
        Text(f" {scene.words('table.hand')}"),
        card_line(hand, str),
        card_line(hand, lambda card: price(scene, card)),
    ]
    room = max(row.cell_len for row in rows) + GAP
    return [joined(row, " " * (room - row.cell_len), other) for row, other in zip(rows, mine, strict=True)]


def card_line(cards: Sequence[str], worded: Any) -> Text:
    """One line of a row of cards."""
    return joined(
        *(
            part
            for card in cards
            for part in (" ", Text(f"│{worded(card):<{CARD_WIDTH}}│", style=STYLES[card]))
        )
    )


def price(scene: Scene, card: str) -> str:
    """A card's value."""
    return scene.words.money(VALUES[scene.view["options"]["deck"]][card])


def set_value(scene: Scene, one: dict[str, Any]) -> int:
    """What a set counts."""
    values = VALUES[scene.view["options"]["deck"]]
    return sum(values[card] for card in one["cards"])


# Moves and words


def numbers(scene: Scene) -> dict[int, str]:
    """The legal moves, counted from 1."""
    return {number: str(move) for number, move in enumerate(scene.moves, 1)}


def meaning(scene: Scene, move: "Move") -> str:
    """What the new set counts, or the one that is fought for."""
    values = VALUES[scene.view["options"]["deck"]]
    match str(move).split():
        case ["pair", one, other] | ["take", one, _, other]:
            return scene.words.money(values[one] + values[other])
        case ["steal", victim, _, _]:
            return scene.words.money(set_value(scene, scene.view["stacks"][int(victim[1:])][-1]))
        case _:
            return ""


paint = painter(CARD, STYLES.__getitem__)
