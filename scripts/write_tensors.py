"""Write docs/tensors.md: what every number of a game's tensor is, from the declarations of its fields.

python scripts/write_tensors.py            write it
python scripts/write_tensors.py --check    fail if the committed one differs from what the games declare
"""

import ast
import inspect
import re
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

import kibitz
from kibitz.core import layout
from kibitz.core.cards import CardCodes
from kibitz.core.forms import CardForm, EachRow, Holding, Pile, SeatForm
from kibitz.core.game import Game
from kibitz.core.layout import Seen
from kibitz.core.tensors import TensorLayout, TensorPart

FILE = Path(__file__).resolve().parent.parent / "docs" / "tensors.md"

SEEN = {
    Seen.BY_ALL: "everybody",
    Seen.BY_ITS_SEAT: "its seat: the row of who looks",
    Seen.BY_RULE: "by the rules",
}

OF_EVERY_GAME = {
    "players": "how many take part",
    "turn": "the seat that decides; -1 when over",
    "phase": "0 when over; the others below",
    "round_number": "the round, from 1",
    "observer": "the seat that looks",
}
FORMS: dict[type[Any], str] = {
    Pile: "cards in their order, the top last",
    Holding: "how many of each card",
    CardForm: "a card",
    SeatForm: "a seat",
}

BEGINNING = """# What the numbers mean

`state.tensor(seat)`, the `observation` of the environments and OpenSpiel's observation tensor are the same
array of 32-bit whole numbers: the fields of what the seat sees, one after the other. This page is made from
the declarations of the fields (`python scripts/write_tensors.py`), so it says what the program does.

- A field of several numbers is written row by row: `tensor[start:start + size].reshape(shape)`. In Python,
  `kibitz.game("match").tensor.part("hands")` says the same.
- `bits`: the field is a set, given as a 0 or 1 for each member, the lowest bit first, along its last axis.
- Fields with a row for each seat have rows for all seats that a game can have; those of seats that nobody has
  are 0. Seats are numbered from 0, not from who looks; `observer` is the seat that looks.
- What a seat can't see isn't there: the others' hands, the deck. What it only remembers isn't there either;
  that is in its log (`state.log(seat)`).
- A card is its number below; 0 is none. A field that ends in unused places has 0 there.
- Moves are numbers, too: `kibitz.game("match").moves[7]` is the move with its text; `state.mask` says
  which are legal.
"""


def document() -> str:
    """The whole page."""
    games = [game for game in map(kibitz.game, kibitz.games()) if game.package.startswith("kibitz.")]
    return "\n".join([BEGINNING, *map(section, games)])


def section(game: Game) -> str:
    """One game: its fields, then what some of the numbers stand for."""
    tensor = game.tensor
    comments = {**commented(layout), **commented_in(game), **OF_EVERY_GAME}
    lines = [
        f"## {game.title}",
        "",
        f"`{game.name}`: {tensor.size} numbers; {game.num_moves} moves.",
        "",
        "| field | start | shape | from | to | who sees it | what it is |",
        "|---|---|---|---|---|---|---|",
        *(row(part, comments.get(part.name, ""), game) for part in tensor.parts),
        "",
        *legends(game, tensor),
    ]
    return "\n".join(lines)


def row(part: TensorPart, comment: str, game: Game) -> str:
    """One field."""
    shape = " x ".join(map(str, part.shape)) or "1"
    said = [kind_of(part, game), "bits" if part.bits else "", comment.replace("|", "\\|")]
    what = "; ".join(filter(None, said))
    return (
        f"| `{part.name}` | {part.start} | {shape} | {part.least} | {part.greatest} "
        f"| {SEEN[part.seen]} | {what} |"
    )


def kind_of(part: TensorPart, game: Game) -> str:
    """What follows from how it is declared."""
    field = next((field for field in game.layout.declared if field.name == part.name), None)
    if field and field.option:
        return f"the option `{field.option.name}`"
    if part.name.endswith(("_size", "_sizes")):
        return "how many there are"
    form = field.form.form if field and isinstance(field.form, EachRow) else field.form if field else None
    return FORMS.get(type(form), "")


def legends(game: Game, tensor: TensorLayout) -> list[str]:
    """Which number is which card, phase or ending."""
    told = []
    for name, codes in card_codes(game).items():
        cards = ", ".join(f"{number} {card}" for number, card in enumerate(codes.names) if number)
        told += [f"Cards ({name}): {cards}.", ""]
    told += [f"`phase`: {', '.join(f'{n} {phase}' for n, phase in enumerate(game.text.PHASES))}.", ""]
    told += [f"`ending`: {', '.join(f'{n} {ending}' for n, ending in enumerate(game.text.ENDINGS))}.", ""]
    return told


def card_codes(game: Game) -> dict[str, CardCodes]:
    """The cards that fields hold, with the names of those fields."""
    found: dict[int, tuple[CardCodes, list[str]]] = {}
    for field in game.layout.declared:
        form = field.form.form if isinstance(field.form, EachRow) else field.form
        codes = getattr(form, "codes", None)
        if isinstance(codes, CardCodes):
            found.setdefault(id(codes), (codes, []))[1].append(f"`{field.name}`")
    return {", ".join(names): codes for codes, names in found.values()}


# What is said beside a declaration


def commented_in(game: Game) -> dict[str, str]:
    """The comments of a game's fields; they are declared with its rules or its table."""
    module = next(
        module
        for name in ("table", "rules")
        if (module := _module(f"{game.package}.{name}"))
        and re.search(r"^LAYOUT\b", inspect.getsource(module), re.M)
    )
    return commented(module)


def _module(name: str) -> Any:
    try:
        return import_module(name)
    except ModuleNotFoundError:
        return None


def commented(module: Any) -> dict[str, str]:
    """What is said of each field in its source: behind its declaration, or in the lines before it."""
    source = inspect.getsource(module)
    lines = source.splitlines()
    found: dict[str, str] = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Field" and node.args:
            name = node.args[0]
            if isinstance(name, ast.Constant):
                found[str(name.value)] = _comment(
                    lines, node.lineno - 1, (node.end_lineno or node.lineno) - 1
                )
    return {name: comment for name, comment in found.items() if comment}


def _comment(lines: list[str], first: int, last: int) -> str:
    behind = re.search(r"  # (.+)$", lines[last])
    if behind:
        return behind[1]
    above: list[str] = []
    while first > 0 and (line := lines[first - 1].strip()).startswith("# "):
        above.insert(0, line[2:])
        first -= 1
    return " ".join(above)


def main() -> None:
    """Write the page, or compare it."""
    text = document().rstrip("\n") + "\n"
    if "--check" in sys.argv[1:]:
        if not FILE.exists() or FILE.read_text(encoding="utf-8") != text:
            sys.exit("docs/tensors.md isn't what the games declare: python scripts/write_tensors.py")
    else:
        FILE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
