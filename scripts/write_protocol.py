"""Write the page's types, web/src/protocol.ts, from kibitz/server/protocol.py; `--check` only compares."""

import inspect
import json
import re
import sys
import types
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

sys.path.insert(0, str(Path(__file__).parent.parent))

from kibitz.server import protocol

TARGET = Path(__file__).parent.parent / "web" / "src" / "protocol.ts"
HEAD = "/** Every message between the server and a page. Made from kibitz/server/protocol.py by {script}. */"
PLAIN = {str: "string", int: "number", float: "number", bool: "boolean", type(None): "null", Any: "unknown"}

Struct = type[msgspec.Struct]


def typescript() -> str:
    """The whole file."""
    paragraphs = [HEAD.format(script="scripts/write_protocol.py")]
    paragraphs += [f"export const {name} = {value};" for name, value in constants().items()]
    paragraphs += messages("FromClient", optional=True)
    paragraphs += messages("FromServer", optional=False)
    return "\n\n".join(dict.fromkeys(paragraphs)) + "\n"


def constants() -> dict[str, int]:
    """The protocol's numbers."""
    return {name: value for name, value in vars(protocol).items() if name.isupper() and type(value) is int}


def messages(union: str, optional: bool) -> list[str]:
    """The interfaces of one direction, what they hold first, and their union.

    What goes both ways is written as clients may send it.
    """
    kinds: tuple[Struct, ...] = get_args(getattr(protocol, union))
    sent = in_order(get_args(protocol.FromClient))
    written = [interface(kind, optional or kind in sent) for kind in in_order(kinds)]
    lines = "".join(f"\n  | {kind.__name__}" for kind in kinds)
    return [*written, f"export type {union} ={lines};"]


def in_order(kinds: tuple[Struct, ...]) -> list[Struct]:
    """Messages and the structures inside them, as they stand in the protocol's file."""
    found: set[Struct] = set()
    waiting: list[Any] = list(kinds)
    while waiting:
        kind = waiting.pop()
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and kind not in found:
            found.add(kind)
            waiting += get_type_hints(kind).values()
        waiting += get_args(kind)
    return [kind for kind in vars(protocol).values() if isinstance(kind, type) and kind in found]


def interface(kind: Struct, optional: bool) -> str:
    """A structure's type, with the comments of its source."""
    comments = dict(re.findall(r"^    (\w+): .*?  # (.+)$", inspect.getsource(kind), re.MULTILINE))
    lines = [f"/** {inspect.getdoc(kind)} */", f"export interface {kind.__name__} {{"]
    if kind.__struct_config__.tag is not None:
        lines.append(f'  {kind.__struct_config__.tag_field}: "{kind.__struct_config__.tag}";')
    hints = get_type_hints(kind)
    for field in msgspec.structs.fields(kind):
        mark = "?" if field.default is msgspec.UNSET or (optional and not field.required) else ""
        comment = f" // {comments[field.name]}".replace("None", "null") if field.name in comments else ""
        lines.append(f"  {field.name}{mark}: {spelled(hints[field.name])};{comment}")
    return "\n".join([*lines, "}"])


def spelled(hint: Any) -> str:
    """A Python type as TypeScript writes it."""
    if hint in PLAIN:
        return PLAIN[hint]
    if get_origin(hint) is Literal:
        return " | ".join(json.dumps(value) for value in get_args(hint))
    inner = [spelled(part) for part in get_args(hint) if part not in (msgspec.UnsetType, ...)]
    if get_origin(hint) in (Union, types.UnionType):
        return " | ".join(inner)
    if get_origin(hint) in (list, tuple):
        return f"({inner[0]})[]" if " " in inner[0] and "<" not in inner[0] else f"{inner[0]}[]"
    if get_origin(hint) is dict:
        return f"Record<{inner[0]}, {inner[1]}>"
    name: str = hint.__name__
    return name


def main() -> None:
    """Write the file, or say whether it is as it should be."""
    wanted = typescript()
    if "--check" not in sys.argv[1:]:
        TARGET.write_text(wanted, encoding="utf-8")
    elif not TARGET.exists() or TARGET.read_text(encoding="utf-8") != wanted:
        sys.exit(f"{TARGET.name} is not what protocol.py says: run python scripts/write_protocol.py")


if __name__ == "__main__":
    main()
