"""What a server says in its log: never a token, a secret or a hidden card, however much it says."""

import re

import msgspec
import pytest
from websockets.asyncio.client import connect

from kibitz.server.settings import shown
from kibitz.server.tables.rows import Created
from tests.server.client import Client, connected, fetch
from tests.server.conftest import ROOMY, Start
from tests.server.raw import request
from tests.server.serving import in_loop

SECRET = "0123456789abcdef-of-the-host"


@pytest.mark.unclean
@in_loop
async def test_no_log_holds_a_token_or_a_hidden_card(start: Start) -> None:
    """A whole game with everything logged that can be: every door is used, rightly and wrongly."""
    server = start(games=("match",), host_secret=SECRET, talkative=True, bots="raising", limits=ROOMY)
    before = len(server.errors)
    host = {"Authorization": f"Bearer {SECRET}"}
    cards: set[str] = set()
    async with connected(server.port) as ann, connected(server.port, name="Bob") as bob:
        tokens = [one.welcome["token"] for one in (ann, bob)]
        table = await ann.create("me", "open", "easy", game="match", rounds=1)
        await bob.do("sit", table=table)
        await ann.say("my-turns")
        feeds = (await ann.hear("turns"))["atom"]
        players = (ann, bob)
        for _ in range(400):
            views = [await one.watch(table) for one in players]
            if views[0]["result"]:
                break
            cards |= {card for one in views for hand in one["view"]["hands"] for card in hand if card != "?"}
            for player, now in zip(players, views):
                if now["legal"]:
                    await player.ask("move", table=table, number=now["number"], move=now["legal"][0])
                    await player.ask("move", table=table, number=now["number"], move="nonsense")
        for token in tokens:
            await misuse(server.port, token, table)
        await ann.say("hint", table=table)
        await fetch(server.port, feeds)
        for path in ("/metrics", "/host.json", f"/api/turns/{tokens[0]}.atom", f"/api/tables/{table}/record"):
            await fetch(server.port, path, headers=host)
            await fetch(server.port, path, headers={"Authorization": f"Bearer {SECRET}x"})
        await fetch(server.port, "/host/close", b'{"table": "' + table.encode() + b'"}', host)
    created = msgspec.json.decode(server.rows(table)[0].body, type=Created)
    said = server.errors[before:]
    assert '"request":"' in said, "a complaint doesn't name what was asked"
    assert f'"table":"{table}"' in said, "… nor where"
    for secret in (*tokens, SECRET, created.secret, feeds.rpartition("/")[2].partition(".")[0]):
        assert secret not in said
    assert len(cards) > 8
    hidden = re.compile(rf"""(?<![\w/])({"|".join(map(re.escape, sorted(cards)))})(?![\w/])""")
    assert not (found := hidden.search(said)), said[found.start() - 200 : found.end() + 100]


async def misuse(port: int, token: str, table: str) -> None:
    """Messages that fail while they hold a token."""
    for text in (
        f'{{"type": "hello", "protocol": 1, "token": "{token}", "name": 5}}',
        f'{{"type": "watch", "table": "{token}"}}',
        token,
    ):
        async with connect(f"ws://127.0.0.1:{port}/ws", compression=None) as socket:
            await socket.send(text)
            await Client(socket).hear("failed")
    await request(port, f"GET /?token={token} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    await request(port, f"{token}\r\n\r\n".encode())


def test_addresses_are_shown_without_their_passwords() -> None:
    for address in (
        "postgresql://kibitz:hidden@a,b/kibitz",
        "postgresql://a/kibitz?user=k&password=hidden&sslmode=require",
        "nats://user:hidden@a:4222,nats://user:hidden@b:4222",
        "nats://hidden@a:4222,tls://hidden@b:4222",  # a token
        "postgresql://kibitz:hidden/hidden@a/kibitz",  # not as it should be written
        "postgresql://kibitz:hidden@hidden@a/kibitz",
    ):
        assert "hidden" not in shown(address)
        assert "a" in shown(address)
    assert shown("postgresql://kibitz@a/kibitz") == "postgresql://kibitz@a/kibitz"
