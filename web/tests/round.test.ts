import { flushSync, mount, unmount } from "svelte";
import { afterEach, expect, test, vi } from "vitest";
import core from "../../kibitz/core/words.en.json";
import match from "../../kibitz/games/match/words.en.json";
import RoundEnd from "../src/frame/RoundEnd.svelte";
import type { LogLine } from "../src/protocol";
import type { Moment } from "../src/play/source";
import { sayer } from "../src/words.svelte";

const STEPS = [
  { name: "collection", amount: 12 },
  { name: "hand", amount: -5 },
];

/** The last move of a round, in which Bruno got rid of his last card. */
const LINE = {
  ...{ number: 7, kind: "move", seat: 1, name: "", called: [], text: "match B2" },
  events: [{ event: "score", round: 1, reason: "out", seats: [0, 1].map((seat) => ({ seat, cards: [], steps: STEPS })) }],
  sentences: [
    { key: "log.match", data: { seat: { seat: 1 }, card: { card: "B2" } } },
    { key: "log.scored", data: { round: 1 } },
    { key: "ending.out.by", data: { seat: { seat: 1 } } },
    { key: "log.round", data: { round: 2, seat: { seat: 0 } } },
  ],
} as unknown as LogLine;

const MOMENT = { table: { seat: 0, view: { scores: [7, 7] } }, lines: [LINE] } as unknown as Moment;

let sheet: object | null = null;

function opened(goOn: (row: number) => void): HTMLElement {
  document.documentElement.style.cssText = "--step: 800ms; --travel-own: 400ms";
  const tell = sayer(() => [match, core]);
  sheet = mount(RoundEnd, { target: document.body, props: { moment: MOMENT, before: [0, 0], rest: null, names: ["Ann", "Bruno"], tell, goOn } });
  flushSync();
  return document.body;
}

afterEach(() => {
  if (sheet) void unmount(sheet);
  vi.useRealTimers();
});

test("one click on Continue goes on, also while the score is still counting", () => {
  vi.useFakeTimers();
  const goOn = vi.fn();
  const page = opened(goOn);
  vi.advanceTimersByTime(800);
  flushSync();
  expect(page.querySelectorAll(".steps .told")).toHaveLength(1);
  page.querySelector<HTMLElement>(".go-on")!.click();
  expect(goOn.mock.calls).toEqual([[7]]);
});

test("it is told once who ended the round, and why", () => {
  const why = opened(() => {}).querySelector(".why")!.textContent!.replaceAll(/\s+/g, " ").trim();
  expect(why).toMatch(/^Bruno plays .+\. Bruno has no cards left in hand\.$/);
});
