/** Ka-Ching!'s view and moves, as the page reads them. */

import { WILD } from "../../cards/print";
import type { LogLine } from "../../protocol";
import type { View } from "./types";

export type { View };

/** The piles on the table, by names of their own. */
export function pilesOf({ columns, stocks, wilds }: View): Record<string, string[]> {
  return Object.fromEntries([
    ...columns.map((cards, i) => [`column ${i + 1}`, cards]),
    ...stocks.map((cards, seat) => [`stock ${seat}`, cards]),
    ...wilds.map((unused, seat) => [`wild ${seat}`, unused ? [WILD] : []]),
  ]);
}

export const COLOURS = ["R", "Y", "G", "B", "P"];
const WILD_VALUE = 2;

export const valueOf = (card: string): number => (card === WILD ? WILD_VALUE : Number(card.slice(1)));
export const isWild = (card: string): boolean => card === WILD;
export const priceOf = (first: string, second: string): number => valueOf(first) * valueOf(second);
export const PASS = "pass";
export const buying = (column: number): string => `buy ${column}`;

/** The notation of a sale: the lower value first, the wild last. */
export function selling(one: string, other: string): string {
  const pair = [one, other].sort((a, b) => Number(isWild(a)) - Number(isWild(b)) || valueOf(a) - valueOf(b));
  return `sell ${pair.join(" ")}`;
}

export interface Sale {
  move: string;
  first: string;
  second: string;
  price: number;
}

/** A sale from its notation; null if the move is another. */
export function saleOf(move: string): Sale | null {
  const [verb, first, second] = move.split(" ");
  return verb === "sell" && first && second ? { move, first, second, price: priceOf(first, second) } : null;
}

/** The sales among some moves, the best first. */
export function salesOf(moves: string[]): Sale[] {
  return moves
    .map(saleOf)
    .filter((sale) => sale !== null)
    .sort((one, other) => other.price - one.price);
}

/** What the best pair of some cards of one colour brings; 0 without a pair. */
export function bestPair(cards: string[]): number {
  const [highest, second] = cards.map(valueOf).sort((one, other) => other - one);
  return highest && second ? highest * second : 0;
}

/** The cards of the last sale that some lines of the log tell of. */
export function soldLast(lines: LogLine[]): string[] {
  const sales = lines.filter(({ kind }) => kind === "move").map(({ text }) => saleOf(text));
  const sale = sales.findLast((sale) => sale !== null);
  return sale ? [sale.first, sale.second] : [];
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
