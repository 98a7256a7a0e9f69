/** Arrow keys move the focus through rows of things, of which Tab reaches one: the one that had the focus last.
 *
 * Things are places in a row (`data-place`, `data-row`); rows follow each other as in the document. When the thing with
 * the focus disappears, a neighbour gets it; if none is left, the area itself (which needs a `tabindex="-1"` for that),
 * until there are things again: the focus is never lost.
 */

import type { Attachment } from "svelte/attachments";
import { addressOf } from "./places";

const THING = "[data-row]:not([inert], [inert] *)";

interface Step {
  across: number;
  down: number;
}

const STEPS: Record<string, Step> = {
  ArrowLeft: { across: -1, down: 0 },
  ArrowRight: { across: 1, down: 0 },
  ArrowUp: { across: 0, down: -1 },
  ArrowDown: { across: 0, down: 1 },
};

/** Attach it to the element that holds all rows. */
export const roving: Attachment<HTMLElement> = (root) => {
  root.dataset.roving = "";
  const area = new Area(root);
  const observer = new MutationObserver(() => area.settle());
  observer.observe(root, { childList: true, subtree: true, attributes: true, attributeFilter: ["data-place"] });
  const listening = new AbortController();
  const { signal } = listening;
  root.addEventListener("keydown", (event) => area.press(event), { signal });
  root.addEventListener("focusin", (event) => area.enter(event), { signal });
  root.addEventListener("focusout", (event) => area.leave(event), { signal });
  return () => {
    observer.disconnect();
    listening.abort();
  };
};

class Area {
  #things: HTMLElement[] = [];
  /** The address of the one thing in the tab order. */
  #stop = "";
  /** What has the focus: a thing, or the area itself. */
  #held: HTMLElement | null = null;

  constructor(private readonly root: HTMLElement) {
    this.settle();
  }

  /** After a change of what there is: one thing is in the tab order, and the focus isn't lost. */
  settle(): void {
    const before = this.#things;
    const all = Array.from(this.root.querySelectorAll<HTMLElement>(THING));
    this.#things = all.filter((thing) => areaOf(thing) === this.root);
    this.#keepFocus(before);
    this.#markStop();
  }

  enter(event: FocusEvent): void {
    const thing = this.#thingAt(event.target);
    this.#held = thing ?? (event.target === this.root ? this.root : null);
    if (!thing) return;
    this.#stop = addressOf(thing);
    this.#markStop();
  }

  /** The focus goes elsewhere, unless what had it has been removed: then `settle` comes first. */
  leave(event: FocusEvent): void {
    const left = event.target as HTMLElement;
    setTimeout(() => {
      if (left === this.#held && left !== document.activeElement && left.isConnected) this.#held = null;
    });
  }

  press(event: KeyboardEvent): void {
    const step = STEPS[event.key];
    const thing = this.#thingAt(event.target);
    if (!step || !thing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    (step.down ? this.#inNextRow(thing, step.down) : this.#inRow(thing, step.across))?.focus();
  }

  #markStop(): void {
    const stop = this.#things.find((thing) => addressOf(thing) === this.#stop) ?? this.#things[0];
    for (const thing of this.#things) {
      const index = thing === stop ? 0 : -1;
      if (thing.tabIndex !== index || !thing.hasAttribute("tabindex")) thing.tabIndex = index;
    }
  }

  #keepFocus(before: HTMLElement[]): void {
    const held = this.#held;
    const waiting = held === this.root && document.activeElement === this.root && this.#things.length > 0;
    const lost = held !== null && !held.isConnected && focusIsLost();
    if (!waiting && !lost) return;
    const place = Math.max(0, before.indexOf(held));
    const heir = nearest(before, place) ?? this.#things[0] ?? this.root;
    heir.focus({ preventScroll: true });
  }

  #thingAt(target: EventTarget | null): HTMLElement | null {
    const thing = target instanceof Element ? target.closest<HTMLElement>(THING) : null;
    return thing && areaOf(thing) === this.root ? thing : null;
  }

  #inRow(thing: HTMLElement, across: number): HTMLElement | undefined {
    const row = this.#things.filter((other) => other.dataset.row === thing.dataset.row);
    return row[row.indexOf(thing) + across];
  }

  /** The closest one above or below: in another line of the same row if it is broken, else in the next row. */
  #inNextRow(thing: HTMLElement, down: number): HTMLElement | undefined {
    const from = thing.getBoundingClientRect();
    const beyond = this.#things.filter((other) => {
      const to = other.getBoundingClientRect();
      return down > 0 ? to.top >= from.bottom - 1 : to.bottom <= from.top + 1;
    });
    const distance = (other: HTMLElement): number => {
      const to = other.getBoundingClientRect();
      const rows = Math.abs(to.top + to.bottom - from.top - from.bottom);
      return 10 * rows + Math.abs(to.left + to.right - from.left - from.right);
    };
    return beyond.sort((one, other) => distance(one) - distance(other))[0];
  }
}

/** An area within another one goes its own ways. */
function areaOf(thing: HTMLElement): HTMLElement | null {
  return thing.closest<HTMLElement>("[data-roving]");
}

function focusIsLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

/** Of the things that are still there, the one closest to a place. */
function nearest(things: HTMLElement[], place: number): HTMLElement | undefined {
  const distance = (thing: HTMLElement): number => Math.abs(things.indexOf(thing) - place);
  const left = things.filter((thing) => thing.isConnected && !thing.inert);
  return left.sort((one, other) => distance(one) - distance(other))[0];
}
