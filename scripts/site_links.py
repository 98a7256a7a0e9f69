"""For the documents' site: what leads out of docs/ into the repository is named there, not linked.

Examples with prompts are shown as what they are, so that a click copies what is typed.
"""

import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
LINK = re.compile(r"\[([^\]]+)\]\(((?:\.\./)+[^)#\s]*)(?:#[^)]*)?\)")
PROMPTED = re.compile(r"^```python\n>>> ", re.MULTILINE)


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """MkDocs asks for it with every page."""
    folder = Path(page.file.abs_src_path).parent

    def named(link: re.Match[str]) -> str:
        target = (folder / link[2]).resolve()
        if target.is_relative_to(ROOT / "docs"):
            return link[0]
        path = f"`{target.relative_to(ROOT)}`"
        return path if link[1].strip("`") in path else f"{link[1]} ({path})"

    return PROMPTED.sub("```pycon\n>>> ", LINK.sub(named, markdown))
