/** Kazink!'s view, as far as the page draws it. */

import type { LogLine } from "../../protocol";
import type { View } from "./types";

export type { View };

export type Colour = "Y" | "B" | "R";
export type Suit = "S" | "H" | "D" | "C";

export const COLUMNS = ["a", "b", "c", "d"];
export const DOUBLE_UP = "U";

/** What is printed on the board, row by row. */
const PRINT = ["SHDC", "HSCD", "CDHS", "SHDC", "DCSH", "HSCD"];

export interface Space {
  name: string;
  suit: Suit;
  row: number;
  column: number;
  /** Used with three or four players only. */
  bordered: boolean;
}

/** The spaces that are in the game, row by row. */
export function spacesOf({ options, players }: View): Space[] {
  const rows = options.board === "24" ? 6 : 5;
  const used = players === 2 ? rows - 1 : rows;
  return PRINT.slice(0, used).flatMap((suits, row) =>
    Array.from(suits, (suit, column) => ({
      name: `${COLUMNS[column]}${row + 1}`,
      suit: suit as Suit,
      row,
      column,
      bordered: row === rows - 1,
    })),
  );
}

/** Partners share a colour. */
export function colourOf(seat: number, players: number): Colour {
  const colours: Colour[] = players === 4 ? ["Y", "B"] : ["Y", "B", "R"];
  return colours[seat % colours.length] ?? "Y";
}

export const rowsToWin = (players: number): number => (players === 4 ? 3 : 2);

export function crownsOf(view: View, colour: Colour): number {
  return Object.values(view.crowns).filter((owner) => owner === colour).length;
}

// Lines through crowns

export interface Run {
  colour: Colour;
  from: Space;
  to: Space;
  length: number;
}

const DIRECTIONS = [
  [1, 0],
  [0, 1],
  [1, 1],
  [-1, 1],
] as const;

/** The straight runs of two crowns or more. */
export function runsOf(view: View): Run[] {
  const spaces = spacesOf(view);
  const at = new Map(spaces.map((space) => [`${space.column} ${space.row}`, space]));
  const crownAt = (column: number, row: number): Colour | undefined => {
    const space = at.get(`${column} ${row}`);
    return space && view.crowns[space.name];
  };
  return spaces.flatMap((from) =>
    DIRECTIONS.flatMap(([across, down]) => {
      const colour = view.crowns[from.name];
      if (!colour || crownAt(from.column - across, from.row - down) === colour) return [];
      let length = 1;
      while (crownAt(from.column + length * across, from.row + length * down) === colour) length += 1;
      const to = at.get(`${from.column + (length - 1) * across} ${from.row + (length - 1) * down}`);
      return to && length > 1 ? [{ colour, from, to, length }] : [];
    }),
  );
}

// Moves

/** `S b2`, `W b2`, `K b2`, `place b2` */
export const placing = (card: string, space: string): string => `${card} ${space}`;

/** `shift a1 b2 2` */
export interface Shift {
  move: string;
  from: string;
  to: string;
  count: number;
}

export function shiftOf(move: string): Shift | null {
  const [verb, from, to, count] = move.split(" ");
  return verb === "shift" && from && to ? { move, from, to, count: Number(count) } : null;
}

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
  const shift = shiftOf(line.text);
  return { seat: line.seat, target: targetOf(line.text), source: shift?.from ?? null, count: shift?.count ?? 1 };
}
