/** Ka-Ching!: what its views, options and moves look like. Made by scripts/write_types.py. */

import type { CommonView } from "../view";

/** As it is written. */
export type Move =
  | `buy ${number}`
  | `sell ${string} ${string}`
  | "pass";

export interface Options {
  series: "single" | "best_of" | "total";
  rounds: number;
  open_money: boolean;
  starter: "random" | number;
}

/** What rounds are played for, and how it stands after those that are over. */
export interface SeriesView {
  kind: "single" | "best_of" | "total";
  rounds: number;
  wins: number[];
  totals: number[]; // profits
}

/** What a seat of Ka-Ching! sees. */
export interface View extends CommonView {
  options: Options;
  phase: "over" | "trade" | "last sale";
  columns: string[][]; // the market; the last card of each is free
  stocks: string[][]; // a seat's cards
  wilds: boolean[]; // which seats still have their wild
  money: (number | "?")[];
  sold: number; // cards out of play
  starter: number; // of this round
  series: SeriesView;
  closing: number; // last sales still to come
}

/** Two cards that may be sold together now. */
export interface Sale {
  move: string;
  cards: string[];
  price: number;
}

/** What follows from a view of Ka-Ching! */
export interface Figures {
  prompt: string; // the message that says what can be done now
  prices: (number | null)[]; // of each column's free card; null: the column is empty
  sales: Sale[]; // the best first
  best_pairs: Record<string, number>[]; // what a seat's best pair of a colour brings, where it has one
  last_sellers: number[]; // seats that still sell in the last sale, in turn
}
