"""The deals that the page's own tests compute anew are those of the engine."""

from scripts.write_deals import FILE, deals


def test_the_pages_deals_are_the_engines() -> None:
    assert FILE.read_bytes() == deals(), "run python scripts/write_deals.py"
