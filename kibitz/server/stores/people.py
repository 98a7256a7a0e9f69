"""What is kept about people, alike in both engines: devices, codes, passphrases, ratings; and forgetting it.

The statements are in the SQL that SQLite and PostgreSQL share, with `?` for values.
"""

import secrets
import time
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from kibitz.server.people.ratings import Skill, SkillChange
from kibitz.server.stores.store import Finished, Lasting, Listed, Rated, SeatFacts, Standing
from kibitz.server.tables.rows import FORGOTTEN

Statement = tuple[str, tuple[Any, ...]]

DEVICES = 20  # of a guest, besides the first; the oldest go
MOST = 1_000_000  # all of them


class PeopleStore:
    """The part of a store that knows people."""

    async def _look_up(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        raise NotImplementedError

    async def _change(self, statements: Sequence[Statement], drop: Sequence[str] = ()) -> list[Any]:
        """Carry all out, or none, and forget the logs of these tables; what the last statement returned."""
        raise NotImplementedError

    # Devices

    async def add_device(self, guest: str, token_hash: bytes) -> None:
        """Another token is this guest, too."""
        latest = "SELECT token_hash FROM devices WHERE guest = ? ORDER BY created DESC LIMIT ?"
        await self._change(
            [
                ("INSERT INTO devices VALUES (?, ?, ?)", (token_hash, guest, time.time())),
                (
                    f"DELETE FROM devices WHERE guest = ? AND token_hash NOT IN ({latest})",
                    (guest, guest, DEVICES),
                ),
            ]
        )

    async def leave_devices(self, guest: str, but: bytes) -> None:
        """All tokens of a guest end, but one."""
        ended = secrets.token_bytes(len(but))  # of which nobody knows a token
        await self._change(
            [
                ("DELETE FROM codes WHERE guest = ?", (guest,)),
                ("DELETE FROM devices WHERE guest = ? AND token_hash <> ?", (guest, but)),
                (
                    "UPDATE guests SET token_hash = ? WHERE id = ? AND token_hash <> ?",
                    (ended, guest, but),
                ),
            ]
        )

    # Codes

    async def add_code(self, code_hash: bytes, guest: str, until: float) -> None:
        """A code by which another device becomes this guest; those before it end."""
        await self._change(
            [
                ("DELETE FROM codes WHERE guest = ? OR until < ?", (guest, time.time())),
                ("INSERT INTO codes VALUES (?, ?, ?)", (code_hash, guest, until)),
            ]
        )

    async def take_code(self, code_hash: bytes) -> str | None:
        """The guest of a code, once."""
        taken = (
            "DELETE FROM codes WHERE code_hash = ? AND until > ? RETURNING guest",
            (code_hash, time.time()),
        )
        found = await self._change([taken])
        return found[0][0] if found else None

    # Passphrases

    async def keep_passphrase(self, lasting: Lasting) -> bool:
        """Keep or change how a guest signs in; False if somebody else signs in by such a name."""
        guest, login, looks, hash = msgspec.structs.astuple(lasting)
        others = "SELECT 1 FROM passphrases WHERE looks = ? AND guest <> ?"
        return bool(
            await self._change(
                [
                    (
                        "UPDATE passphrases SET login = ?, looks = ?, hash = ? WHERE guest = ? "
                        f"AND NOT EXISTS ({others})",
                        (login, looks, hash, guest, looks, guest),
                    ),
                    (
                        "INSERT INTO passphrases VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                        (guest, login, looks, hash, time.time()),
                    ),
                    ("SELECT 1 FROM passphrases WHERE guest = ? AND hash = ?", (guest, hash)),
                ]
            )
        )

    async def lasting(self, looks: str) -> Lasting | None:
        """Who signs in by a name that looks so."""
        return await self._lasting("looks = ?", looks)

    async def lasting_guest(self, guest: str) -> Lasting | None:
        """How a guest signs in; None without a passphrase."""
        return await self._lasting("guest = ?", guest)

    async def _lasting(self, where: str, value: str) -> Lasting | None:
        found = await self._look_up(f"SELECT guest, login, looks, hash FROM passphrases WHERE {where}", value)
        return Lasting(*found[0]) if found else None

    # Ratings

    async def rating_changes(self, table: str) -> list[SkillChange]:
        """What the game at a table has changed."""
        sql = """
        SELECT seat, guest, mu_before, sigma_before, mu, sigma FROM rating_changes WHERE id = ? ORDER BY seat
        """
        found = await self._look_up(sql, table)
        return [
            SkillChange(seat, guest, Skill(*skill[:2]), Skill(*skill[2:])) for seat, guest, *skill in found
        ]

    async def ratings_of(self, guest: str) -> list[Rated]:
        """A guest's rating after each rated game, the first game first."""
        sql = """
        SELECT pool, id, time, mu, sigma FROM rating_changes WHERE guest = ? ORDER BY time, id
        """
        return [Rated(*facts) for facts in await self._look_up(sql, guest)]

    async def skill_of(self, pool: str, guest: str) -> Skill:
        """How well a guest plays by now; as everybody begins without a rated game."""
        sql = "SELECT mu, sigma FROM ratings WHERE pool = ? AND guest = ?"
        found = await self._look_up(sql, pool, guest)
        return Skill(*found[0]) if found else Skill()

    async def leaders(self, pool: str, most: int) -> list[tuple[str, str, float, float, int]]:
        """The best of a pool, surely: guest, the name they sign in by, mu and sigma, games."""
        sql = """
        SELECT r.guest, p.login, r.mu, r.sigma, r.games FROM ratings r JOIN passphrases p ON p.guest = r.guest
        WHERE r.pool = ? ORDER BY r.mu - 2 * r.sigma DESC, p.login LIMIT ?
        """
        return [(g, login, mu, sigma, n) for g, login, mu, sigma, n in await self._look_up(sql, pool, most)]

    # Telling all, and forgetting

    async def renames_of(self, guest: str) -> list[tuple[str, float]]:
        """The names that a guest has chosen lately, and when."""
        found = await self._look_up("SELECT name, time FROM renames WHERE guest = ? ORDER BY time", guest)
        return [(name, when) for name, when in found]

    async def tables_of(self, guest: str, most: int) -> list[Listed]:
        """The tables at which a guest has a seat."""
        raise NotImplementedError

    async def results(self, guest: str, most: int) -> list[Finished]:
        """The games that a guest has finished."""
        raise NotImplementedError

    async def forget_guest(self, guest: str) -> None:
        """Nothing tells of a guest any more but the logs of tables with others, until they expire."""
        tables = await self.tables_of(guest, MOST)
        alone = [one.table for one in tables if not _others(one.standing, guest)]
        statements: list[Statement] = []
        for one in await self.results(guest, MOST):
            told = msgspec.json.encode(_without(one.standing, guest))
            statements.append(("UPDATE results SET standing = ? WHERE id = ?", (told, one.table)))
        for table in tables:
            if table.table not in alone:
                told = msgspec.json.encode(_without(table.standing, guest))
                statements.append((self._standing_changed, (told, table.table)))
        statements += [
            (f"DELETE FROM {relation} WHERE guest = ?", (guest,))
            for relation in (
                "results",
                "seats",
                "devices",
                "codes",
                "passphrases",
                "renames",
                "ratings",
                "rating_changes",
            )
        ]
        await self._change([*statements, ("DELETE FROM guests WHERE id = ?", (guest,))], alone)

    _standing_changed = "UPDATE tables SET standing = ? WHERE id = ?"


def _others(standing: Standing, guest: str) -> bool:
    return any(who not in (None, guest) for seat in standing.seats for who in (seat.guest, seat.left))


def _without(standing: Standing, guest: str) -> Standing:
    """The same, without who is to be forgotten."""
    return replace(standing, seats=tuple(_seat_without(facts, guest) for facts in standing.seats))


def _seat_without(facts: SeatFacts, guest: str) -> SeatFacts:
    if facts.guest == guest:
        return SeatFacts(None, FORGOTTEN)
    return replace(facts, left=None) if facts.left == guest else facts
