"""What is served over plain HTTP."""

import re
from pathlib import Path

import msgspec
import pytest

from kibitz.core.words import LANGUAGES
from kibitz.server.net.rulebooks import rulebook, slug
from tests.server.client import connected, fetch
from tests.server.conftest import Start
from tests.server.serving import Server, in_loop


@in_loop
async def test_health(server: Server) -> None:
    async with connected(server.port) as ann:
        await ann.watch(await ann.create("me", "open"))
        status, headers, content = await fetch(server.port, "/healthz")
        health = msgspec.json.decode(content)
    assert status == 200
    assert health["status"] == "ok"
    assert (health["connections"], health["tables"]) == (1, 1)
    assert health["games"] == {"tiny": True}
    assert headers["content-type"] == "application/json"


@pytest.mark.parametrize("path", ["/", "/healthz", "/api/games", "/api/nothing", "/t/ABCDEFGH", "/x.js"])
def test_every_answer_has_strict_headers(server: Server, path: str) -> None:
    @in_loop
    async def ask() -> None:
        _, headers, _ = await fetch(server.port, path)
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self';" in policy
        assert "http" not in policy, "nothing from other hosts"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"

    ask()


@in_loop
async def test_the_games_with_their_options(start: Start) -> None:
    server = start(games=["kaching", "tiny"])
    _, _, content = await fetch(server.port, "/api/games")
    kaching, tiny = msgspec.json.decode(content)
    assert (kaching["name"], kaching["players"], kaching["minutes"]) == ("kaching", [2], 15)
    assert set(kaching["tagline"]) == set(LANGUAGES)
    options = {option["name"]: option for option in kaching["options"]}
    assert options["rounds"]["choices"] == [{"from": 1, "to": 20}]
    assert options["open_money"]["choices"] == [{"value": False}, {"value": True}]
    assert options["starter"]["choices"] == [{"value": "random"}, {"from": 0, "to": 1}]
    assert options["starter"]["seats"]
    assert options["rounds"]["only_with"] == {"option": "series", "values": ["best_of", "total"]}
    assert options["series"]["only_with"] is None
    assert tiny["options"] == []
    assert {"ready", "done", "total"} <= set(tiny)


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_of_game_table_and_core(server: Server, language: str) -> None:
    @in_loop
    async def ask() -> None:
        _, _, content = await fetch(server.port, f"/api/games/tiny/words.{language}.json")
        words = msgspec.json.decode(content)
        assert {"log.lay", "table.sit", "refusal.stale", "refusal.not-seated"} <= set(words)

    ask()


@pytest.mark.parametrize(
    "path",
    [
        "/api/games/chess/words.en.json",
        "/api/games/tiny/words.xx.json",
        "/api/games/tiny/rulebook.en.html",
        "/api/games/tiny/pictures/none.svg",
        "/api/games/tiny/pictures/..%2Frules.py",
        "/api/games/tiny/pictures/__init__.py",
        "/api/nothing",
        "/files/missing.js",
        "/../../etc/passwd.txt",
        "/%2e%2e/%2e%2e/kibitz.db",
    ],
)
def test_what_is_not_there(server: Server, path: str) -> None:
    @in_loop
    async def ask() -> None:
        assert (await fetch(server.port, path))[0] == 404

    ask()


@in_loop
async def test_the_rulebook_with_its_pictures(start: Start) -> None:
    server = start(games=["kaching"])
    for language in LANGUAGES:
        status, headers, content = await fetch(server.port, f"/api/games/kaching/rulebook.{language}.html")
        html = content.decode()
        assert status == 200
        assert headers["content-type"].startswith("text/html")
        for picture in re.findall(r'src="([^"]+)"', html):
            status, headers, svg = await fetch(server.port, picture)
            assert (status, headers["content-type"]) == (200, "image/svg+xml")
            assert b"<svg" in svg


def test_headings_can_be_linked_to() -> None:
    html = rulebook("kaching", "en")
    assert html is not None
    assert '<h2 id="your-turn">Your turn</h2>' in html
    ids = re.findall(r' id="([^"]+)"', html)
    assert len(set(ids)) == len(ids)
    assert slug("¡Fin del juego!") == "fin-del-juego"


@in_loop
async def test_qr_codes_are_of_this_server_alone(server: Server) -> None:
    status, headers, svg = await fetch(server.port, "/api/qr.svg?path=/t/ABCDEFGH")
    assert (status, headers["content-type"]) == (200, "image/svg+xml")
    assert svg.startswith(b"<svg")
    for path in ("//evil.example", "https://evil.example", "\\\\evil", "/" + "x" * 300):
        assert (await fetch(server.port, f"/api/qr.svg?path={path}"))[0] == 400


@in_loop
async def test_the_host_tells_how_it_is_reached(server: Server) -> None:
    _, _, content = await fetch(server.port, "/api/host")
    assert msgspec.json.decode(content) == {"local": True, "url": f"http://127.0.0.1:{server.port}"}


@in_loop
async def test_the_page(start: Start) -> None:
    server = start()
    status, _, content = await fetch(server.port, "/")
    assert status == 503
    assert b"make play" in content, "says how to build it"
    page = Path(server.data) / "page"
    (page / "files").mkdir(parents=True)
    (page / "index.html").write_text("<!doctype html>the page")
    (page / "files" / "index-abc123.js").write_text("1")
    for path in ("/", "/t/ABCDEFGH", "/rules/kaching", "/new/kaching"):
        status, headers, content = await fetch(server.port, path)
        assert (status, content) == (200, b"<!doctype html>the page")
        assert headers["cache-control"] == "no-cache"
    status, headers, _ = await fetch(server.port, "/files/index-abc123.js")
    assert status == 200
    assert "immutable" in headers["cache-control"]
    assert headers["content-type"].startswith("text/javascript")
    (page / "secret").symlink_to("/etc/hostname")
    assert (await fetch(server.port, "/secret"))[2] == b"<!doctype html>the page"
