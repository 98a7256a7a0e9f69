/** Motion that tells where things came from and went (FLIP: first, last, invert, play).
 *
 * A place that `moves` (places.ts) is the same thing before and after a change, whether or not it is the same element.
 * What shifts glides in its place. What goes from one place to another flies as a copy in one layer above the table, and
 * shows there when the copy has landed. A change in the middle of a motion continues from where things are.
 */

import { flushSync } from "svelte";
import { addressOf, placesIn } from "./places";

const STILL: Keyframe = { transform: "none", opacity: 1 };
/** What a copy would inherit from around its place. */
const INHERITED = ["--card", "--chip", "--thickness", "color", "font-size"];

interface Place {
  element: HTMLElement;
  box: DOMRect;
}

type Places = Map<string, Place>;

/** Begins a motion. First all is read that they need, then they begin: each change in between would cost a layout. */
type Begin = () => Animation;

export class Motion {
  /** What glides in its place. (The browser knows, too, but would lay the page out for each answer.) */
  readonly #gliding = new Map<HTMLElement, Animation>();
  /** Copies on their way, by what they are copies of. */
  readonly #flying = new Map<HTMLElement, HTMLElement>();

  constructor(
    private readonly root: HTMLElement,
    private readonly layer: HTMLElement,
  ) {}

  /** Carry out a change of what is shown; resolves when everything has travelled to its new place. Without a pace, it is
   * there at once.
   */
  carry(change: () => void, pace: () => "--travel" | "--travel-own" | null): Promise<void> | void {
    if (prefersStillness()) return flushSync(change);
    const before = this.#measure();
    flushSync(change);
    this.#halt();
    const time = pace();
    if (time === null) return;
    const after = this.#measure();
    const timing = { duration: milliseconds(time), easing: token("--ease") };
    const ways = [
      ...Array.from(after, ([address, place]) => this.#arrive(address, place, before, after, timing)),
      ...Array.from(before, ([address, place]) => after.has(address) ? null : this.#leave(place, after, timing)),
    ];
    return Promise.allSettled(ways.map((begin) => begin?.().finished)).then(() => {});
  }

  #measure(): Places {
    return new Map(
      placesIn(this.root).map((element) => {
        const box = (this.#flying.get(element) ?? element).getBoundingClientRect();
        return [addressOf(element), { element, box }];
      }),
    );
  }

  #halt(): void {
    for (const motion of this.#gliding.values()) motion.cancel();
    for (const [element, copy] of this.#flying) this.#land(element, copy);
    this.#gliding.clear();
  }

  #arrive(address: string, place: Place, before: Places, after: Places, timing: KeyframeAnimationOptions): Begin | null {
    const { element, box } = place;
    if (element.dataset.moves === undefined) return null;
    const origin = before.get(address) ?? placeAt(element.dataset.from, before, after);
    if (!origin) return () => this.#glide(element, [{ transform: "scale(0.9)", opacity: 0 }, STILL], timing);
    if (!differs(origin.box, box)) return null;
    const frames = [{ transform: between(box, origin.box) }, { transform: "none" }];
    return origin.element === element ? () => this.#glide(element, frames, timing) : this.#fly(place, frames, timing);
  }

  #glide(element: HTMLElement, frames: Keyframe[], timing: KeyframeAnimationOptions): Animation {
    const motion = element.animate(frames, timing);
    element.dataset.gliding = "";
    this.#gliding.set(element, motion);
    motion.oncancel = motion.onfinish = () => {
      delete element.dataset.gliding;
      if (this.#gliding.get(element) === motion) this.#gliding.delete(element);
    };
    return motion;
  }

  #fly({ element, box }: Place, frames: Keyframe[], timing: KeyframeAnimationOptions): Begin {
    const copy = element.cloneNode(true) as HTMLElement;
    const style = getComputedStyle(element);
    for (const name of INHERITED) copy.style.setProperty(name, style.getPropertyValue(name));
    return () => {
      this.#lift(copy, box);
      element.dataset.arriving = "";
      this.#flying.set(element, copy);
      const motion = copy.animate(frames, timing);
      motion.onfinish = () => this.#land(element, copy);
      return motion;
    };
  }

  #land(element: HTMLElement, copy: HTMLElement): void {
    copy.remove();
    if (this.#flying.get(element) !== copy) return;
    this.#flying.delete(element);
    delete element.dataset.arriving;
  }

  /** What the change removed goes where it says; without a goal it has been covered, and nothing old lies over the new. */
  #leave({ element, box }: Place, after: Places, timing: KeyframeAnimationOptions): Begin | null {
    if (element.dataset.moves === undefined || element.isConnected || box.width === 0) return null;
    const goal = placeAt(element.dataset.to, after);
    if (!goal) return null;
    return () => {
      this.#lift(element, box);
      const motion = element.animate([STILL, { transform: between(box, goal.box), opacity: 0.4 }], timing);
      motion.onfinish = () => element.remove();
      return motion;
    };
  }

  /** Into the layer, where it was in the page. */
  #lift(element: HTMLElement, box: DOMRect): void {
    delete element.dataset.place;
    delete element.dataset.arriving;
    Object.assign(element.style, {
      position: "fixed",
      inset: `${box.top}px auto auto ${box.left}px`,
      width: `${box.width}px`,
      height: `${box.height}px`,
      margin: "0",
    });
    element.dataset.gliding = "";
    this.layer.append(element);
  }
}

/** Do what can wait after the next frame has been shown; where nobody looks there are none, so at once. */
export function afterFrame(run: () => void): void {
  if (document.hidden) run();
  else requestAnimationFrame(() => requestAnimationFrame(run));
}

export function prefersStillness(): boolean {
  return still.matches || document.hidden;
}

/** What was read of them: asking the browser in the middle of a change would have it style the page for that. */
const tokens = new Map<string, string>();
const still = matchMedia("(prefers-reduced-motion: reduce)");
still.addEventListener("change", () => tokens.clear());

function token(name: string): string {
  const known = tokens.get(name) ?? getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  tokens.set(name, known);
  return known;
}

/** How long a token's time is. */
export function milliseconds(name: string): number {
  const value = token(name); // a build may write 420ms as .42s
  return parseFloat(value) * (value.endsWith("ms") ? 1 : 1000);
}

function placeAt(address: string | undefined, ...places: Places[]): Place | undefined {
  return address === undefined ? undefined : places.map((each) => each.get(address)).find(Boolean);
}

/** The transform that shows an element of one box in the place of another: as high, and in its middle. */
function between(from: DOMRect, to: DOMRect): string {
  const scale = from.height > 0 && to.height > 0 ? to.height / from.height : 1;
  const left = to.left + (to.width - scale * from.width) / 2;
  return `translate(${left - from.left}px, ${to.top - from.top}px) scale(${scale})`;
}

function differs(one: DOMRect, other: DOMRect): boolean {
  return Math.abs(one.left - other.left) + Math.abs(one.top - other.top) + Math.abs(one.width - other.width) > 1;
}
