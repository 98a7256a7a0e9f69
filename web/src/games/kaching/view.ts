/** Ka-Ching!'s view and moves, as the page reads them. */

import { SUITS, WILD } from "../../cards/print";
import type { LogLine } from "../../protocol";
import type { TableModel } from "../model.svelte";
import type { Figures, Sale, View } from "./types";

export type { Figures, Sale, View };
export type Model = TableModel<View, Figures>;

export const COLOURS = Object.keys(SUITS);
export const PASS = "pass";

/** The piles on the table, by names of their own. */
export function pilesOf({ columns, stocks, wilds }: View): Record<string, string[]> {
  return Object.fromEntries([
    ...columns.map((cards, i) => [`column ${i + 1}`, cards]),
    ...stocks.map((cards, seat) => [`stock ${seat}`, cards]),
    ...wilds.map((unused, seat) => [`wild ${seat}`, unused ? [WILD] : []]),
  ]);
}

export const buying = (column: number): string => `buy ${column}`;

/** The sale of two cards, if they may be sold together. */
export function saleOf({ sales }: Figures, one: string, other: string): Sale | undefined {
  return sales.find(({ cards }) => [one, other].join() === cards.join() || [other, one].join() === cards.join());
}

/** The cards that a move sells: `sell R2 R4`. */
export const soldBy = (move: string): string[] => (move.startsWith("sell ") ? move.split(" ").slice(1) : []);

/** The cards of the last sale that some lines of the log tell of. */
export function soldLast(lines: LogLine[]): string[] {
  const moves = lines.filter(({ kind }) => kind === "move").map(({ text }) => soldBy(text));
  return moves.findLast(({ length }) => length > 0) ?? [];
}

/** What a move did, for marking it. */
export interface Deed {
  seat: number;
  move: string;
  /** The card that was bought. */
  bought: string | null;
  /** How the seat's money changed. */
  change: number;
}

type Told = { event: string; seat?: number; card?: string; amount?: number };

export function deedOf(line: LogLine | null): Deed | null {
  if (line?.kind !== "move" || line.seat === null || line.seat === undefined) return null;
  const told = (line.events ?? []) as Told[];
  return {
    seat: line.seat,
    move: line.text ?? "",
    bought: told.find(({ event }) => event === "take")?.card ?? null,
    change: told.find(({ event }) => event === "money")?.amount ?? 0,
  };
}
