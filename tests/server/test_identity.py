"""Who somebody is: on another device, by a code or a passphrase; and no longer."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec

from kibitz.server.background import Background
from kibitz.server.limits import Limits
from kibitz.server.nodes.bus import LocalBus
from kibitz.server.protocol import Create, Sit
from kibitz.server.readiness import Readiness, silent
from kibitz.server.stores.sqlite import SqliteStore
from kibitz.server.stores.store import Guest
from kibitz.server.tables.appender import Appender
from kibitz.server.tables.live_tables import LiveTables
from kibitz.server.tables.lobby import Lobby, new_table
from tests.server.client import Client, connected, fetch
from tests.server.conftest import ROOMY, Start
from tests.server.serving import Server, in_loop

PASSPHRASE = "correct horse battery"


async def lasting(client: Client, login: str = "Ann") -> None:
    """Give a client a passphrase."""
    await client.do("set-passphrase", login=login, passphrase=PASSPHRASE)


async def results_of(client: Client) -> list[dict[str, Any]]:
    """The games a client has finished."""
    await client.say("my-results")
    games: list[dict[str, Any]] = (await client.hear("results"))["games"]
    return games


@in_loop
async def test_an_identity_moves_to_another_device_by_a_code_once(server: Server) -> None:
    async with connected(server.port, name="Ann") as ann, connected(server.port) as phone:
        told = await ann.do("invite-device")
        assert told["code"] not in told["qr"]
        assert told["seconds"] > 60
        typed = f" {told['code'][:4].lower()}-{told['code'][4:]} "
        joined = await phone.do("join-device", code=typed)
        assert joined["name"] == "Ann"
        assert await phone.code("join-device", code=told["code"]) == "wrong-code"
        assert await phone.code("join-device", code="ABC") == "wrong-code"
        async with connected(server.port, joined["token"]) as there:
            assert there.welcome["guest"] == ann.welcome["guest"]
        async with connected(server.port, ann.welcome["token"]) as here:
            assert here.welcome["guest"] == ann.welcome["guest"]


@in_loop
async def test_codes_are_tried_only_so_often_and_end(start: Start) -> None:
    server = start(limits=ROOMY | {"codes": 3, "code_seconds": 0})
    async with connected(server.port) as ann, connected(server.port) as bob:
        late = (await ann.do("invite-device"))["code"]
        assert await bob.code("join-device", code=late) == "wrong-code"
        for _ in range(2):
            assert await bob.code("join-device", code="ABCDEFGH") == "wrong-code"
        assert await bob.code("join-device", code="ABCDEFGH") == "slow-down"


@in_loop
async def test_name_and_passphrase_sign_in_anywhere(server: Server) -> None:
    async with connected(server.port, name="Ann") as ann, connected(server.port) as other:
        assert await ann.code("set-passphrase", login="Ann", passphrase="short") == "bad-passphrase"
        await lasting(ann)
        await ann.say("my-identity")
        assert (await ann.hear("identity"))["login"] == "Ann"
        assert (
            await other.code("sign-in", login="Ann", passphrase="wrong horse battery") == "wrong-passphrase"
        )
        assert await other.code("sign-in", login="Nobody", passphrase=PASSPHRASE) == "wrong-passphrase"
        signed = await other.do("sign-in", login=" ann", passphrase=PASSPHRASE)
        async with connected(server.port, signed["token"]) as there:
            assert there.welcome["guest"] == ann.welcome["guest"]
        taken = "Аnn"  # its first letter is Cyrillic
        assert await other.code("set-passphrase", login=taken, passphrase=PASSPHRASE) == "login-taken"


@in_loop
async def test_to_change_a_passphrase_one_shows_the_old_one(server: Server) -> None:
    async with connected(server.port) as ann:
        await lasting(ann)
        new = {"login": "Anne", "passphrase": "another horse"}
        assert await ann.code("set-passphrase", **new) == "wrong-passphrase"
        assert await ann.code("set-passphrase", **new, old="wrong horse battery") == "wrong-passphrase"
        await ann.do("set-passphrase", **new, old=PASSPHRASE)
        assert await ann.code("sign-in", login="Ann", passphrase=PASSPHRASE) == "wrong-passphrase"
        await ann.do("sign-in", login="Anne", passphrase="another horse")


@in_loop
async def test_a_name_is_tried_only_so_often_from_wherever(start: Start) -> None:
    server = start(limits=ROOMY | {"sign_ins": 4})
    async with connected(server.port) as ann:
        await lasting(ann)
        for _ in range(2):
            async with connected(server.port) as thief:
                for _ in range(2):
                    refused = await thief.code("sign-in", login="Ann", passphrase="guess guess")
                    assert refused == "wrong-passphrase"
        async with connected(server.port) as thief:
            assert await thief.code("sign-in", login="aNN", passphrase=PASSPHRASE) == "slow-down"
            assert await thief.code("sign-in", login="Bob", passphrase=PASSPHRASE) == "wrong-passphrase"


@in_loop
async def test_all_other_devices_can_be_left_and_tokens_rotate(server: Server) -> None:
    async with connected(server.port) as ann:
        token = ann.welcome["token"]
        new = (await ann.do("new-token"))["token"]
        async with connected(server.port, new) as here, connected(server.port, token) as thief:
            assert thief.welcome["guest"] == here.welcome["guest"]
            await here.do("leave-devices")
            for gone in (ann, thief):
                assert (await gone.hear("failed"))["code"] == "signed-out"
            await here.do("rename", name="Still Ann")
        for shown, known in ((token, False), (new, True)):
            async with connected(server.port, shown) as again:
                assert (again.welcome["guest"] == ann.welcome["guest"]) == known


@in_loop
async def test_no_secret_is_on_disk_or_in_the_log(server: Server) -> None:
    async with connected(server.port) as ann, connected(server.port) as phone:
        await lasting(ann)
        code = (await ann.do("invite-device"))["code"]
        await phone.code("sign-in", login="Ann", passphrase="wrong horse battery")
        token = (await phone.do("join-device", code=code))["token"]
        secrets = [PASSPHRASE, "wrong horse", code, token, ann.welcome["token"]]
        written = b"".join(file.read_bytes() for file in server.data.iterdir() if file.is_file())
        for secret in secrets:
            assert secret.encode() not in written
            assert secret not in server.errors
        assert b"$argon2id$" in written


@in_loop
async def test_somebody_may_be_forgotten_while_a_table_is_held(tmp_path: Path) -> None:
    store, bus, background = SqliteStore(tmp_path), LocalBus(), Background()
    readiness = Readiness(("kaching",), compile=lambda games, report: None)
    tables = LiveTables(store, bus, readiness, background)
    appender = Appender(tables, store, bus, Limits())
    ann, bob = Guest("ann", "Ann", "en", 0.0), Guest("bob", "Bob", "en", 0.0)
    for guest in (ann, bob):
        await store.add_guest(guest, guest.id.encode())
    created = new_table(ann, Create(id="a", game="kaching", seats=["me", "open"]))
    lobby = Lobby(tables, appender, store, readiness, Limits())
    await lobby.open("TABLE", ann, "a", b"", created)
    await appender.carry_out(bob, Sit(id="b", table="TABLE"), lambda done: None, silent)
    read_again = asyncio.Event()
    tables.on_change(lambda live: read_again.set())
    try:
        async with tables.hold("TABLE") as live:
            await store.forget_guest("ann")
            tables.forget_names("ann")
            await asyncio.sleep(0)
            assert live.loaded
        await asyncio.wait_for(read_again.wait(), 30)
        assert "Ann" not in live.names.values()
    finally:
        await background.close()
        await store.close()


@in_loop
async def test_who_is_forgotten_leaves_moves_but_no_name(server: Server) -> None:
    async with connected(server.port, name="Annabel") as ann, connected(server.port, name="Bob") as bob:
        over = await ann.create("me", "open")
        await bob.do("sit", table=over)
        await ann.do("chat", table=over, text="my secret plan")
        await bob.do("resign", table=over)
        alone = await ann.create("me", "easy")
        running = await bob.create("me", "open")
        await ann.do("sit", table=running)
        await bob.watch(running)
        await lasting(ann)
        before = [row.hash for row in server.rows(over)]
        assert await ann.code("forget-me") == "wrong-passphrase"

        await ann.do("forget-me", passphrase=PASSPHRASE)

        assert (await ann.hear("failed"))["code"] == "signed-out"
        (game,) = await results_of(bob)
        assert game["names"] == ["–", "Bob"]
        assert game["people"][0] == ""
        seats = (await bob.watch(running))["seats"]
        assert [seat["kind"] for seat in seats] == ["guest", "bot"]
        await bob.say("watch", table=alone)
        assert (await bob.hear("gone"))["table"] == alone
    assert [row.hash for row in server.rows(over)] == before
    server.restart()
    async with connected(server.port, bob.welcome["token"]) as bob:
        told = await bob.watch(over)
        assert [seat["name"] for seat in told["seats"]] == ["–", "Bob"]
        assert "Annabel" not in str(told)
        assert "secret plan" not in str(told)
        await bob.code("sign-in", login="Ann", passphrase=PASSPHRASE)
        async with connected(server.port, ann.welcome["token"]) as stranger:
            assert stranger.welcome["guest"] != ann.welcome["guest"]


@in_loop
async def test_all_that_is_kept_about_somebody_is_told_to_who_shows_the_token(start: Start) -> None:
    server = start(limits=ROOMY | {"exports": 1})
    async with connected(server.port, name="Ann") as ann, connected(server.port, name="Bob") as bob:
        await ann.do("rename", name="Anna")
        table = await ann.create("me", "open")
        await bob.do("sit", table=table)
        await ann.do("chat", table=table, text="hello there")
        await bob.do("chat", table=table, text="not yours")
        await bob.do("resign", table=table)
        token = {"Authorization": f"Bearer {ann.welcome['token']}"}
        status, headers, content = await fetch(server.port, "/api/me", headers=token)
        assert status == 200
        assert headers["cache-control"] == "no-cache"
        kept = msgspec.json.decode(content)
        assert kept["name"] == "Anna"
        assert [one["name"] for one in kept["names"]] == ["Anna"]
        assert [one["text"] for one in kept["said"]] == ["hello there"]
        assert [one["table"] for one in kept["results"]] == [table]
        assert [one["table"] for one in kept["tables"]] == [table]
        assert "not yours" not in content.decode()
        assert (await fetch(server.port, "/api/me", headers=token))[0] == 429
        assert (await fetch(server.port, "/api/me"))[0] == 401
