"""Lines on the screen: a table with all that belongs to it, and long texts by pages."""

import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console, RenderableType
from rich.markdown import Markdown
from rich.text import Text

from kibitz.core.words import Words
from kibitz.terminal.drawing import Drawing, Scene, joined

if TYPE_CHECKING:
    from kibitz.core.game import Game

LOG_LINES = 3
MOST_LOG_LINES = 6  # if nothing is asked, or if so much is new; more where the screen is tall
GAPS = 4  # empty lines between the blocks, before the log grows
PROMPT_LINES = 1
MOVE_GAP = 2
SOON = 0.5  # seconds after which somebody in the middle of a game wants to see that something goes on


def new_console(stderr: bool = False) -> Console:
    """Where everything is printed; colours by NO_COLOR, TERM and whether it is a terminal."""
    return Console(highlight=False, stderr=stderr, soft_wrap=False)


@contextmanager
def late_sign(console: Console, told: str) -> Iterator[None]:
    """A line that says what is done, on a terminal, if it isn't done soon."""
    if not console.is_terminal:
        yield
        return
    status = console.status(Text(told))
    timer = threading.Timer(SOON, status.start)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        status.stop()


# A table that fits


def picture(scene: Scene, drawing: Drawing, notes: Sequence[Text], width: int, height: int) -> list[Text]:
    """The title, the table, the newest log lines, what is asked, the moves, and notes: all but the prompt."""
    top = [title_line(scene, drawing, width), *drawing.table(scene, width)]
    said = [part for note in notes for part in note.wrap(Console(width=width), width)]
    taken = len(top) + len(said) + 1 + PROMPT_LINES
    moves = move_lines(scene, drawing, width, max(2, height - taken - 1))
    wanted = max(LOG_LINES, min(scene.fresh, MOST_LOG_LINES)) if scene.moves else MOST_LOG_LINES
    room = height - taken - len(moves)
    log = log_lines(scene, drawing, max(1, min(wanted, room), room - GAPS))
    blocks = [top[:1], top[1:], log, [task_line(scene, drawing), *moves], said]
    return spaced([block for block in blocks if block], room - len(log))


def spaced(blocks: Sequence[list[Text]], spare: int) -> list[Text]:
    """The blocks with an empty line between them, from the last one up, while there are lines to spare."""
    lines: list[Text] = []
    for number, block in enumerate(reversed(blocks)):
        gap = [Text()] if lines and number <= spare else []
        lines = [*block, *gap, *lines]
    return lines


def title_line(scene: Scene, drawing: Drawing, width: int) -> Text:
    """The game, how it stands, and whose turn it is."""
    left = joined((f" {scene.words('title')} ", "bold reverse"), " ", drawing.status(scene))
    right = Text(turn_words(scene), style="bold")
    left.truncate(max(0, width - right.cell_len - 3), overflow="ellipsis", pad=True)
    return joined(left, "  ", right)


def turn_words(scene: Scene) -> str:
    """Whose turn it is."""
    turn = scene.view["turn"]
    if turn is None:
        return ""
    if turn == scene.seat:
        return scene.words("terminal.your-turn")
    return scene.words("terminal.turn-of", name=scene.names[turn])


def task_line(scene: Scene, drawing: Drawing) -> Text:
    """What is asked now; a phase that isn't the usual one, and a headline, stand out."""
    phase = scene.view["phase"]
    task = getattr(drawing, "task", phase_words)(scene)
    if phase == scene.game.text.PHASES[1] and not scene.headline:
        return Text(task, style="bold")
    return Text(f" {scene.headline or task} ", style="bold reverse")


def phase_words(scene: Scene) -> str:
    """What the phase asks for."""
    return scene.words(f"phase.{scene.view['phase']}")


def log_lines(scene: Scene, drawing: Drawing, count: int) -> list[Text]:
    """The newest lines of the log; what the viewer has seen before is faint."""
    shown = scene.lines[-count:]
    lines = []
    for number, line in enumerate(shown):
        fresh = number >= len(shown) - scene.fresh
        lines.append(joined(("› " if fresh else "  "), drawing.paint(line)))
        if not fresh:
            lines[-1].stylize_before("dim")
    return lines


# The moves


def move_lines(scene: Scene, drawing: Drawing, width: int, rows: int | None = None) -> list[Text]:
    """The legal moves with their numbers, in as many columns as fit; what needs more rows is only counted."""
    cells = [move_cell(scene, drawing, number, text) for number, text in legal_numbers(scene, drawing)]
    if not cells:
        return []
    cell_width = max(cell.cell_len for cell in cells) + MOVE_GAP
    columns = max(1, (width + MOVE_GAP) // cell_width)
    if rows is None or len(cells) <= rows * columns:
        return in_columns(cells, columns, cell_width)
    shown = max(1, rows - 1) * columns
    more = Text(scene.words("terminal.more-moves", count=len(cells) - shown), style="dim")
    return [*in_columns(cells[:shown], columns, cell_width), more]


def legal_numbers(scene: Scene, drawing: Drawing) -> list[tuple[int, str]]:
    """The numbers of the legal moves, with their texts."""
    legal = set(map(str, scene.moves))
    return [(number, text) for number, text in drawing.numbers(scene).items() if text in legal]


def move_cell(scene: Scene, drawing: Drawing, number: int, text: str) -> Text:
    """One move of the list; the one a hint points at is marked."""
    move = scene.game.move(text)
    hinted = move == scene.hinted
    label = Text(f"{number:>2}{'→' if hinted else ' '}", style="bold reverse" if hinted else "bold")
    meaning = drawing.meaning(scene, move)
    return joined(label, drawing.paint(text), "  " if meaning else "", drawing.paint(meaning))


def in_columns(cells: Sequence[Text], columns: int, cell_width: int) -> list[Text]:
    """Cells in columns, read downwards."""
    rows = -(-len(cells) // columns)
    lines = [list(cells[row::rows]) for row in range(rows)]
    return [
        joined(*(part for cell in line for part in (cell, " " * (cell_width - cell.cell_len))))
        for line in lines
    ]


# Long texts


def show(console: Console, lines: Sequence[Text]) -> None:
    """Print lines as they are; what is too wide is cut."""
    for line in lines:
        console.print(line, no_wrap=True, overflow="ellipsis", crop=True)


def page(console: Console, words: Words, text: RenderableType) -> None:
    """A long text, a screenful at a time on a terminal."""
    if not console.is_terminal:
        console.print(text)
        return
    with console.capture() as printed:
        console.print(text)
    lines = printed.get().splitlines()
    room = max(5, console.height - 2)
    for start in range(0, len(lines), room):
        last = start + room >= len(lines)
        console.clear()
        print(*lines[start : start + room], sep="\n", file=console.file)
        if input(words("terminal.page-last" if last else "terminal.page-more")).strip():
            return


def rulebook(game: "Game", language: str) -> Markdown:
    """A game's rules; pictures as the words that describe them."""
    from importlib import resources

    text = (resources.files(game.package) / f"rulebook.{language}.md").read_text(encoding="utf-8")
    return Markdown(re.sub(r"!\[([^\]]*)\]\([^)]*\)", r"> \1", text))
