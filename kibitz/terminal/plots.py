"""What an arena found, as a picture: SVG or PNG."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kibitz.core.errors import BadOptions
from kibitz.core.extras import needing

if TYPE_CHECKING:
    from kibitz.bots.outcomes import Outcome

KINDS = (".svg", ".png")
WIDTH, HEAD, LINE = 8.0, 1.1, 0.35  # inches
INK, POINT = "#333333", "#1b6e5a"


def checked_plot(file: Path) -> Path:
    """A file that can be drawn into; said before the games are played, not after them."""
    if file.suffix.lower() not in KINDS:
        raise BadOptions("plot", f"a name that ends with {' or '.join(KINDS)}", str(file))
    if not file.absolute().parent.is_dir():
        raise BadOptions("plot", "a file in a folder that is there", str(file))
    with needing("plots"):
        import matplotlib as _  # noqa: F401
    return file


def draw_outcome(outcome: "Outcome", title: str, file: Path) -> None:
    """Each bot's share of the points and its rating, with their intervals; the strongest on top."""
    with needing("plots"):
        from matplotlib.figure import Figure

    order = sorted(range(len(outcome.bots)), key=lambda bot: outcome.ratings[bot].mu)
    names = [outcome.bots[bot] for bot in order]
    figure = Figure((WIDTH, HEAD + LINE * len(names)), layout="constrained")
    figure.suptitle(f"{title}: {outcome.games} games", color=INK)
    shares, ratings = figure.subplots(1, 2, sharey=True)
    points = [
        (100 * outcome.points[bot], *(100 * bound for bound in outcome.intervals[bot])) for bot in order
    ]
    rated = [(outcome.ratings[bot].mu, *outcome.ratings[bot].interval) for bot in order]
    _draw(shares, names, points, "points in %, 95 % interval")
    _draw(ratings, names, rated, "OpenSkill rating, 95 % interval")
    figure.savefig(file, dpi=150, metadata={"Date": None} if file.suffix.lower() == ".svg" else None)


def _draw(axes: Any, names: list[str], found: Sequence[tuple[float, ...]], label: str) -> None:
    """One value a bot, a dot on the bar of its interval."""
    for place, (value, low, high) in enumerate(found):
        axes.plot([low, high], [place, place], color=POINT, linewidth=2, alpha=0.5)
        axes.plot([value], [place], "o", color=POINT)
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(-0.6, len(names) - 0.4)
    axes.set_xlabel(label, color=INK)
    axes.grid(axis="x", alpha=0.3)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(left=False, colors=INK)
