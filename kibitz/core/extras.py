"""Packages that Kibitz needs for some of its parts only: each comes with an extra."""

from collections.abc import Iterator
from contextlib import contextmanager

from kibitz.core.errors import KibitzError


class MissingExtra(KibitzError, ImportError):
    """A package isn't installed that a part of Kibitz needs."""


@contextmanager
def needing(extra: str) -> Iterator[None]:
    """Imports for which an extra has to be installed; without it, say which."""
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package == "kibitz":
            raise
        raise MissingExtra(
            "missing-extra",
            f"This needs the package {package}, which isn't here. Install it: pip install 'kibitz[{extra}]'",
            {"package": package, "extra": extra},
        ) from error
