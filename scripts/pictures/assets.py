"""The pictures of Cover Your Assets's rulebook."""

from __future__ import annotations

from scripts.pictures.drawing import (
    ACCENT,
    CARD_HEIGHT,
    CARD_RADIUS,
    CARD_WIDTH,
    EDGE,
    GOLD,
    GOLD_EDGE,
    INK,
    PAPER,
    amount,
    arrow,
    by_language,
    circle,
    filled,
    number,
    outlined,
    path,
    pawn,
    picture,
    polygon,
    rectangle,
    sheet,
    sign,
)

ASSETS = {  # colour, what is printed on it, and the value in thousands
    "home": ("#b5432e", PAPER, 20),
    "auto": ("#2272b9", PAPER, 15),
    "coins": ("#57ad5a", INK, 10),
    "silver": ("#aab3bb", INK, 25),
    "gold": ("#eab530", INK, 50),
}


def asset(name: str, x: float, y: float, lying: bool = False) -> str:
    """A card face; a lying one has its foot to the left of the point."""
    colour, ink, value = ASSETS[name]
    head = f"M0 38V{CARD_RADIUS}q0 -{CARD_RADIUS} {CARD_RADIUS} -{CARD_RADIUS}"
    head += f"H{CARD_WIDTH - CARD_RADIUS}q{CARD_RADIUS} 0 {CARD_RADIUS} {CARD_RADIUS}V38z"
    parts = [
        sheet(),
        path(head, filled(colour)),
        amount(value, 50, 20, 22, 84, ink),
        *asset_emblem(name, colour),
        rectangle(0, 0, CARD_WIDTH, CARD_HEIGHT, CARD_RADIUS, outlined("none", EDGE, 2)),
    ]
    turned = " rotate(90)" if lying else ""
    return f'<g transform="translate({number(x)} {number(y)}){turned}">' + "".join(parts) + "</g>"


def asset_emblem(name: str, colour: str) -> list[str]:
    if name == "home":
        return [
            rectangle(28, 84, 44, 36, 2, outlined(PAPER, INK, 2)),
            polygon([(50, 52), (84, 86), (16, 86)], outlined(colour, INK, 2)),
            rectangle(43, 96, 14, 24, 1, filled(INK)),
        ]
    if name == "auto":
        return [
            path("M12 104V90l16 -5 12 -19h26l12 19 10 5v14z", outlined(colour, INK, 2)),
            circle(31, 105, 9, outlined(PAPER, INK, 4)),
            circle(70, 105, 9, outlined(PAPER, INK, 4)),
        ]
    if name == "coins":
        return [
            circle(40, 98, 19, outlined(GOLD, GOLD_EDGE, 3)),
            circle(62, 80, 19, outlined(GOLD, GOLD_EDGE, 3)),
        ]
    return [
        polygon([(14, 112), (26, 80), (74, 80), (86, 112)], outlined(colour, INK, 2)),
        polygon([(26, 80), (34, 66), (82, 66), (74, 80)], outlined(PAPER, INK, 2)),
    ]


def padlock(x: float, y: float) -> str:
    bow = path(
        f"M{number(x - 9)} {number(y)}v-8a9 9 0 0 1 18 0v8", f'fill="none" stroke="{ACCENT}" stroke-width="5"'
    )
    return bow + rectangle(x - 14, y, 28, 22, 4, filled(ACCENT))


def draw_stack() -> str:
    """Three sets, laid crosswise; the bottom one is locked, the top one lies in full."""
    parts = [asset("home", 62, 8), asset("home", 90, 8), padlock(226, 42)]
    parts += [asset("auto", 198, 92, lying=True), asset("silver", 198, 122, lying=True)]
    parts += [asset("coins", 62, 186), asset("coins", 90, 186)]
    return picture(256, 334, parts)


def draw_duel() -> str:
    """The thief shows a home, the victim gold, the thief silver: the set and all three are the thief's."""
    parts = [pawn(36, 78, True), asset("home", 82, 8), sign("1", 132, 164)]
    parts += [asset("silver", 322, 8), sign("3", 372, 164), pawn(36, 250, False)]
    parts += [asset("home", 82, 186), asset("home", 104, 186), asset("gold", 222, 186), sign("2", 272, 164)]
    parts += [arrow((462, 250), (506, 150), ACCENT)]
    won = ("home", "home", "home", "silver", "gold")
    parts += [asset(name, 524 + 24 * i, 8 + 10 * i) for i, name in enumerate(won)]
    return picture(728, 334, [*parts, pawn(574, 270, True)])


PICTURES = by_language({"stack": draw_stack, "duel": draw_duel})
