import { expect, test, vi } from "vitest";
import { stayOf } from "../src/play/pace";
import { Playhead } from "../src/play/playhead.svelte";
import type { Moment, Source } from "../src/play/source";
import type { LogLine } from "../src/protocol";
import type { Table } from "../src/table.svelte";

/** A source whose moments the test tells; seat 0 is mine, and row `number` was moved by a seat. */
class Told {
  tell: (moment: Moment) => void = () => {};

  readonly source = {
    follow: (tell: (moment: Moment) => void) => {
      this.tell = tell;
      tell(moment(0));
      return () => {};
    },
    past: { steps: [0, 1, 2], start: 0, at: (number: number) => Promise.resolve(moment(number)) },
  } as unknown as Source;
}

function moment(number: number, ...seats: (number | null)[]): Moment {
  const lines = seats.map((seat, i) => ({ number: number - seats.length + 1 + i, kind: "move", seat }) as LogLine);
  return { table: { number, seat: 0 } as Table, lines };
}

/** A playhead whose changes come to rest when the test says so. */
function moving(source: Source): { playhead: Playhead; rest: () => Promise<void> } {
  const playhead = new Playhead(source);
  let done = (): void => {};
  playhead.change = (update) => {
    update();
    return new Promise((resolve) => (done = resolve));
  };
  const rest = async (): Promise<void> => {
    done();
    await new Promise((resolve) => setTimeout(resolve));
  };
  return { playhead, rest };
}

const shown = (playhead: Playhead): number => playhead.shown.table.number;

test("a moment is shown when the one before has come to rest", async () => {
  const told = new Told();
  const { playhead, rest } = moving(told.source);
  told.tell(moment(1, 1));
  told.tell(moment(2, 1));
  expect(shown(playhead)).toBe(1);
  await rest();
  expect(shown(playhead)).toBe(2);
});

test("what I do myself is shown at once", () => {
  const told = new Told();
  const { playhead } = moving(told.source);
  told.tell(moment(1, 1));
  told.tell(moment(2, 1));
  told.tell(moment(3, 0));
  expect(shown(playhead)).toBe(3);
});

test("of many moments that wait, only the last is shown", async () => {
  const told = new Told();
  const { playhead, rest } = moving(told.source);
  for (let number = 1; number < 99; number += 1) told.tell(moment(number, 1));
  expect(shown(playhead)).toBe(1);
  await rest();
  expect(shown(playhead)).toBe(98);
});

test("nothing new is shown while somebody holds the table, and all of it afterwards", async () => {
  const told = new Told();
  const playhead = new Playhead(told.source);
  const goOn = playhead.hold();
  told.tell(moment(1, 1));
  expect(shown(playhead)).toBe(0);
  goOn();
  goOn(); // once is enough
  await Promise.resolve();
  expect(shown(playhead)).toBe(1);
});

test("a seek shows the past, the latest one that was asked for", async () => {
  const playhead = new Playhead(new Told().source);
  await Promise.all([playhead.seek(2), playhead.seek(1)]);
  expect(shown(playhead)).toBe(1);
});

test("a moment stays as long as it is worth", async () => {
  vi.useFakeTimers();
  const told = new Told();
  const playhead = new Playhead(told.source);
  playhead.stay = (lines) => 100 * lines.length;
  told.tell(moment(1, 1));
  told.tell(moment(2, 1));
  await vi.advanceTimersByTimeAsync(99);
  expect(shown(playhead)).toBe(1);
  expect(playhead.behind).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(shown(playhead)).toBe(2);
  vi.useRealTimers();
});

test("what is skipped is shown at once, until it is my turn", () => {
  const told = new Told();
  const { playhead } = moving(told.source);
  for (let number = 1; number < 4; number += 1) told.tell(moment(number, 1));
  expect(shown(playhead)).toBe(1);
  playhead.skip();
  expect(shown(playhead)).toBe(3);
  expect(playhead.skipping).toBe(true);
  const mine = moment(4, 1);
  told.tell({ ...mine, table: { ...mine.table, legal: ["pass"] } });
  expect(shown(playhead)).toBe(4);
  expect(playhead.skipping).toBe(false);
});

test("what I say doesn't skip what the others do", () => {
  const told = new Told();
  const { playhead } = moving(told.source);
  told.tell(moment(1, 1));
  const chat = moment(2, 0);
  told.tell({ ...chat, lines: [{ ...chat.lines[0]!, kind: "chat" }] });
  expect(shown(playhead)).toBe(1);
});

test("what is to be read first is shown when that is done, and what follows after it", async () => {
  const told = new Told();
  const playhead = new Playhead(told.source, (lines) => lines.some(({ number }) => number === 2));
  told.tell(moment(1, 1));
  told.tell(moment(2, 1));
  told.tell(moment(3, 2));
  expect(shown(playhead)).toBe(1);
  expect(playhead.unread?.table.number).toBe(2);
  playhead.acknowledge();
  await Promise.resolve();
  expect(playhead.unread).toBeNull();
  expect(shown(playhead)).toBe(2);
});

test.each([
  ["normal", 900],
  ["instant", 0],
] as const)("at the %s pace a move of another stays for %s milliseconds, longer if it takes something, mine not at all", (pace, time) => {
  const line = { kind: "move", seat: 1, events: [], sentences: [] } as unknown as LogLine;
  expect(stayOf([line], 0, pace)).toBe(time);
  expect(stayOf([line], 1, pace)).toBe(0);
  expect(stayOf([{ ...line, events: [{ event: "take", seat: 1, card: "B3", source: 2 }] }], 0, pace)).toBe(2 * time);
});
