"""In which form a browser is sent what it asks for, and when it is told that it has it already."""

import gzip
from pathlib import Path

import msgspec
import pytest

from kibitz.server.net.answers import liked_best
from tests.server.client import fetch
from tests.server.conftest import Start
from tests.server.serving import Server, in_loop

SCRIPT = b"let a = 1;\n" * 200
GZIPPED = gzip.compress(SCRIPT, mtime=0)
BROTLI = b"stands for the brotli form"  # the server doesn't look inside
FOREVER = "public, max-age=31536000, immutable"


@pytest.fixture
def built(start: Start) -> Server:
    """A server with a page whose script lies there in all forms."""
    server = start(games=["kaching"])
    files = Path(server.data) / "page" / "files"
    files.mkdir(parents=True)
    (files.parent / "index.html").write_text("<!doctype html>the page")
    (files / "index-abc123.js").write_bytes(SCRIPT)
    (files / "index-abc123.js.br").write_bytes(BROTLI)
    (files / "index-abc123.js.gz").write_bytes(GZIPPED)
    (files / "plain-abc123.js").write_bytes(SCRIPT)
    return server


@pytest.mark.parametrize(
    ("accepted", "best"),
    [
        ("", None),
        ("gzip, deflate, br, zstd", "br"),
        ("gzip", "gzip"),
        ("GZIP", "gzip"),
        ("gzip;q=1.0, br;q=0.5", "gzip"),
        ("br;q=0, gzip;q=0.1", "gzip"),
        ("br;q=0, gzip;q=0", None),
        ("*", "br"),
        ("br;q=0, *", "gzip"),
        ("gzip;q=0.5, identity", None),
        ("identity;q=0, gzip;q=0.1", "gzip"),
        ("deflate, zstd", None),
        ("br;q=much, gzip", "gzip"),
        (",;;=, ;q=", None),
    ],
)
def test_the_coding_that_is_liked_best(accepted: str, best: str | None) -> None:
    assert liked_best(accepted, ("br", "gzip")) == best


@pytest.mark.parametrize(
    ("accepted", "coding", "content"),
    [
        ("gzip, deflate, br", "br", BROTLI),
        ("gzip", "gzip", GZIPPED),
        ("br;q=0", None, SCRIPT),
        ("", None, SCRIPT),
    ],
)
def test_a_file_is_sent_in_the_form_that_is_liked_best(
    built: Server, accepted: str, coding: str | None, content: bytes
) -> None:
    @in_loop
    async def ask() -> None:
        path = "/files/index-abc123.js"
        status, headers, sent = await fetch(built.port, path, headers={"Accept-Encoding": accepted})
        assert (status, headers.get("content-encoding")) == (200, coding)
        assert sent == content
        assert headers["content-length"] == str(len(sent))
        assert headers["content-type"].startswith("text/javascript")
        assert headers["cache-control"] == FOREVER
        assert headers["vary"] == "Accept-Encoding"

    ask()


@in_loop
async def test_a_file_without_other_forms_is_sent_as_it_is(built: Server) -> None:
    _, headers, sent = await fetch(
        built.port, "/files/plain-abc123.js", headers={"Accept-Encoding": "br, gzip"}
    )
    assert sent == SCRIPT
    assert "content-encoding" not in headers


@in_loop
async def test_the_other_forms_have_no_addresses_of_their_own(built: Server) -> None:
    for ending in (".br", ".gz"):
        assert (await fetch(built.port, f"/files/index-abc123.js{ending}"))[0] == 404


@pytest.mark.parametrize("path", ["/api/games/kaching/words.es.json", "/api/games/kaching/rulebook.en.html"])
def test_long_texts_are_gzipped(built: Server, path: str) -> None:
    @in_loop
    async def ask() -> None:
        _, plain_headers, plain = await fetch(built.port, path)
        for _ in range(2):  # the second time perhaps from what is kept
            _, headers, sent = await fetch(built.port, path, headers={"Accept-Encoding": "gzip, br"})
            assert headers["content-encoding"] == "gzip"
            assert len(sent) < len(plain) / 2
            assert gzip.decompress(sent) == plain
        assert plain_headers["vary"] == headers["vary"] == "Accept-Encoding"

    ask()


@in_loop
async def test_a_short_answer_is_sent_as_it_is(built: Server) -> None:
    _, headers, content = await fetch(built.port, "/api/host", headers={"Accept-Encoding": "gzip"})
    assert "content-encoding" not in headers
    assert msgspec.json.decode(content)["local"]


@pytest.mark.parametrize("path", ["/", "/t/ABCDEFGH", "/api/games/kaching/words.en.json"])
def test_what_the_browser_has_is_not_sent_again(built: Server, path: str) -> None:
    @in_loop
    async def ask() -> None:
        _, headers, content = await fetch(built.port, path)
        tag = headers["etag"]
        for known in (tag, tag.removeprefix("W/"), f'"other", {tag}', "*"):
            status, headers, nothing = await fetch(built.port, path, headers={"If-None-Match": known})
            assert (status, nothing, headers["etag"]) == (304, b"", tag)
            assert "default-src 'none'" in headers["content-security-policy"]
        status, _, again = await fetch(built.port, path, headers={"If-None-Match": '"other"'})
        assert (status, again) == (200, content)

    ask()


@in_loop
async def test_a_new_page_is_sent(built: Server) -> None:
    _, headers, _ = await fetch(built.port, "/")
    assert headers["cache-control"] == "no-cache"
    _, words, _ = await fetch(built.port, "/api/games/kaching/words.en.json")
    assert words["cache-control"] == "public, no-cache"  # a new page needs the new words
    (Path(built.data) / "page" / "index.html").write_text("<!doctype html>a new page")
    status, _, content = await fetch(built.port, "/", headers={"If-None-Match": headers["etag"]})
    assert (status, content) == (200, b"<!doctype html>a new page")


@in_loop
async def test_what_is_missing_has_no_tag(built: Server) -> None:
    status, headers, _ = await fetch(built.port, "/api/nothing", headers={"If-None-Match": "*"})
    assert status == 404
    assert "etag" not in headers
