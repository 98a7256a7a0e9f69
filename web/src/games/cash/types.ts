/** CASH: what its views, options and moves look like. Made by scripts/write_types.py. */

import type { CommonView } from "../view";

/** As it is written. */
export type Move =
  | `play ${string}`
  | `play ${string} over ${string}`
  | `play ${string} on p${number}`
  | `discard ${string}`
  | `discard ${string} on p${number}`
  | "done"
  | `trim ${string}`
  | `pass ${string}`
  | "again"
  | `trade p${number}`
  | `give ${string}`
  | `give firm ${string}`
  | `want ${string}`
  | `want firm ${string}`
  | "propose"
  | "drop"
  | "accept"
  | "decline"
  | "take"
  | `spare p${number}`
  | "counter";

export interface Options {
  target: number;
  advanced: boolean;
  recession: number;
  tax: "harsh" | "transfer";
  trading: boolean;
  rounds: null | number;
  starter: "random" | number;
  spare: boolean;
  firm_trades: "any" | "licensed";
  offers: number;
  counter: boolean;
  tie: "next" | "target";
}

/** Cash under an insurance. */
export interface Insured {
  cover: string;
  cash: string[];
}

/** What lies before a seat. */
export interface Firm {
  license: boolean;
  probe: string | null; // what it is investigated for
  cash: string[]; // not insured
  insured: Insured[];
  venture: number;
  taxman: number;
}

export interface Offer {
  from: number;
  to: number;
  give: string[];
  give_firm: string[];
  want: string[];
  want_firm: string[];
  counter: boolean;
}

export interface Passing {
  count: number;
  from: number;
  trim: boolean;
  chosen: string[][];
}

/** What a seat of CASH sees. */
export interface View extends CommonView {
  options: Options;
  phase: "over" | "action" | "offer" | "answer" | "passing" | "trim" | "again" | "taking";
  hands: string[][];
  firms: Firm[];
  deck: string[];
  discard: string[];
  lost: number[]; // turns that a seat is still to lose
  starter: number;
  acted: boolean; // whether the one card of this turn is done
  offers: number; // begun in this turn
  offer: Offer | null;
  passing: Passing | null;
  extra: boolean; // whether another turn follows
  taking: string | null; // the card that takes, while its owner decides whom to spare
  spared: number[]; // the seats from which it won't
  tied: boolean; // whether the next that is alone at the top wins
}

/** What a firm is worth, in dollars. */
export interface FirmFigures {
  counts: number; // its cash, doubled if a venture does that
  insured: number[]; // under each insurance
}

/** The firm cards that can go between two seats. */
export interface Tradeable {
  give: string[]; // of this seat's firm
  want: string[]; // of the other's
}

/** What follows from a view of CASH. */
export interface Figures {
  prompt: string; // the message that says what can be done now
  firms: FirmFigures[];
  so_far: number | null; // what the round brings this seat if it ends now, before any tax; null: a spectator
  working: string[]; // of its hand: what has an effect if it is played or discarded now
  receiver: number | null; // who gets what this seat passes on
  to_pass: number; // cards that this seat has still to pass on
  taken: (string | null)[]; // from each seat, unless it is spared; null: nothing
  trades: (Tradeable | null)[]; // with each seat; null: with itself
  side: number; // cards that a side of an offer may have
  offers_left: number; // that may still be begun in this turn
}
