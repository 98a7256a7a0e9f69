/** Kazink!: what its views, options and moves look like. Made by scripts/write_types.py. */

import type { CommonView } from "../view";

/** As it is written. */
export type Move =
  | `S ${string}`
  | `H ${string}`
  | `D ${string}`
  | `C ${string}`
  | `W ${string}`
  | `K ${string}`
  | "U"
  | "stay"
  | `shift ${string} ${string} ${number}`
  | `place ${string}`
  | `swap ${string}`
  | `discard ${string}`;

export interface Options {
  board: "24" | "20";
  dealer: "random" | number;
  hand: number;
  pool: "divided" | "shared";
}

/** What a seat of Kazink! sees. */
export interface View extends CommonView {
  options: Options;
  phase: "over" | "turn" | "shift" | "place";
  board: Record<string, string>; // the chips on a space, the bottom one first; empty spaces are left out
  crowns: Record<string, "Y" | "B" | "R">; // the colour of the crown on a space
  hands: string[][];
  deck: string[];
  discard: string[];
  chips: Record<string, number>; // left, by colour
  rows: Record<string, number>; // completed, by colour
  dealer: number;
  swapped: boolean; // whether a dead card was swapped in this turn
  idle: number; // turns in a row without a chip placed
  seat_chips: number[]; // left, a number a seat
}

/** A space of the board that is in use. */
export interface Space {
  name: string;
  suit: string;
  row: number; // from 0
  column: number;
  bordered: boolean; // in use with three or four players only
}

/** Crowns of a colour in a straight line, two or more. */
export interface Run {
  colour: string;
  start: string;
  end: string;
  is_row: boolean;
}

/** Chips that a double-up may shift now. */
export interface Shift {
  move: string;
  start: string;
  goal: string;
  count: number;
}

/** What follows from a view of Kazink! */
export interface Figures {
  spaces: Space[]; // row by row
  colours: string[]; // of the seats
  partners: (number | null)[]; // of the seats, in the team game
  rows_to_win: number;
  crowns: Record<string, number>; // how many, by colour
  runs: Run[];
  shifts: Shift[];
}
