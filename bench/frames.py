"""The time from a click to the frame that shows its move, from Chromium's own record of its frames."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

RECORDED = ["blink.user_timing", "disabled-by-default-devtools.timeline.frame"]
CLICKED, MOVED = "kibitz.clicked", "kibitz.moved"  # the page's marks

Event = dict[str, Any]


@contextmanager
def recorded(page: Any) -> Iterator[list[Event]]:
    """The events of a block in the order of their times; they are there when it is left."""
    browser = page.context.browser
    events: list[Event] = []
    browser.start_tracing(page=page, categories=RECORDED)
    yield events
    told = json.loads(browser.stop_tracing())["traceEvents"]
    events += sorted((event for event in told if "ts" in event), key=lambda event: event["ts"])


def milliseconds(events: list[Event]) -> list[float]:
    """For every click, the time from it to the presentation of the first frame that holds its move."""
    page = next(event["pid"] for event in events if event["name"] == CLICKED)
    own = [event for event in events if event["pid"] == page]
    clicks = [event["ts"] for event in own if event["name"] == CLICKED]
    moves = [event["ts"] for event in own if event["name"] == MOVED]
    return [(presented(own, moved) - clicked) / 1000 for clicked, moved in zip(clicks, moves, strict=True)]


def presented(events: list[Event], moved: float) -> float:
    """When what changed in the document at a time was on the screen.

    The page paints it with its next frame; when all tiles of that are ready, the compositor takes it over,
    draws it with a frame of its own, and reports when that one was presented.
    """
    painted = first(events, "BeginMainThreadFrame", moved)["args"]["data"]["frameId"]
    ready = next(
        event["ts"]
        for event in events
        if event["name"] == "ActivateLayerTree" and event["args"]["frameId"] >= painted
    )
    drawn = first(events, "DrawFrame", ready)["args"]["frameSeqId"]
    return min(presentations(events, drawn))


def first(events: list[Event], name: str, since: float) -> Event:
    """The first event of a name from a time on."""
    return next(event for event in events if event["name"] == name and event["ts"] >= since)


def presentations(events: list[Event], frame: int) -> Iterator[float]:
    """When a frame of the compositor was presented, as each of its reports tells."""
    reports = [event for event in events if event["name"] == "PipelineReporter"]
    for begin in reports:
        report = begin["args"].get("frame_reporter", {})
        if report.get("frame_sequence") == frame and report["state"].startswith("STATE_PRESENTED"):
            yield next(
                end["ts"]
                for end in reports
                if end["ph"] == "e" and end["id2"] == begin["id2"] and end["ts"] >= begin["ts"]
            )
