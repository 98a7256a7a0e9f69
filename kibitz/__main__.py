"""The command `kibitz`, also as `python -m kibitz`."""

import sys

from kibitz.core.extras import MissingExtra, needing


def main() -> None:
    """Run the command line, or say what it needs."""
    try:
        with needing("all"):
            from kibitz.cli import main as run
    except MissingExtra as missing:
        sys.exit(missing.reason)
    run()


if __name__ == "__main__":
    main()
