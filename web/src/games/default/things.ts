/** Any game's view, read as things that can be drawn: cards, what each seat has, named entries, plain values. */

import { HIDDEN } from "../../cards/print";

export type Thing =
  | { kind: "cards"; cards: Copies[] }
  | { kind: "seats"; things: Thing[] }
  | { kind: "places"; things: Thing[] }
  | { kind: "entries"; entries: Entry[] }
  | { kind: "seat"; seat: number }
  | { kind: "value"; value: Plain };

export interface Entry {
  name: string;
  thing: Thing;
}

/** Equal cards that lie next to each other. */
export interface Copies {
  card: string;
  count: number;
}

export type Plain = string | number | boolean | null;

/** What every game's view has, and the frame around the table shows. */
const COMMON = ["game", "options", "players", "round", "turn", "phase", "scores", "over", "winners", "moves"];

/** Keys whose number is a seat. */
const SEATS = ["starter", "dealer"];

/** More hidden cards than this lie in one stack. */
const MOST_BACKS = 5;

/** The things of a view that are the game's own. */
export function readView(view: Record<string, unknown>, players: number): Entry[] {
  return entriesOf(view, players).filter(({ name }) => !COMMON.includes(name));
}

function read(value: unknown, players: number): Thing {
  if (Array.isArray(value)) return readList(value, players);
  if (typeof value === "object" && value !== null) return { kind: "entries", entries: entriesOf(value, players) };
  return { kind: "value", value: value as Plain };
}

function readList(items: unknown[], players: number): Thing {
  if (items.every((item) => typeof item === "string")) return { kind: "cards", cards: stacked(items) };
  const things = items.map((item) => (items.every(isCardOrNone) ? readCard(item) : read(item, players)));
  return { kind: items.length === players ? "seats" : "places", things };
}

const isCardOrNone = (item: unknown): item is string | null => typeof item === "string" || item === null;

function readCard(item: unknown): Thing {
  return { kind: "cards", cards: typeof item === "string" ? [{ card: item, count: 1 }] : [] };
}

function readEntry(name: string, value: unknown, players: number): Thing {
  return SEATS.includes(name) && typeof value === "number" ? { kind: "seat", seat: value } : read(value, players);
}

function entriesOf(object: object, players: number): Entry[] {
  return Object.entries(object).map(([name, value]) => ({ name, thing: readEntry(name, value, players) }));
}

/** Cards one by one, but many backs in a row as one stack. */
function stacked(cards: string[]): Copies[] {
  const runs: Copies[] = [];
  for (const card of cards) {
    const last = runs.at(-1);
    if (card === HIDDEN && last?.card === HIDDEN) last.count += 1;
    else runs.push({ card, count: 1 });
  }
  return runs.flatMap((run) => (run.count > MOST_BACKS ? [run] : Array<Copies>(run.count).fill({ ...run, count: 1 })));
}

/** The moves that have all the words that were typed. */
export function matching(moves: string[], typed: string): string[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return moves.filter((move) => words.every((word) => move.toLowerCase().includes(word)));
}
