"""Guests: who shows a token is the one to whom it was given. Nobody has an account."""

import hashlib
import secrets
import time

from kibitz.server.protocol import NAME_LENGTH
from kibitz.server.stores.store import Guest, Store
from kibitz.server.tables.refusals import NotAllowed
from kibitz.server.tables.rows import FORGOTTEN
from kibitz.server.texts import clean

TOKEN_BYTES = 32
ANIMALS = {
    "en": ("Otter", "Heron", "Fox", "Badger", "Lynx", "Robin", "Seal", "Hare", "Wren", "Owl", "Crane"),
    "es": ("Nutria", "Garza", "Zorro", "Tejón", "Lince", "Foca", "Liebre", "Gorrión", "Búho", "Grulla"),
}


def token_hash(token: str) -> bytes:
    """What is kept of a token."""
    return hashlib.sha256(token.encode()).digest()


def new_name(language: str) -> str:
    """A name to begin with: an animal and a number."""
    animals = ANIMALS.get(language, ANIMALS["en"])
    return f"{secrets.choice(animals)} {100 + secrets.randbelow(900)}"


async def known_guest(store: Store, token: str | None) -> Guest | None:
    """The guest to whom a token was given."""
    return None if token is None else await store.guest(token_hash(token))


async def new_guest(store: Store, language: str, name: str | None) -> tuple[Guest, str]:
    """A new guest with the token that proves it."""
    token = secrets.token_urlsafe(TOKEN_BYTES)
    language = language if language in ANIMALS else "en"
    guest = Guest(secrets.token_hex(8), _name_or(name, language), language, time.time())
    await store.add_guest(guest, token_hash(token))
    return guest, token


def _name_or(name: str | None, language: str) -> str:
    try:
        return checked_name(name or "")
    except NotAllowed:
        return new_name(language)


def checked_name(name: str) -> str:
    """A name that can be shown."""
    cleaned = clean(name, NAME_LENGTH)
    if cleaned in ("", FORGOTTEN):
        raise NotAllowed("no-name")
    return cleaned
