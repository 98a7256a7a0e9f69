"""Draw the page's icons, web/public/: for the tab as SVG, for phones' home screens as PNG too.

    python scripts/draw_icons.py

Two eyes look over a hand of cards. A phone cuts icons to a shape of its own: its PNGs, taken in Chromium, are
"maskable", filled to the edges and with what matters inside the circle that no phone cuts into.
"""

import base64
import shutil
import struct
import sys
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from playwright.sync_api import Page, sync_playwright

FOLDER = Path(__file__).resolve().parent.parent / "web" / "public"
SIDE = 64
SAFE = 0.8  # of a maskable icon's side
FELT, EYE, PUPIL, BROW, PAPER, EDGE = "#2a8a66", "#fff", "#2a2018", "#10241a", "#fffaf0", "#8f7d63"
MARK = '<circle cx="51" cy="13" r="12" fill="#d03a2b" stroke="#fff" stroke-width="3"/>'
CARDS = (  # each leans so far, and shows a shape
    (-26, '<path d="M0 -37l4.5 5.5l-4.5 5.5l-4.5 -5.5z" fill="#2272b9"/>'),
    (26, '<path d="M-4 -36h8v8h-8z" fill="#57ad5a"/>'),
    (0, '<path d="M0 -36.5a4.500 4.500 0 1 0 .01 0z" fill="#b5261e"/>'),
)
SIZES = {"icon-192.png": 192, "icon-512.png": 512, "apple-touch-icon.png": 180}
COLOURS = 64  # that a PNG may have: a handful, and what lies between them at edges

Pixels = npt.NDArray[Any]

# Draws an SVG on a canvas; its pixels, in base64.
DRAWN = """async ([drawing, side]) => {
    const picture = new Image(side, side);
    const sized = drawing.replace("<svg ", `<svg width="${side}" height="${side}" `);
    picture.src = "data:image/svg+xml," + encodeURIComponent(sized);
    await picture.decode();
    const brush = new OffscreenCanvas(side, side).getContext("2d");
    brush.drawImage(picture, 0, 0, side, side);
    const bytes = brush.getImageData(0, 0, side, side).data;
    return btoa(Array.from(bytes, each => String.fromCharCode(each)).join(""));
}"""


def kibitzer() -> str:
    """Eyes, brows and cards."""
    pen = f'fill="none" stroke="{BROW}" stroke-width="3" stroke-linecap="round"'
    brows = f'<path d="M11 12q8 -7 17 -2M36 10q9 -5 17 2" {pen}/>'
    return eye(21, 23) + eye(43, 41) + brows + "".join(card(lean, shape) for lean, shape in CARDS)


def eye(across: float, pupil: float) -> str:
    """It looks down and inwards, into the cards."""
    return (
        f'<circle cx="{across}" cy="22" r="10" fill="{EYE}"/>'
        f'<circle cx="{pupil}" cy="26" r="4.8" fill="{PUPIL}"/>'
        f'<circle cx="{pupil - 1.5}" cy="24.2" r="1.5" fill="{EYE}"/>'
    )


def card(lean: int, shape: str) -> str:
    """A card, held below the icon's edge."""
    printed = f'fill="{PAPER}" stroke="{EDGE}" stroke-width="1.2"'
    paper = f'<rect x="-11" y="-40" width="22" height="34" rx="3.5" {printed}/>'
    return f'<g transform="translate(32 74) rotate({lean})">{paper}{shape}</g>'


def svg(content: str) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIDE} {SIDE}">{content}</svg>\n'


def rounded(mark: str = "") -> str:
    """With round corners; `mark` says that something waits."""
    clip = f'<clipPath id="c"><rect width="{SIDE}" height="{SIDE}" rx="15"/></clipPath>'
    felt = f'<rect width="{SIDE}" height="{SIDE}" fill="{FELT}"/>'
    return svg(f'{clip}<g clip-path="url(#c)">{felt}{kibitzer()}</g>{mark}')


def filling() -> str:
    """To the edges, the kibitzer smaller, his cards still cut off below."""
    inset = SIDE * (1 - SAFE) / 2
    scaled = f'<g transform="translate({inset:g} {SIDE * (1 - SAFE):g}) scale({SAFE:g})">{kibitzer()}</g>'
    return svg(f'<rect width="{SIDE}" height="{SIDE}" fill="{FELT}"/>{scaled}')


def pixels(page: Page, drawing: str, side: int) -> Pixels:
    """The drawing's colours, as Chromium draws it."""
    drawn: str = page.evaluate(DRAWN, [drawing, side])
    flat = np.frombuffer(base64.b64decode(drawn), np.uint8)
    return flat.reshape(side, side, 4)[:, :, :3].astype(np.int64)


def png(image: Pixels) -> bytes:
    """An image of few colours as a PNG with a palette: a third of one with three bytes for every pixel."""
    colours, counts = np.unique(image.reshape(-1, 3), axis=0, return_counts=True)
    palette = colours[np.argsort(-counts)[:COLOURS]]
    nearest = ((image[:, :, None, :] - palette) ** 2).sum(axis=3).argmin(axis=2).astype(np.uint8)
    rows = np.insert(nearest, 0, 0, axis=1)  # no row is written as the difference to another
    height, width = nearest.shape
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    chunks = {
        b"IHDR": header,
        b"PLTE": palette.astype(np.uint8).tobytes(),
        b"IDAT": zlib.compress(rows.tobytes(), 9),
        b"IEND": b"",
    }
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(name, content) for name, content in chunks.items())


def chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def main() -> None:
    chromium = shutil.which("chromium")
    if chromium is None:
        sys.exit("It takes a `chromium`.")
    (FOLDER / "favicon.svg").write_text(rounded(), encoding="utf-8")
    (FOLDER / "favicon-turn.svg").write_text(rounded(MARK), encoding="utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page()
        for name, side in SIZES.items():
            (FOLDER / name).write_bytes(png(pixels(page, filling(), side)))
        browser.close()


if __name__ == "__main__":
    main()
