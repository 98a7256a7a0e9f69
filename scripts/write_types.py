"""Write the page's types of what the engine tells: web/src/events.ts, web/src/games/<game>/types.ts.

    python scripts/write_types.py            write them
    python scripts/write_types.py --check    fail if a committed one differs from what the engine declares

Events and sentences are the engine's own structures; a game's view is declared in its `views.py`, what
follows from one in its `figures.py`, its options are those of `text.py`, and what its moves look like is read
from the notation of all of them.
"""

import inspect
import re
import sys
from collections.abc import Iterable, Mapping
from importlib import import_module
from itertools import count
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any, get_args, get_type_hints, is_typeddict

sys.path.insert(0, str(Path(__file__).parent.parent))

import kibitz
from kibitz.core import events, sentences
from kibitz.core.game import Game
from kibitz.core.options import Option
from kibitz.core.views import CommonView
from scripts.write_protocol import PLAIN, interface, spelled

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "web" / "src"
BY = "Made by scripts/write_types.py."
CARD = " ${string}"
TOLD = (sentences.Seat, sentences.Card, sentences.Money)


def all_files() -> dict[Path, str]:
    """Each file with what belongs into it."""
    of_games = {PAGE / "games" / name / "types.ts": game_types(kibitz.game(name)) for name in kibitz.games()}
    common = {PAGE / "events.ts": event_types(), PAGE / "games" / "view.ts": view_type()}
    return common | of_games


# Events and sentences


def event_types() -> str:
    """What a viewer is shown of a game as it happens, and how it is said."""
    kinds = get_args(events.AnyEvent)
    return written(
        f"/** What happens in any game, and what is said of it: kibitz/core/events.py, sentences.py. {BY} */",
        *(interface(kind, optional=False) for kind in (events.ScoreStep, events.SeatScore, *kinds)),
        union("Event", [kind.__name__ for kind in kinds]),
        *(interface(kind, optional=False) for kind in TOLD),
        interface(sentences.Sentence, optional=False).replace(spelled(sentences.Value), "Value"),
        "/** What a message names. */\n" + union("Value", map(spelled, get_args(sentences.Value))),
    )


def union(name: str, kinds: Iterable[str]) -> str:
    """A type that is one of some."""
    return f"export type {name} =" + "".join(f"\n  | {kind}" for kind in kinds) + ";"


# A game


def view_type() -> str:
    """What all games' views have."""
    any_options = spelled(get_type_hints(CommonView)["options"])
    return written(
        f"/** What a view of any game looks like: kibitz/core/views.py. {BY} */",
        dictionary(CommonView).replace(any_options, "object"),
    )


def game_types(game: Game) -> str:
    """A game's moves, its options, and its view with all that is in it."""
    views = import_module(f"{game.package}.views")
    figures = [] if game.figures is None else declared_in(import_module(game.figures.__module__))
    own = {"options": "Options", "phase": " | ".join(f'"{phase}"' for phase in game.text.PHASES)}
    return written(
        f"/** {game.title}: what its views, options and moves look like. {BY} */",
        'import type { CommonView } from "../view";',
        "/** As it is written. */\n" + union("Move", patterns(game)),
        options_type(game),
        *(dictionary(kind, own if kind is views.View else {}) for kind in (*declared_in(views), *figures)),
    )


def declared_in(module: ModuleType) -> list[Any]:
    """The dictionaries that a module declares, in its order."""
    return [
        kind for kind in vars(module).values() if is_typeddict(kind) and kind.__module__ == module.__name__
    ]


def dictionary(kind: Any, own: Mapping[str, str] = MappingProxyType({})) -> str:
    """A declared dictionary, with the comments of its source; `own` is what a game's view knows better."""
    comments = dict(commented(kind))
    common = get_type_hints(CommonView) if own else {}
    fields = {name: spelled(hint) for name, hint in get_type_hints(kind).items() if name not in common}
    lines = [f"/** {inspect.getdoc(kind)} */"] if kind.__doc__ else []
    lines.append(f"export interface {kind.__name__} {'extends CommonView ' * bool(own)}{{")
    for name, hint in {**own, **fields}.items():
        comment = f" // {comments[name]}".replace("None", "null") if name in comments else ""
        lines.append(f"  {name}: {hint};{comment}")
    return "\n".join([*lines, "}"])


def commented(kind: Any) -> list[tuple[str, str]]:
    """The comments beside a class's keys; a dictionary with keys that Python keeps for itself is no class."""
    try:
        return re.findall(r"^    (\w+): .*?  # (.+)$", inspect.getsource(kind), re.MULTILINE)
    except (OSError, TypeError):
        return []


def options_type(game: Game) -> str:
    """What was agreed on."""
    lines = [f"  {option.name}: {option_type(option)};" for option in game.options]
    return "\n".join(["export interface Options {", *lines, "}"])


def option_type(option: Option) -> str:
    """Each value that it takes; numbers of a range, and seats, are any number."""
    kinds = [
        f'"{choice}"' if isinstance(choice, str) else PLAIN.get(type(choice), "number")
        for choice in option.accepts
    ]
    return " | ".join(dict.fromkeys(kinds))


def patterns(game: Game) -> list[str]:
    """How the moves of a game are written: `buy ${number}`; several cards in a row may be one string."""
    cards = set(card_codes(game))
    found: dict[str, None] = {}
    for move in map(game.text.move_text, range(game.num_moves)):
        verb, *words = move.split(" ")
        found[" ".join([verb, *(word_pattern(word, cards) for word in words)])] = None
    longer = {
        pattern for pattern in found if pattern.endswith(CARD * 2) and pattern.removesuffix(CARD) in found
    }
    return [f"`{each}`" if "$" in each else f'"{each}"' for each in found if each not in longer]


def card_codes(game: Game) -> list[str]:
    """The codes of all cards; the numbers of cards begin with 1."""
    codes: list[str] = []
    for number in count(1):
        try:
            codes.append(game.text.card_text(number))
        except IndexError:
            return codes
    raise AssertionError("numbers don't end")


def word_pattern(word: str, cards: set[str]) -> str:
    """A word of a move: a number, a seat, a card or a place, or itself."""
    if word.isdigit():
        return "${number}"
    if re.fullmatch(r"p\d", word):
        return "p${number}"
    return "${string}" if word in cards or re.fullmatch(r"[A-Z]|[a-z]\d", word) else word


def written(*paragraphs: str) -> str:
    return "\n\n".join(paragraphs) + "\n"


def main() -> None:
    """Write the files, or say which aren't as they should be."""
    wanted = all_files()
    if "--check" not in sys.argv[1:]:
        for file, text in wanted.items():
            file.write_text(text, encoding="utf-8")
        return
    stale = [
        file for file, text in wanted.items() if not file.exists() or file.read_text(encoding="utf-8") != text
    ]
    if stale:
        names = ", ".join(str(file.relative_to(ROOT)) for file in stale)
        sys.exit(f"Not what the engine declares: {names}. Run python scripts/write_types.py")


if __name__ == "__main__":
    main()
