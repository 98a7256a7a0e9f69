/** Cover Your Assets: what its views, options and moves look like. Made by scripts/write_types.py. */

import type { CommonView } from "../view";

/** As it is written. */
export type Move =
  | `pair ${string} ${string}`
  | `take ${string} with ${string}`
  | `discard ${string}`
  | `steal p${number} with ${string}`
  | `defend with ${string}`
  | `press with ${string}`
  | "yield"
  | "draw"
  | "forget";

export interface Options {
  target: number;
  rounds: null | number;
  hand: number;
  deck: "first" | "second";
  dealer: "random" | number;
  forgetful: boolean;
}

/** A set of cards that lie together. */
export interface AssetSet {
  asset: string;
  cards: string[];
}

/** A theft that isn't decided yet. */
export interface Duel {
  thief: number;
  victim: number;
  shown: string[][]; // the thief's cards, and the victim's
}

/** What a seat of Cover Your Assets sees. */
export interface View extends CommonView {
  options: Options;
  phase: "over" | "turn" | "duel" | "draw";
  hands: string[][];
  stacks: AssetSet[][]; // a seat's sets, the bottom one first
  deck: string[];
  discard: string[];
  limits: number[]; // how many cards a seat may hold
  dealer: number;
  duel: Duel | null;
}

/** What a set counts, and whether it can be stolen. */
export interface SetFigures {
  worth: number;
  state: "safe" | "covered" | "top"; // at the bottom for ever, beneath another, open to thieves
}

/** A seat's stack. */
export interface StackFigures {
  worth: number;
  sets: SetFigures[]; // the bottom one first
  unstealable: string | null; // the refusal that the seat would get for any steal from here; null: a card fits
}

/** A legal move. */
export interface Action {
  move: string;
  verb: string;
  cards: string[]; // that leave the hand
  taken: string | null; // from the pile
  victim: number | null;
  worth: number | null; // what the new set counts, or the one to steal
}

/** What follows from a view of Cover Your Assets. */
export interface Figures {
  prompt: string; // the message that says what can be done now
  values: Record<string, number>; // of the deck's cards
  stacks: StackFigures[];
  stake: number; // what is fought for in a duel, with all cards shown
  actions: Action[];
}
