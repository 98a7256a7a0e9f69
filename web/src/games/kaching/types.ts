/** Ka-Ching!: what its views, options and moves look like. Made by scripts/write_types.py. */

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
export interface View {
  game: string;
  options: Options;
  players: number;
  round: number;
  turn: number | null; // the seat that decides; null when the game is over
  phase: "over" | "trade" | "last sale";
  scores: number[];
  over: boolean;
  winners: number[]; // seats; none until the game is over
  moves: number; // made in this round
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
  prices: (number | null)[]; // of each column's free card; null: the column is empty
  sales: Sale[]; // the best first
  best_pairs: Record<string, number>[]; // what a seat's best pair of a colour brings, where it has one
  last_sellers: number[]; // seats that still sell in the last sale, in turn
}
