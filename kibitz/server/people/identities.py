"""Who somebody is: on several devices, by a code or a passphrase, or no longer at all.

A device's token is told to it once and kept as a hash; no code or passphrase is in an address or a log.
"""

import hmac
import secrets
import time

import segno

from kibitz.server import guests, names, protocol
from kibitz.server.limits import Allowance, Limits, Rate
from kibitz.server.people.passphrases import Passphrases
from kibitz.server.people.ratings import Skill
from kibitz.server.stores.store import Guest, Lasting, Rated, Store
from kibitz.server.tables.lobby import ALPHABET
from kibitz.server.tables.refusals import NotAllowed
from kibitz.server.turns import Asker, asker_at

CODE_LETTERS = 8  # 31 ** 8 is 850 billion, of which a few are good at a time
CURVE = 60  # games


class Identities:
    """What guests do about themselves."""

    def __init__(self, store: Store, limits: Limits, url: str) -> None:
        self._store = store
        self._limits = limits
        self._url = url.rstrip("/")
        self._passphrases = Passphrases(limits)
        self._made = Rate(limits.codes, limits.identity_seconds)
        self._tried = Allowance(limits.codes, limits.address_codes, limits.identity_seconds)
        self._sign_ins = Allowance(limits.sign_ins, limits.address_sign_ins, limits.identity_seconds)
        self.rates = {
            "code": self._made,
            "code-tried": self._tried.of_guest,
            "address-code-tried": self._tried.of_address,
            "sign-in": self._sign_ins.of_guest,
            "address-sign-in": self._sign_ins.of_address,
        }

    # Other devices

    async def invite(self, guest: Guest, command: str) -> protocol.DeviceCode:
        """A code by which another device becomes this guest."""
        self._made.take(guest.id)
        code = "".join(secrets.choice(ALPHABET) for _ in range(CODE_LETTERS))
        seconds = self._limits.code_seconds
        await self._store.add_code(self._hash(code), guest.id, time.time() + seconds)
        picture = segno.make(f"{self._url}/me#{code}", error="m")
        path, size = _drawn(picture)
        return protocol.DeviceCode(command, code, round(seconds), path, size)

    async def join(self, guest: Guest, address: str, command: protocol.JoinDevice) -> protocol.SignedIn:
        """The guest who was told a code, for another device."""
        self._tried.take(guest.id, address)
        code = "".join(command.code.split()).replace("-", "").upper()
        known = await self._store.take_code(self._hash(code)) if len(code) == CODE_LETTERS else None
        if known is None:
            raise NotAllowed("wrong-code")
        return await self._signed_in(known, command.id)

    async def new_token(self, guest: Guest, command: str) -> protocol.SignedIn:
        """Another token for the same device."""
        self._made.take(guest.id)
        return await self._signed_in(guest.id, command)

    async def _signed_in(self, guest: str, command: str) -> protocol.SignedIn:
        token = secrets.token_urlsafe(guests.TOKEN_BYTES)
        await self._store.add_device(guest, guests.token_hash(token))
        name = (await self._store.names([guest])).get(guest)
        if name is None:
            raise NotAllowed("wrong-code")
        return protocol.SignedIn(command, token, name)

    def _hash(self, code: str) -> bytes:
        """What is kept of a code: it is short, so the store's key goes with it."""
        return hmac.digest(self._store.key, f"device/{code}".encode(), "sha256")

    # Passphrases

    async def set_passphrase(self, guest: Guest, address: str, command: protocol.SetPassphrase) -> None:
        """Sign in by this from now on; who could before shows the old passphrase."""
        self._sign_ins.take(guest.id, address)
        login = guests.checked_name(command.login)
        before = await self._store.lasting_guest(guest.id)
        if before is not None:
            await self._require(asker_at(address, guest.id), command.old, before)
        hash = await self._passphrases.hash(asker_at(address, guest.id), command.passphrase)
        if not await self._store.keep_passphrase(Lasting(guest.id, login, _looks(login), hash)):
            raise NotAllowed("login-taken")

    async def sign_in(self, guest: Guest, address: str, command: protocol.SignIn) -> protocol.SignedIn:
        """The guest with this passphrase; nobody learns which names there are."""
        looks = _looks(command.login[: protocol.NAME_LENGTH])
        self._sign_ins.take(guest.id, address)
        self._sign_ins.of_guest.take(f"login/{looks}")
        found = await self._store.lasting(looks)
        hash = None if found is None else found.hash
        asker = asker_at(address, guest.id)
        if not await self._passphrases.is_right(asker, command.passphrase, hash) or found is None:
            raise NotAllowed("wrong-passphrase")
        return await self._signed_in(found.guest, command.id)

    async def confirm(self, guest: Guest, address: str, passphrase: str | None) -> None:
        """Somebody with a passphrase shows it, before what can't be undone."""
        lasting = await self._store.lasting_guest(guest.id)
        if lasting is not None:
            self._sign_ins.take(guest.id, address)
            await self._require(asker_at(address, guest.id), passphrase, lasting)

    async def _require(self, asker: Asker, passphrase: str | None, lasting: Lasting) -> None:
        if not await self._passphrases.is_right(asker, passphrase or "", lasting.hash):
            raise NotAllowed("wrong-passphrase")

    # What is told

    async def told(self, guest: str, leaderboard: bool) -> protocol.IdentityTold:
        """How a guest can sign in, and is rated."""
        lasting = await self._store.lasting_guest(guest)
        pools: dict[str, list[Rated]] = {}
        for one in await self._store.ratings_of(guest):
            pools.setdefault(one.pool, []).append(one)
        rated = [_rating(pool, games) for pool, games in pools.items()]
        return protocol.IdentityTold(None if lasting is None else lasting.login, leaderboard, rated)

    def close(self) -> None:
        """Let go."""
        self._passphrases.close()


def _looks(login: str) -> str:
    """The same for names that could be taken for each other."""
    return min(names.looks(login))


def _rating(pool: str, games: list[Rated]) -> protocol.RatingInfo:
    game, _, players = pool.partition("/")
    rating, error = Skill(games[-1].mu, games[-1].sigma).shown
    curve = [Skill(one.mu, one.sigma).shown[0] for one in games[-CURVE:]]
    return protocol.RatingInfo(game, int(players), rating, error, len(games), curve)


def _drawn(picture: segno.QRCode) -> tuple[str, int]:
    """A QR code as the path of an SVG, and its size."""
    rows = [bytes(row) for row in picture.matrix_iter(border=2)]
    dark = [(x, y) for y, row in enumerate(rows) for x, bit in enumerate(row) if bit]
    return "".join(f"M{x} {y}h1v1h-1z" for x, y in dark), len(rows)
