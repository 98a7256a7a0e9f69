"""Write docs/openapi.json, the API for bots, from its operations; `--check` only compares."""

import sys
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).parent.parent))

from kibitz.server.bot_api.shapes import openapi

TARGET = Path(__file__).parent.parent / "docs" / "openapi.json"

if __name__ == "__main__":
    text = msgspec.json.format(msgspec.json.encode(openapi(), order="sorted"), indent=1).decode() + "\n"
    if "--check" in sys.argv:
        sys.exit(TARGET.read_text() != text and "docs/openapi.json is old: run scripts/write_openapi.py")
    TARGET.write_text(text)
