import { expect, test, vi } from "vitest";
import type { Advised, Hinted, LogLine, SeatInfo, TableView } from "../src/protocol";
import { LiveTable } from "../src/table.svelte";

const line = (number: number): LogLine => ({ number }) as LogLine;

/** What the server shows: everything, or what is new since a row. */
function shown(number: number, since: number | null, lines: number[], more: object = {}): TableView {
  return { type: "table", table: "T", number, since, lines: lines.map(line), ...more } as TableView;
}

function numbers(table: LiveTable): number[] {
  return table.lines.map(({ number }) => number);
}

test("an update adds its lines and keeps what it leaves out", () => {
  const table = new LiveTable("T", vi.fn());
  table.take(shown(2, null, [0, 1, 2], { game: "match", seats: [{ name: "Ann" }], legal: ["lay 1"] }));
  table.take(shown(4, 2, [3, 4], { legal: [] }));
  expect(numbers(table)).toEqual([0, 1, 2, 3, 4]);
  expect(table.now).toMatchObject({ number: 4, game: "match", seats: [{ name: "Ann" }], legal: [] });
});

test("an update that says something again brings no line twice", () => {
  const table = new LiveTable("T", vi.fn());
  table.take(shown(3, null, [0, 1, 2, 3]));
  table.take(shown(4, 1, [2, 3, 4]));
  expect(numbers(table)).toEqual([0, 1, 2, 3, 4]);
});

test("where rows are missing, the whole table is asked for and nothing shown", () => {
  const watch = vi.fn();
  const table = new LiveTable("T", watch);
  table.take(shown(2, null, [0, 1, 2]));
  table.take(shown(9, 8, [9]));
  expect(watch).toHaveBeenCalledOnce();
  expect(table.now?.number).toBe(2);
  table.take(shown(9, null, [0, 1, 2, 9]));
  expect(numbers(table)).toEqual([0, 1, 2, 9]);
});

test("an update before anything was shown asks for everything", () => {
  const watch = vi.fn();
  const table = new LiveTable("T", watch);
  table.take(shown(3, 0, [1, 2, 3]));
  expect(watch).toHaveBeenCalledOnce();
  expect(table.now).toBeNull();
});

test("who comes and goes changes the seats alone", () => {
  const table = new LiveTable("T", vi.fn());
  table.take(shown(2, null, [0, 1, 2], { seats: [{ name: "Ann" }] }));
  table.take({ type: "presence", table: "T", seats: [{ name: "Ann" }, { name: "Bob" }] as SeatInfo[], spectators: 0 });
  expect(table.now?.seats.map(({ name }) => name)).toEqual(["Ann", "Bob"]);
  expect(table.now?.number).toBe(2);
});

test("a hint belongs to what was shown when it was asked for", () => {
  const table = new LiveTable("T", vi.fn());
  table.take(shown(2, null, []));
  table.take({ type: "hinted", table: "T", number: 2, move: "lay 1", sentences: [], advice: [] });
  expect(table.hint).toBe("lay 1");
  table.take(shown(3, 2, [3]));
  expect(table.hint).toBeNull();
});

test("a hint tells the chance at the moment of which all chances were told, also later; not another's", () => {
  const table = new LiveTable("T", vi.fn());
  const hinted = (number: number): Hinted => ({ type: "hinted", table: "T", number, move: "", sentences: [], advice: [{ chance: 0.7 } as Advised] });
  table.take(shown(2, null, [0, 1, 2]));
  table.take(hinted(2));
  expect(table.chance).toBeUndefined();
  table.take({ type: "chance", table: "T", number: 2, chances: [0.6, 0.4] });
  table.take(shown(3, 2, [3]));
  expect(table.chance).toBe(0.7);
  table.take(hinted(3));
  expect(table.chance).toBeUndefined();
});

test("a table that is gone says why", () => {
  const table = new LiveTable("T", vi.fn());
  expect(table.gone).toBe("");
  table.take({ type: "gone", table: "T", code: "table-damaged" });
  expect(table.gone).toBe("table-damaged");
});

test("beliefs belong to the moment they were asked for; chances stay until others are told", () => {
  const table = new LiveTable("T", vi.fn());
  table.take(shown(2, null, [0, 1, 2]));
  table.take({ type: "believed", table: "T", number: 2, beliefs: { "hands/1": { R1: 0.5 } } });
  table.take({ type: "chance", table: "T", number: 2, chances: [0.6, 0.4] });
  expect(table.beliefs).toEqual({ "hands/1": { R1: 0.5 } });
  table.take(shown(3, 2, [3]));
  expect(table.beliefs).toBeNull();
  expect(table.chances).toEqual([0.6, 0.4]);
});
