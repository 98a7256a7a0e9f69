"""Which pages may open a WebSocket here, decided before the upgrade.

A browser tells the page's origin; programs tell none and are let in. A page from elsewhere is turned away,
also one whose name was made to point at this machine: names must be known, bare addresses the one asked for.
"""

import ipaddress
import socket
from collections.abc import Sequence
from functools import cache
from urllib.parse import urlsplit

LOOPBACK_NAMES = frozenset(("localhost", "127.0.0.1", "::1"))


@cache
def own_names() -> frozenset[str]:
    """What this machine is called in its network."""
    name = socket.gethostname().lower()
    return frozenset((name, f"{name.partition('.')[0]}.local"))


def allowed(origins: Sequence[str], host: str, public_url: str | None) -> bool:
    """Whether a page of that origin, asking for that host, may connect; of two origins none is believed."""
    if not origins:
        return True
    if len(origins) > 1:
        return False
    try:
        asking = urlsplit(origins[0])
        name = (asking.hostname or "").lower()
    except ValueError:
        return False
    if asking.scheme not in ("http", "https"):
        return False
    if public_url is not None and _origin(public_url) == (asking.scheme, asking.netloc.lower()):
        return True
    if name in LOOPBACK_NAMES:
        return True
    return asking.netloc.lower() == host.lower() and (name in own_names() or _is_address(name))


def _origin(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme, parts.netloc.lower()


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
