/** Dragging with mouse, pen or finger: what is held follows the pointer and is let go on a place that `takes` things.
 *
 * While it is held it carries `data-dragging`, and the place below the pointer `data-aimed`. A drag is never the only
 * way: a short press stays a click.
 */

import type { Attachment } from "svelte/attachments";
import { milliseconds, prefersStillness } from "./motion";
import { addressOf, takerAt } from "./places";

const THRESHOLD = 6; // pixels before a press becomes a drag
const PATIENCE = 300; // milliseconds a dropped thing waits where it is for the table to change

interface Drag {
  /** Let go on this place. */
  drop: (place: string) => void;
  /** Keep the table still while something is held; returns how to let it go on. */
  hold: () => () => void;
}

/** Make an element one that can be dragged, as long as this is attached. */
export function draggable({ drop, hold }: Drag): Attachment<HTMLElement> {
  return (element) => {
    let start: { x: number; y: number } | null = null;
    let held = false;
    let goOn = (): void => {};
    let place: HTMLElement | null = null;

    function press(event: PointerEvent): void {
      if (event.isPrimary && event.button === 0) start = { x: event.clientX, y: event.clientY };
    }

    function move(event: PointerEvent): void {
      if (!start) return;
      const [x, y] = [event.clientX - start.x, event.clientY - start.y];
      if (!held && Math.hypot(x, y) < THRESHOLD) return;
      if (!held) pickUp(event.pointerId);
      element.style.translate = `${x}px ${y}px`;
      hover(event.clientX, event.clientY);
    }

    function pickUp(pointer: number): void {
      held = true;
      goOn = hold();
      element.setPointerCapture(pointer);
      element.dataset.dragging = "";
    }

    function hover(x: number, y: number): void {
      const below = takerAt(x, y);
      if (below === place) return;
      leavePlace();
      place = below;
      if (place) place.dataset.aimed = "";
    }

    function release(): void {
      if (held) swallowClick();
      const target = held && place ? addressOf(place) : undefined;
      letGo(target === undefined ? 0 : PATIENCE);
      if (target !== undefined) drop(target);
    }

    function letGo(patience = 0): void {
      if (held) setTimeout(goHome, patience);
      goOn();
      leavePlace();
      place = start = null;
      held = false;
    }

    function leavePlace(): void {
      delete place?.dataset.aimed;
    }

    function goHome(): void {
      if (held) return;
      const from = element.style.translate;
      delete element.dataset.dragging;
      element.style.translate = "";
      if (element.isConnected && !prefersStillness()) {
        element.animate([{ translate: from }, { translate: "none" }], { duration: milliseconds("--fast"), easing: "ease-out" });
      }
    }

    function escape(event: KeyboardEvent): void {
      if (!held || event.key !== "Escape") return;
      event.stopPropagation();
      letGo();
    }

    const listening = new AbortController();
    const { signal } = listening;
    element.dataset.draggable = "";
    element.addEventListener("pointerdown", press, { signal });
    addEventListener("pointermove", move, { signal });
    addEventListener("pointerup", release, { signal });
    addEventListener("pointercancel", () => letGo(), { signal });
    addEventListener("keydown", escape, { signal, capture: true });
    return () => {
      listening.abort();
      delete element.dataset.draggable;
      letGo();
    };
  };
}

/** The click that follows a drag isn't one. */
function swallowClick(): void {
  const swallow = (event: Event): void => {
    event.preventDefault();
    event.stopPropagation();
  };
  addEventListener("click", swallow, { capture: true, once: true });
  setTimeout(() => removeEventListener("click", swallow, { capture: true }));
}
