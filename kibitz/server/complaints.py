"""What the server says in its log: the same complaint once a minute, however often there is reason for it."""

import logging
import re
import time
from contextvars import ContextVar
from typing import Any

import msgspec

REQUEST: ContextVar[str] = ContextVar("request", default="")  # the id of the command that is carried out
TABLE: ContextVar[str] = ContextVar("table", default="")  # the table it is about

EVERY_SECONDS = 60.0
LINE = 500  # characters
NAME = 64  # of what a stranger calls a table or a request
KINDS = 1000  # of complaints that are remembered


def set_up_log(form: str = "lines") -> None:
    """Warnings and worse go to standard error, as lines or as JSON."""
    handler = logging.StreamHandler()
    handler.addFilter(Seldom())
    handler.setFormatter(AsJson() if form == "json" else Short("%(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])


class Short(logging.Formatter):
    """Cuts a line to size, whatever somebody has put into it."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802
        """The line, without what Python adds of an exception."""
        line = super().formatMessage(record)
        about = "".join(f" [{name} {value}]" for name, value in about_what().items())
        return (line if len(line) <= LINE else f"{line[:LINE]} …") + about


class AsJson(Short):
    """A complaint as one line of JSON, for programs that gather them."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        told: dict[str, Any] = {
            "time": record.created,
            "level": record.levelname.lower(),
            "part": record.name.removeprefix("kibitz."),
            "message": record.getMessage()[:LINE],
        }
        if table := NAMED.search(told["message"]):
            told["table"] = table[1]
        told |= about_what()
        if record.exc_info:
            told["traceback"] = self.formatException(record.exc_info)
        return msgspec.json.encode(told).decode()


NAMED = re.compile(r"\btable ([A-Z0-9]{8})\b")


def about_what() -> dict[str, str]:
    """The request and the table that are dealt with now, where there are any."""
    known = {"request": REQUEST.get(), "table": TABLE.get()}
    return {name: value[:NAME] for name, value in known.items() if value and value.isprintable()}


class Seldom(logging.Filter):
    """Lets a complaint of one kind through now and then, with how many there were meanwhile."""

    def __init__(self) -> None:
        super().__init__()
        self._heard: dict[tuple[object, ...], tuple[float, int]] = {}  # when it was told, how many since

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether it is to be told now."""
        kind = (record.name, record.levelno, record.msg, record.exc_info and record.exc_info[0])
        told, more = self._heard.get(kind, (0.0, 0))
        now = time.monotonic()
        if told and now < told + EVERY_SECONDS:
            self._heard[kind] = (told, more + 1)
            return False
        if len(self._heard) >= KINDS:
            self._heard.clear()
        self._heard[kind] = (now, 0)
        if more:
            record.msg, record.args = f"{record.getMessage()} (and {more} more like this since)", ()
        return True
