"""What was measured, as a table, a chart and JSON."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from bench.measure import Measurement, Row

Facts = dict[str, str]
Result = tuple[Measurement, Facts]  # what was measured, and in which run

# --- Numbers in words ---

PREFIXES = ((1e6, " M"), (1e3, " k"))


def short(value: float) -> str:
    """A number with three digits, in thousands or millions: 10.9 M."""
    for size, prefix in PREFIXES:
        if value >= size:
            return f"{digits(value / size)}{prefix}"
    return digits(value)


def tick(value: float) -> str:
    """A round number on an axis: 10 M."""
    for size, prefix in PREFIXES:
        if value >= size:
            return f"{value / size:g}{prefix}"
    return f"{value:g}"


def digits(value: float) -> str:
    """Three digits that count, without an exponent."""
    if value >= 100:
        return f"{value:.0f}"
    if value >= 10:
        return f"{value:.1f}"
    if value >= 1:
        return f"{value:.2f}"
    return f"{value:.3f}"


def times(row: Row) -> str:
    """How many times as fast as this row the first one is: 2.65x or 1/12."""
    if row.ratio is None:
        return ""
    return f"{digits(row.ratio)}x" if row.ratio >= 1 else f"1/{digits(1 / row.ratio)}"


def verdict(row: Row) -> str:
    """The aim, and whether it is reached."""
    if row.most is not None:
        return f"≤ {row.most:g}: {'reached' if row.value <= row.most else 'missed'}"
    if row.aim is None or row.ratio is None:
        return ""
    return f"≥ {row.aim:g}x: {'reached' if row.ratio >= row.aim else 'missed'}"


# --- The table ---


def markdown(results: Sequence[Result]) -> str:
    """A page with all tables and charts."""
    parts = [
        "# Measurements",
        "Made by `make bench`; numbers compare within a run, not between runs or machines. Each is the "
        "median; the middle half of all samples lies within the bounds beside it.",
    ]
    for measurement, _ in results:
        parts += [
            f"## {measurement.title}",
            f"![{measurement.title}]({measurement.name}.svg)",
            table(measurement),
            measurement.method,
        ]
    for run in runs(results):
        titles = "; ".join(one.title for one, made_in in results if made_in == run)
        parts += [
            f"## The run of {run['date']}",
            f"{titles}.",
            "\n".join(f"- {name}: {value}" for name, value in run.items()),
        ]
    return "\n\n".join(parts) + "\n"


def runs(results: Sequence[Result]) -> list[Facts]:
    """The runs that results are from, each once."""
    found: list[Facts] = []
    for _, run in results:
        if run not in found:
            found.append(run)
    return found


def table(measurement: Measurement) -> str:
    """A measurement as a Markdown table."""
    head = ["", measurement.unit, "middle half"]
    lines = [[row.label, short(row.value), bounds(row)] for row in measurement.rows]
    for title, told in (("Kibitz is as fast", times), ("aim", verdict)):
        if any(told(row) for row in measurement.rows):
            head.append(title)
            lines = [[*line, told(row)] for line, row in zip(lines, measurement.rows)]
    rule = ["---"] + ["---:"] * (len(head) - 1)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, rule, *lines))


def bounds(row: Row) -> str:
    """The bounds of the middle half."""
    if row.middle_half is None:
        return ""
    low, high = row.middle_half
    return f"{short(low)} to {short(high)}"


# --- JSON ---


def as_json(results: Sequence[Result]) -> str:
    """Everything, the samples too, for programs."""
    measurements = [_plain(one) | {"run": runs(results).index(run)} for one, run in results]
    return json.dumps({"runs": runs(results), "measurements": measurements}, indent=1)


def read(file: Path) -> list[Result]:
    """The results that a file keeps."""
    kept = json.loads(file.read_text(encoding="utf-8"))
    return [(_measurement(plain), kept["runs"][plain["run"]]) for plain in kept["measurements"]]


def _measurement(plain: dict[str, Any]) -> Measurement:
    rows = [_row(row) for row in plain["rows"]]
    return Measurement(plain["name"], plain["title"], plain["unit"], tuple(rows), plain["method"])


def _row(plain: dict[str, Any]) -> Row:
    samples = tuple(float(sample) for sample in plain["samples"].split())
    return Row(plain["label"], samples, plain["ours"], plain["ratio"], plain["aim"], plain["most"])


def _plain(measurement: Measurement) -> dict[str, Any]:
    plain = asdict(measurement)
    for given, row in zip(measurement.rows, plain["rows"]):
        row["value"] = _rounded(given.value)
        row["ratio"] = None if given.ratio is None else _rounded(given.ratio)
        row["samples"] = " ".join(str(_rounded(sample)) for sample in given.samples)
    return plain


def _rounded(value: float) -> float:
    return float(f"{value:.4g}")


# --- The chart ---

OURS, OTHERS, INK, FAINT = "#0f766e", "#a8b3bd", "#1f2933", "#64707d"
BAR = 0.36  # inches a bar takes, with the gap below
AROUND = 1.35  # inches for title and axis
LOG_FROM = 60  # times the least value that the greatest is, from which the scale is logarithmic


def draw(measurement: Measurement, facts: Facts, file: Path) -> None:
    """A measurement as horizontal bars."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "kibitz"  # the same numbers give the same file
    from matplotlib import pyplot

    rows = measurement.rows
    figure, axes = pyplot.subplots(figsize=(9, AROUND + BAR * len(rows)), layout="constrained")
    values = [row.value for row in rows]
    axes.barh(range(len(rows)), values, height=0.68, color=[OURS if row.ours else OTHERS for row in rows])
    axes.invert_yaxis()
    axes.set_yticks(range(len(rows)), [row.label for row in rows], color=INK)
    for place, row in enumerate(rows):
        text = short(row.value) + (f"   (Kibitz: {times(row)} as fast)" if row.ratio else "")
        axes.annotate(
            text, (row.value, place), (5, 0), textcoords="offset points", va="center", fontsize=9, color=INK
        )
    scale = _set_scale(axes, values)
    better = "more is better" if measurement.unit.endswith("/s") else "less is better"
    axes.set_xlabel(f"{measurement.unit}{scale}: {better}", color=FAINT)
    figure.suptitle(measurement.title, x=0.012, ha="left", fontsize=13, fontweight="bold", color=INK)
    where = f"{facts['processor']}; {facts['Python']}"
    axes.set_title(where, loc="left", fontsize=9, color=FAINT)
    figure.savefig(file, metadata={"Date": None})
    pyplot.close(figure)


def _set_scale(axes: Any, values: Sequence[float]) -> str:
    """Room for the numbers at the bars' ends, a quiet grid; returns what the axis must say of its scale."""
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.spines["bottom"].set_color(OTHERS)
    axes.tick_params(length=0, labelsize=9.5)
    axes.tick_params(axis="x", labelcolor=FAINT, which="both")
    axes.grid(axis="x", color="#e4e7eb", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.xaxis.set_major_formatter(lambda value, _: tick(value))
    least, greatest = min(values), max(values)
    if greatest <= LOG_FROM * least:
        axes.set_xlim(0, greatest * 1.45)
        return ""
    axes.set_xscale("log")
    axes.set_xlim(least / 3, greatest * (greatest / least * 3) ** 0.28)
    axes.xaxis.set_major_formatter(lambda value, _: tick(value))
    axes.minorticks_off()
    return ", logarithmic scale"


# --- All of it ---


def save(results: Sequence[Result], folder: Path) -> None:
    """Write page, charts and JSON; what was measured before stays, with the run that it is from."""
    folder.mkdir(parents=True, exist_ok=True)
    for measurement, run in results:
        draw(measurement, run, folder / f"{measurement.name}.svg")
    file = folder / "results.json"
    all_of_them = renewed(read(file) if file.exists() else [], results)
    (folder / "README.md").write_text(markdown(all_of_them), encoding="utf-8")
    file.write_text(as_json(all_of_them) + "\n", encoding="utf-8")


def renewed(before: Sequence[Result], results: Sequence[Result]) -> list[Result]:
    """Results in their former order, each as it was measured last."""
    fresh = {measurement.name: (measurement, run) for measurement, run in results}
    kept = [fresh.pop(measurement.name, (measurement, run)) for measurement, run in before]
    return kept + list(fresh.values())
