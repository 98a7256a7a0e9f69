"""A guest's turns as an Atom feed and as a calendar, at an address that only the guest is told."""

import hmac
from datetime import UTC, datetime
from xml.sax.saxutils import escape, quoteattr

from kibitz.core import registry
from kibitz.core.words import LANGUAGES, catalogue
from kibitz.server.protocol import Summary
from kibitz.server.stores.store import Store
from kibitz.server.tables.refusals import PACKAGE

SECRET_DIGITS = 32
LINE_BYTES = 73  # of a calendar's line, with its end 75


def secret_of(store: Store, guest: str) -> str:
    """The part of the address that shows whose turns are asked for."""
    return f"{guest}-{_seal(store, guest)}"


def guest_of(store: Store, secret: str) -> str | None:
    """The guest to whom a secret was told."""
    guest, _, seal = secret.partition("-")
    return guest if hmac.compare_digest(seal.encode(), _seal(store, guest).encode()) else None


def _seal(store: Store, guest: str) -> str:
    return hmac.digest(store.key, f"turns/{guest}".encode(), "sha256").hex()[:SECRET_DIGITS]


# What is waiting for the guest, in words


def _title(table: Summary, language: str) -> str:
    said = catalogue(language if language in LANGUAGES else "en", PACKAGE)
    others = [name for seat, name in enumerate(table.seats) if name and seat != table.seat]
    return str(said("feed.turn", title=registry.game(table.game).title, others=", ".join(others)))


def atom(tables: list[Summary], url: str, secret: str, language: str) -> str:
    """My turns as a feed: an entry for each decision."""
    latest = max((table.time for table in tables), default=0.0)
    entries = "".join(
        f"<entry><id>urn:kibitz:{escape(table.table)}:{table.time}</id>"
        f"<title>{escape(_title(table, language))}</title>"
        f"<updated>{_instant(table.time)}</updated><link href={quoteattr(f'{url}/t/{table.table}')}/></entry>"
        for table in tables
    )
    return (
        '<?xml version="1.0" encoding="utf-8"?><feed xmlns="http://www.w3.org/2005/Atom">'
        f"<id>urn:kibitz:turns:{escape(secret.partition('-')[0])}</id><title>Kibitz</title>"
        f"<author><name>Kibitz</name></author><updated>{_instant(latest)}</updated>{entries}</feed>"
    )


def calendar(tables: list[Summary], url: str, language: str) -> str:
    """The ends of my thinking times as a calendar; a table without a clock has none."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Kibitz//Turns//EN"]
    for table in tables:
        if table.due is not None:
            lines += [
                "BEGIN:VEVENT",
                f"UID:{table.table}-{int(table.time)}@kibitz",
                f"DTSTAMP:{_stamp(table.time)}",
                f"DTSTART:{_stamp(table.due)}",
                f"SUMMARY:{_calendar_text(_title(table, language))}",
                f"URL:{url}/t/{table.table}",
                "END:VEVENT",
            ]
    return "".join(f"{_folded(line)}\r\n" for line in [*lines, "END:VCALENDAR"])


def _instant(time: float) -> str:
    return datetime.fromtimestamp(time, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _stamp(time: float) -> str:
    return datetime.fromtimestamp(time, UTC).strftime("%Y%m%dT%H%M%SZ")


def _calendar_text(text: str) -> str:
    for sign in ("\\", ";", ","):
        text = text.replace(sign, f"\\{sign}")
    return text


def _folded(line: str) -> str:
    """A line as calendars want it: at most 75 bytes, the rest on lines that begin with a space."""
    parts = [""]
    for character in line:
        if len((parts[-1] + character).encode()) > LINE_BYTES:
            parts.append("")
        parts[-1] += character
    return "\r\n ".join(parts)
