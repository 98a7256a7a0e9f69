import { beforeEach, expect, test } from "vitest";
import { Motion } from "../src/table/motion";

/** Nobody lays out this document: each thing says by itself where it is (left, top, width). */
const LAID_OUT = "data-box";

/** What was animated: the copy or the thing itself, and from where to where. */
let paths: { element: HTMLElement; frames: Keyframe[] }[];
let root: HTMLElement;
let layer: HTMLElement;
let motion: Motion;
let land: () => void;

beforeEach(() => {
  paths = [];
  const landing: (() => void)[] = [];
  land = () => landing.splice(0).forEach((each) => each());
  document.documentElement.style.cssText = "--travel: 480ms; --ease: linear";
  document.body.innerHTML = "<main></main><aside></aside>";
  root = document.querySelector("main")!;
  layer = document.querySelector("aside")!;
  motion = new Motion(root, layer);
  HTMLElement.prototype.getBoundingClientRect = function () {
    const [left = 0, top = 0, width = 0] = (this.getAttribute(LAID_OUT) ?? "").split(" ").map(Number);
    return new DOMRect(left, top, width, 1.4 * width);
  };
  HTMLElement.prototype.animate = function (frames) {
    paths.push({ element: this, frames: frames as Keyframe[] });
    const animation = { cancel: () => {}, onfinish: () => {}, finished: Promise.resolve() };
    landing.push(() => animation.onfinish());
    return animation as unknown as Animation;
  };
});

function carry(before: string, after: string, pace: "--travel" | null = "--travel"): void {
  root.innerHTML = before;
  const kept = root.querySelector("[data-kept]");
  void motion.carry(
    () => {
      if (kept) kept.setAttribute(LAID_OUT, after);
      else root.innerHTML = after;
    },
    () => pace,
  );
}

const card = (box: string, more = ""): string => `<i data-place="R4#1" data-moves data-box="${box}" ${more}></i>`;

test("a card that lies elsewhere flies there as a copy above the table, and is seen when it has landed", () => {
  carry(`<div data-place="hand">${card("10 300 60")}</div>`, `<div data-place="discard">${card("200 100 40")}</div>`);
  const there = root.querySelector<HTMLElement>("[data-moves]")!;
  expect(paths.map(({ frames }) => frames)).toEqual([[{ transform: "translate(-190px, 200px) scale(1.5)" }, { transform: "none" }]]);
  expect(paths[0]!.element.parentElement).toBe(layer);
  expect(there.dataset.arriving).toBe("");
  land();
  expect(layer.children).toHaveLength(0);
  expect(there.dataset.arriving).toBeUndefined();
});

test("what only shifts glides in its place", () => {
  carry(card("0 0 50", "data-kept"), "30 0 50");
  expect(paths.map(({ frames }) => frames)).toEqual([[{ transform: "translate(-30px, 0px) scale(1)" }, { transform: "none" }]]);
  expect(layer.children).toHaveLength(0);
});

test("a new card comes from where it says, and one from nowhere fades in", () => {
  const deck = '<b data-place="deck" data-box="5 5 40"></b>';
  carry(deck, `${deck}${card("105 205 40", 'data-from="deck"')}`);
  expect(paths[0]!.frames[0]).toEqual({ transform: "translate(-100px, -200px) scale(1)" });
  carry(deck, `${deck}${card("105 205 40")}`);
  expect(paths[1]!.frames[0]).toEqual({ transform: "scale(0.9)", opacity: 0 });
});

test("what was covered is gone at once: nothing old lies over the new", () => {
  carry(card("10 10 40"), '<i data-place="B2#1" data-moves data-box="10 10 40"></i>');
  expect(layer.textContent).toBe("");
  expect(layer.querySelectorAll("[data-moves]")).toHaveLength(0);
});

test("what leaves goes where it says", () => {
  const bank = '<b data-place="bank" data-box="300 0 20"></b>';
  carry(`${bank}${card("100 100 40", 'data-to="bank"')}`, bank);
  expect(paths[0]!.frames[1]).toEqual({ transform: "translate(200px, -100px) scale(0.5)", opacity: 0.4 });
});

test("a change in the middle of a motion goes on from there", () => {
  carry(`<p>${card("0 0 40")}</p>`, `<div>${card("100 0 40")}</div>`);
  layer.firstElementChild!.setAttribute(LAID_OUT, "60 0 40"); // so far it has come
  void motion.carry(
    () => (root.innerHTML = `<p>${card("0 0 40")}</p>`),
    () => "--travel",
  );
  expect(paths.at(-1)!.frames[0]).toEqual({ transform: "translate(60px, 0px) scale(1)" });
  expect(layer.children).toHaveLength(1);
});

test("without a pace everything is there at once", () => {
  carry(card("0 0 40"), `<div>${card("100 0 40")}</div>`, null);
  expect(paths).toEqual([]);
});
