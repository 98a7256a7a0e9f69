/** Kazink!'s view, as far as the page draws it. */

import type { LogLine } from "../../protocol";
import type { TableModel } from "../model.svelte";
import type { Figures, Shift, Space, View } from "./types";

export type { Figures, Shift, Space, View };
export type Model = TableModel<View, Figures>;

export type Colour = "Y" | "B" | "R";
export type Suit = "S" | "H" | "D" | "C";

export const DOUBLE_UP = "U";

// Moves

/** `S b2`, `W b2`, `K b2`, `place b2` */
export const placing = (card: string, space: string): string => `${card} ${space}`;

/** The space that a move puts a chip on. */
export function targetOf(move: string): string | null {
  const [, first, second] = move.split(" ");
  if (move.startsWith("shift")) return second ?? null;
  return first && /^[a-d]\d$/.test(first) ? first : null;
}

/** What a move did, for marking it and for showing where its chips came from. */
export interface Deed {
  seat: number;
  target: string | null;
  /** The space that chips were shifted from. */
  source: string | null;
  /** How many chips came to the target. */
  count: number;
}

export function deedOf(line: LogLine | null): Deed | null {
  if (line?.kind !== "move" || line.seat === null) return null;
  const [verb, start = null, , count] = line.text.split(" ");
  const shifted = verb === "shift";
  return { seat: line.seat, target: targetOf(line.text), source: shifted ? start : null, count: shifted ? Number(count) : 1 };
}
