/** Motion that tells where things came from and went: FLIP (first, last, invert, play).
 *
 * Elements carry a key, `data-flip="R4"`, that names the same thing before and after a change; whether it is
 * still the same element doesn't matter. What is new may come from the place of another key
 * (`data-flip-from="deck"`), what is gone may go to one (`data-flip-to="bank"`). A change in the middle of
 * a motion continues from where things are.
 */

import { flushSync } from "svelte";

const DURATION = 220;
const EASE = "cubic-bezier(0.2, 0.7, 0.2, 1)";
const STILL: Keyframe = { transform: "none", opacity: 1 };

/** What is on its way to its place. (The browser knows, too, but would lay the page out for each answer.) */
const arriving = new Map<HTMLElement, Animation>();

interface Place {
  element: HTMLElement;
  box: DOMRect;
}

/** Carry out a change of what is shown inside `root`, and let everything in it travel to its new place. */
export function flip(root: HTMLElement | undefined, change: () => void): void {
  if (!root || prefersStillness()) return flushSync(change);
  const before = measure(root);
  flushSync(change);
  halt();
  const after = measure(root);
  for (const [key, place] of after) arrive(key, place, before, after);
  for (const [key, place] of before) if (!after.has(key)) leave(place, root, after);
}

/** Do what can wait after the next frame has been shown; where nobody looks there are none, so at once. */
export function afterFrame(run: () => void): void {
  if (document.hidden) run();
  else requestAnimationFrame(() => requestAnimationFrame(run));
}

export function prefersStillness(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden;
}

function measure(root: HTMLElement): Map<string, Place> {
  const elements = root.querySelectorAll<HTMLElement>("[data-flip]");
  return new Map(
    Array.from(elements, (element) => [element.dataset.flip ?? "", { element, box: element.getBoundingClientRect() }]),
  );
}

function halt(): void {
  for (const [element, motion] of arriving) {
    motion.cancel();
    delete element.dataset.moving;
  }
  arriving.clear();
}

function arrive(key: string, { element, box }: Place, before: Map<string, Place>, after: Map<string, Place>): void {
  const origin = before.get(key) ?? placeOf(element.dataset.flipFrom, before, after);
  if (origin && !differs(origin.box, box)) return;
  const frames = origin
    ? [{ transform: between(box, origin.box) }, { transform: "none" }]
    : [{ transform: "scale(0.9)", opacity: 0 }, STILL];
  arriving.set(element, play(element, frames, () => arriving.delete(element)));
}

/** What the change removed is shown a little longer, on its way out. */
function leave({ element, box }: Place, root: HTMLElement, after: Map<string, Place>): void {
  if (element.isConnected || box.width === 0) return;
  const goal = placeOf(element.dataset.flipTo, after);
  const end = goal ? between(box, goal.box) : "scale(0.9)";
  delete element.dataset.flip;
  element.inert = true;
  element.ariaHidden = "true";
  Object.assign(element.style, {
    position: "fixed",
    insetInlineStart: `${box.left}px`,
    insetBlockStart: `${box.top}px`,
    width: `${box.width}px`,
    height: `${box.height}px`,
    margin: "0",
    pointerEvents: "none",
  });
  root.append(element);
  play(element, [STILL, { transform: end, opacity: goal ? 0.4 : 0 }], () => element.remove());
}

/** What moves carries `data-moving`, which lifts it above the rest; in the frames, it would keep them off the compositor. */
function play(element: HTMLElement, frames: Keyframe[], afterwards: () => void): Animation {
  element.dataset.moving = "";
  const motion = element.animate(frames, { duration: DURATION, easing: EASE });
  motion.onfinish = () => {
    delete element.dataset.moving;
    afterwards();
  };
  return motion;
}

function placeOf(key: string | undefined, ...places: Map<string, Place>[]): Place | undefined {
  return key === undefined ? undefined : places.map((each) => each.get(key)).find(Boolean);
}

/** The transform that shows an element of one box in the place of another. */
function between(from: DOMRect, to: DOMRect): string {
  const scale = from.width > 0 && to.width > 0 ? to.width / from.width : 1;
  return `translate(${to.left - from.left}px, ${to.top - from.top}px) scale(${scale})`;
}

function differs(one: DOMRect, other: DOMRect): boolean {
  return Math.abs(one.left - other.left) + Math.abs(one.top - other.top) + Math.abs(one.width - other.width) > 1;
}
