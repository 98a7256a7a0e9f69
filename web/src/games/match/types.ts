/** MATCH!: what its views, options and moves look like. Made by scripts/write_types.py. */

/** As it is written. */
export type Move =
  | `match ${string}`
  | `match ${string} collection`
  | `collect ${string}`
  | `wild ${string}`
  | `wild ${number}`;

export interface Options {
  target: number;
  rounds: null | number;
  starter: "random" | number;
}

/** What a seat of MATCH! sees. */
export interface View {
  game: string;
  options: Options;
  players: number;
  round: number;
  turn: number | null; // the seat that decides; null when the game is over
  phase: "over" | "play";
  scores: number[];
  over: boolean;
  winners: number[]; // seats; none until the game is over
  moves: number; // made in this round
  hands: string[][];
  collections: Record<string, string[]>[]; // a seat's piles by colour, the bottom card first
  deck: string[];
  discard: string[];
  called: string | null; // a colour or a number, while a joker lies on top
  starter: number; // of this round
}
