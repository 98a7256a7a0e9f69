"""Take the page's pictures for the documentation, in the Chromium that the browser tests use.

    python scripts/screenshot_page.py                    all of them, into docs/pictures/
    python scripts/screenshot_page.py cash.png ...       only these

Deals are written down here and bots play without chance, so that the tables come out the same every time.
"""

import asyncio
import hashlib
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
from playwright.sync_api import Browser, sync_playwright

import kibitz
from kibitz.server.app import create_app, parts_for
from kibitz.server.guests import token_hash
from kibitz.server.net.pages import Host
from kibitz.server.serve import listen, server
from kibitz.server.settings import HostSettings
from kibitz.server.stores.sqlite import SqliteStore
from kibitz.server.stores.store import Guest, Row, next_row
from kibitz.server.tables.rows import BOT, GUEST, Chair, Created, Played
from kibitz.server.tables.table import Table

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "pictures"
LEVEL = "medium"
TOKEN = "the one who looks"
KNOWN = f"localStorage.setItem('kibitz.token', '{msgspec.json.encode(TOKEN).decode()}');"
DESKTOP, PHONE = (1280, 800), (360, 740)
SETTLED = 600  # milliseconds after which nothing moves any more


@dataclass(frozen=True)
class Picture:
    """A table in the middle of a game, when it is my turn."""

    file: str
    game: str
    players: int
    moves: int  # made before, by all
    seed: str = "kibitz"
    size: tuple[int, int] = DESKTOP
    language: str = "en"
    dark: bool = False
    pixels: int = 1  # for each of the page's
    clicks: tuple[str, ...] = ()  # made before, by their selectors

    @property
    def table(self) -> str:
        """The table's name."""
        return self.file.removesuffix(".png").replace("-", "").upper()


PICTURES = (
    Picture("table-desktop.png", "kaching", 2, 14),
    Picture("table-phone.png", "kaching", 2, 14, size=PHONE, language="es", dark=True, pixels=2),
    Picture("kazink.png", "kazink", 4, 40),
    Picture(
        "cash.png",
        "cash",
        4,
        56,
        clicks=("text=Trade desk", "[data-place^='shelf give ']", "[data-place^='shelf want cash-50']"),
    ),
    Picture("assets.png", "assets", 4, 40),
    Picture("match.png", "match", 4, 30),
)


# The tables


def log(picture: Picture, me: Guest) -> Iterator[tuple[Row, Table]]:
    """The rows of a table, and the table after each."""
    game = kibitz.game(picture.game)
    secret = hashlib.sha256(picture.seed.encode()).digest()
    chairs = [Chair(GUEST, me.id), *(Chair(BOT, level=LEVEL) for _ in range(1, picture.players))]
    created = Created(
        game=game.name,
        rules=game.rules_version,
        options=game.checked_options({}, picture.players),
        players=picture.players,
        seats=chairs,
        pace="normal",
        creator=me.id,
        secret=secret.hex(),
        commitment=hashlib.sha256(secret).hexdigest(),
    )
    first = following(None, picture, "create", created)
    table = Table(first)
    yield first, table
    player = kibitz.bot(LEVEL, game, seed=1)
    while table.number < picture.moves or table.turn != 0:
        assert table.state is not None
        assert table.turn is not None, f"{picture.file}: the game ends before"
        move = player.choose(table.state.observation(table.turn))
        row = following(table.last, picture, "move", Played(table.turn, str(move)))
        table.apply(row)
        yield row, table


def following(last: Row | None, picture: Picture, kind: str, body: Any) -> Row:
    """The next row of a log."""
    number = 0 if last is None else last.number + 1
    told = msgspec.json.encode(body)
    return next_row(
        last,
        table=picture.table,
        kind=kind,
        actor="",
        time=time.time(),
        command=str(number),
        fingerprint=b"",
        body=told,
    )


async def lay(pictures: list[Picture], data: Path) -> None:
    """Play all games to where their pictures are taken."""
    store = SqliteStore(data)
    me = Guest("me", "Ada", "en", time.time())
    await store.add_guest(me, token_hash(TOKEN))
    for picture in pictures:
        for row, table in log(picture, me):
            await store.append(row, table.turn, table.standing({me.id: me.name}) if row.number == 0 else None)
    await store.close()


# The pictures


@contextmanager
def serving(data: Path) -> Iterator[str]:
    """A server in a thread; its address."""
    listening = listen("127.0.0.1", 0)
    address = f"http://127.0.0.1:{listening.getsockname()[1]}"
    serves = server(create_app(parts_for(HostSettings(), data, Host(local=True, url=address))))
    thread = threading.Thread(target=serves.run, args=([listening],))
    thread.start()
    try:
        yield address
    finally:
        serves.should_exit = True
        thread.join()


def take(browser: Browser, address: str, picture: Picture) -> None:
    """Take one picture."""
    width, height = picture.size
    context = browser.new_context(
        base_url=address,
        viewport={"width": width, "height": height},
        device_scale_factor=picture.pixels,
        color_scheme="dark" if picture.dark else "light",
        reduced_motion="reduce",
        locale=picture.language,
    )
    page = context.new_page()
    page.add_init_script(KNOWN)
    page.goto(f"/t/{picture.table}")
    page.locator(".status.mine").wait_for(timeout=120_000)  # a game may have to be compiled
    for selector in picture.clicks:
        page.locator(selector).first.click()
    page.mouse.move(0, 0)
    page.wait_for_timeout(SETTLED)
    page.screenshot(path=FOLDER / picture.file)
    context.close()


def main() -> None:
    """Take the pictures that were asked for."""
    wanted = sys.argv[1:] or [picture.file for picture in PICTURES]
    pictures = [picture for picture in PICTURES if picture.file in wanted]
    chromium = shutil.which("chromium")
    if chromium is None or len(pictures) < len(wanted):
        files = ", ".join(picture.file for picture in PICTURES)
        sys.exit(f"It takes a `chromium`, and takes these: {files}.")
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(lay(pictures, Path(folder)))
        with serving(Path(folder)) as address, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            for picture in pictures:
                take(browser, address, picture)
                print(FOLDER / picture.file)
            browser.close()


if __name__ == "__main__":
    main()
