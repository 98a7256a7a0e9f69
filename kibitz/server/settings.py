"""What a host can set: a flag wins over the environment, that over a file, that over what is usual.

The file is TOML (`--config FILE` or KIBITZ_CONFIG); a variable is KIBITZ_ and the setting in capitals
(KIBITZ_PUBLIC_URL), one of the limits KIBITZ_LIMITS_ and its name.
"""

import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

import msgspec

from kibitz.core.errors import KibitzError
from kibitz.server.limits import Limits
from kibitz.server.net.addresses import networks

PREFIX = "KIBITZ_"
CONFIG = "KIBITZ_CONFIG"
LIMIT = "limits_"
# Variables that set something else
ELSEWHERE = (
    CONFIG,
    "KIBITZ_CACHE",
    "KIBITZ_LANGUAGE",
    "KIBITZ_BOT_USER",
)


class HostSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All that can be set."""

    host: str = "127.0.0.1"
    port: Annotated[int, msgspec.Meta(ge=0, le=65535)] = 8000
    data: str | None = None  # the folder of the SQLite store
    store: str | None = None  # or the address of another: postgresql://…
    bus: str | None = None  # how nodes hear of each other: nats://…
    public_url: str | None = None
    proxies: str = ""  # addresses or networks whose word counts on where a request comes from
    drain_seconds: Annotated[float, msgspec.Meta(ge=0, le=60)] | None = None  # between SIGTERM and the end
    secret: str | None = None  # opens /metrics and the host's page
    leaderboard: bool = True  # whether everybody is shown who plays best, of those with a passphrase
    log: Literal["lines", "json"] = "lines"
    limits: Limits = Limits()


FORMS = {  # what a setting that isn't a text has to be
    "port": "a whole number from 0 to 65535",
    "drain_seconds": "a number of seconds from 0 to 60",
    "leaderboard": "true or false",
    "log": "lines or json",
    "limits": "a table of limits, such as chats = 5",
}


def shown(address: str) -> str:
    """An address, or several, without passwords: fit for a log.

    Whatever stands before the last @ may belong to one, if somebody wrote it as it is. Of NATS even what
    stands there alone, which is a token.
    """
    hidden = re.sub(r"(://[^:/@\s]*):((?!://)\S)*@", r"\1:…@", address)
    hidden = re.sub(r"\b((?:nats|tls|wss?)://)[^:/@\s]+@", r"\1…@", hidden)
    return re.sub(r"(password=)[^&\s]*", r"\1…", hidden)


class BadSettings(KibitzError):
    """A setting that makes no sense, and where it was found."""


def gathered(
    flags: Mapping[str, Any], config: Path | None = None, environment: Mapping[str, str] = os.environ
) -> HostSettings:
    """The settings in force."""
    path = config or (Path(environment[CONFIG]) if CONFIG in environment else None)
    said: dict[str, Any] = {}
    sources = {
        str(path): _from_file(path) if path else {},
        "the environment": _from_environment(environment),
        "the command line": {name: value for name, value in flags.items() if value is not None},
    }
    if wrong := [line for source, found in sources.items() for line in _wrong(source, found)]:
        raise BadSettings("bad-setting", "\n".join(wrong))
    for found in sources.values():
        limits = {**said.get("limits", {}), **found.get("limits", {})}
        said |= found
        if limits:
            said["limits"] = limits
    settings = msgspec.convert(said, HostSettings, strict=False)
    _check_together(settings)
    return settings


def _wrong(source: str, found: Mapping[str, Any]) -> Iterator[str]:
    """All that makes no sense by itself, a sentence each."""
    known = HostSettings.__struct_fields__
    for name, value in found.items():
        if name not in known:
            yield f"{source}: there is no setting {name!r}; there are {', '.join(sorted(known))}."
        elif name == "limits" and isinstance(value, Mapping):
            yield from _wrong_limits(source, value)
        elif _converted({name: value}) is None:
            yield f"{source}: {name} has to be {FORMS.get(name, 'a text')}."


def _wrong_limits(source: str, found: Mapping[str, Any]) -> Iterator[str]:
    for name, value in found.items():
        if name not in Limits.__struct_fields__:
            yield f"{source}: there is no limit {name!r}; see docs/hosting.md."
        elif (settings := _converted({"limits": {name: value}})) is None:
            yield f"{source}: limits.{name} has to be a number."
        elif not getattr(settings.limits, name) >= 0:
            yield f"{source}: limits.{name} can't be less than nothing."


def _converted(said: Mapping[str, Any]) -> HostSettings | None:
    try:
        settings: HostSettings = msgspec.convert(dict(said), HostSettings, strict=False)
    except msgspec.ValidationError:
        return None
    return settings


def _check_together(settings: HostSettings) -> None:
    if settings.store and settings.data:
        raise BadSettings("bad-setting", "Either data (a folder for SQLite) or store (an address), not both.")
    if settings.bus and not settings.store:
        raise BadSettings(
            "bad-setting",
            "One process serves a SQLite file, so there is nobody to hear news: bus needs a store such as "
            "postgresql://…",
        )
    try:
        networks(settings.proxies)
    except ValueError as error:
        raise BadSettings("bad-setting", f"proxies: {error}.") from error
    if settings.public_url is not None and not is_origin(settings.public_url):
        raise BadSettings(
            "bad-setting",
            f"public_url: {settings.public_url!r} is no address of a whole server, such as "
            "https://games.example.org",
        )
    if settings.secret is not None and len(settings.secret) < LEAST_SECRET:
        raise BadSettings("bad-setting", f"A secret needs at least {LEAST_SECRET} characters.")


LEAST_SECRET = 16


def is_origin(url: str) -> bool:
    """Whether it is where a server is: a scheme, a name, perhaps a port, and no folder in it."""
    try:
        parts = urlsplit(url)
        named = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        return False
    return bool(named) and parts.username is None and url.rstrip("/") == f"{parts.scheme}://{parts.netloc}"


def _from_file(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text())
    except OSError as error:
        raise BadSettings("bad-setting", f"{path} can't be read: {error.strerror}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadSettings("bad-setting", f"{path} is no TOML: {error}.") from error


def _from_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for variable, value in environment.items():
        if not value:  # set to nothing: not set
            continue
        name = variable.removeprefix(PREFIX).lower()
        if name.startswith(LIMIT) and variable.startswith(PREFIX):
            found.setdefault("limits", {})[name.removeprefix(LIMIT)] = value
        elif variable.startswith(PREFIX) and name in HostSettings.__struct_fields__:
            found[name] = value
    return found


def no_settings(environment: Mapping[str, str] = os.environ) -> list[str]:
    """Variables that look like settings and are none: misspelt ones."""
    names = {f"{PREFIX}{name.upper()}" for name in HostSettings.__struct_fields__}
    limits = f"{PREFIX}{LIMIT.upper()}"
    known = {*names, *ELSEWHERE}
    return [
        name
        for name in environment
        if name.startswith(PREFIX) and name not in known and not name.startswith(limits)
    ]
