import { flushSync, mount, unmount } from "svelte";
import { afterEach, expect, test } from "vitest";
import core from "../../kibitz/core/words.en.json";
import cash from "../../kibitz/games/cash/words.en.json";
import Dock from "../src/games/cash/Dock.svelte";
import { Wording } from "../src/games/cash/wording";
import { sayer } from "../src/words.svelte";

const say = sayer(() => [cash, core]);
const wording = new Wording({ say, names: ["Ann", "Bruno"], seat: 0 });

let dock: object | null = null;

/** What is said of a chosen card that can only be discarded, of which nothing is sure beforehand. */
function saidOf(card: string, works: boolean): string {
  const chosen = { key: `${card}#1`, card };
  const props = {
    table: { say, view: { phase: "action" }, figures: {}, deciding: true, legal: new Set(), hint: null, name: () => "Bruno" },
    turn: { chosen, offered: [`discard ${card}`], works: () => works, surely: () => [], insurance: null, barred: null },
    trading: { shown: null, wishing: null, can: false },
    wording,
  };
  dock = mount(Dock, { target: document.body, props: props as never });
  flushSync();
  return document.body.textContent!;
}

afterEach(() => dock && unmount(dock));

test.each(["broker", "banker"])("%s isn't said to have no effect when what it takes can't be known before", (card) => {
  expect(saidOf(card, true)).not.toContain("No effect.");
});

test("a card that does nothing now is said to have no effect", () => {
  expect(saidOf("broker", false)).toContain("No effect.");
});
