/** Arrow keys move the focus through rows of things, of which Tab reaches one: the one that had the focus last.
 *
 * Things carry `data-rove`, the name of their row, and `data-thing`, their own; rows follow each other as in the
 * document. When the thing with the focus disappears, a neighbour gets it; if none is left, the area itself (which
 * needs a `tabindex="-1"` for that), until there are things again: the focus is never lost.
 */

import type { Attachment } from "svelte/attachments";

const THING = "[data-rove]:not([inert])";

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

export class Roving {
  #root: HTMLElement | null = null;
  #stop = $state("");

  /** Made while a component is set up. `names` are those of all things there are now, in the document's order. */
  constructor(private readonly names: () => string[]) {
    let afterwards = (): void => {};
    $effect.pre(() => {
      names();
      afterwards = this.#keepFocus();
    });
    $effect(() => {
      names();
      afterwards();
    });
  }

  /** The one thing in the tab order. */
  readonly stop = $derived.by(() => {
    const names = this.names();
    return names.includes(this.#stop) ? this.#stop : (names[0] ?? "");
  });

  tabindex(name: string): 0 | -1 {
    return name === this.stop ? 0 : -1;
  }

  /** Listen on the element that holds all rows. */
  readonly area: Attachment<HTMLElement> = (root) => {
    this.#root = root;
    root.dataset.roving = "";
    const listening = new AbortController();
    const { signal } = listening;
    root.addEventListener("keydown", (event) => this.#press(event), { signal });
    root.addEventListener("focusin", (event) => this.#enter(event), { signal });
    return () => listening.abort();
  };

  /** Before a change: remember which thing has the focus. Returns what to do after the change. */
  #keepFocus(): () => void {
    const held = thingOf(document.activeElement, this.#root);
    const parked = this.#root !== null && document.activeElement === this.#root;
    if (!held && !parked) return () => {};
    const before = this.#things();
    const place = held ? before.indexOf(held) : 0;
    return () => {
      if (!parked && !focusIsLost()) return;
      const heir = nearest(before, place) ?? this.#things()[0] ?? this.#root;
      heir?.focus({ preventScroll: true });
    };
  }

  #things(): HTMLElement[] {
    const things = Array.from(this.#root?.querySelectorAll<HTMLElement>(THING) ?? []);
    return things.filter((thing) => areaOf(thing) === this.#root);
  }

  #enter(event: FocusEvent): void {
    const thing = thingOf(event.target, this.#root);
    if (thing?.dataset.thing) this.#stop = thing.dataset.thing;
  }

  #press(event: KeyboardEvent): void {
    const step = STEPS[event.key];
    const thing = thingOf(event.target, this.#root);
    if (!step || !thing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    (step.down ? this.#inNextRow(thing, step.down) : this.#inRow(thing, step.across))?.focus();
  }

  #inRow(thing: HTMLElement, across: number): HTMLElement | undefined {
    const row = this.#things().filter((other) => other.dataset.rove === thing.dataset.rove);
    return row[row.indexOf(thing) + across];
  }

  /** The closest one above or below: in another line of the same row if it is broken, else in the next row. */
  #inNextRow(thing: HTMLElement, down: number): HTMLElement | undefined {
    const from = thing.getBoundingClientRect();
    const beyond = this.#things().filter((other) => {
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

function thingOf(target: EventTarget | null, root: HTMLElement | null): HTMLElement | null {
  const thing = target instanceof Element ? target.closest<HTMLElement>(THING) : null;
  return thing && areaOf(thing) === root ? thing : null;
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
