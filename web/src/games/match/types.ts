/** MATCH!: what its views, options and moves look like. Made by scripts/write_types.py. */

import type { CommonView } from "../view";

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
export interface View extends CommonView {
  options: Options;
  phase: "over" | "play";
  hands: string[][];
  collections: Record<string, string[]>[]; // a seat's piles by colour, the bottom card first
  deck: string[];
  discard: string[];
  called: string | null; // a colour or a number, while a joker lies on top
  starter: number; // of this round
}

/** Where a hand card may go now: on the discard pile, to the collection, or (a joker) with a call. */
export interface Play {
  move: string | null; // null: it takes a call
  way: "match" | "collect" | "call";
  points: number; // that it adds to the collection
}

/** What follows from a view of MATCH! */
export interface Figures {
  prompt: string; // the message that says what can be done now
  asked: string[]; // what fits: a colour and a number, or what was called
  worths: number[]; // of the seats' collections, buried cards too
  plays: Record<string, Play>; // of the hand's cards that may be played now
  binding: string[]; // tops of the own collection that fit: nothing may be collected
  calls: string[]; // that a joker may make now
}
