/** Cover Your Assets' view and moves, as the page reads them. */

import type { LogLine } from "../../protocol";
import type { AssetSet, Duel, View } from "./types";

export type { AssetSet, Duel, View };

/** What is printed on the cards of each edition. */
export const VALUES = {
  first: {
    home: 20_000,
    auto: 15_000,
    jewels: 15_000,
    stocks: 10_000,
    coins: 10_000,
    bank: 10_000,
    stamps: 5_000,
    baseball: 5_000,
    mattress: 5_000,
    piggy: 5_000,
    silver: 25_000,
    gold: 50_000,
  },
  second: {
    comics: 5_000,
    piano: 5_000,
    train: 5_000,
    jewels: 10_000,
    mattress: 10_000,
    piggy: 10_000,
    scooter: 15_000,
    plane: 15_000,
    auto: 15_000,
    cabin: 20_000,
    silver: 25_000,
    gold: 50_000,
  },
} as const;

const WILDS = ["silver", "gold"];

/** The prices of an edition's cards. */
export class Prices {
  readonly #values: Readonly<Record<string, number>>;

  constructor(deck: keyof typeof VALUES) {
    this.#values = VALUES[deck];
  }

  get cards(): string[] {
    return Object.keys(this.#values);
  }

  of(cards: string[]): number {
    return cards.reduce((sum, card) => sum + (this.#values[card] ?? 0), 0);
  }

  stack(sets: AssetSet[]): number {
    return sets.reduce((sum, { cards }) => sum + this.of(cards), 0);
  }
}

/** Cards that can be seen, by where they lie; in a duel, what is shown. */
export function pilesOf({ hands, stacks, discard, duel }: View, viewpoint: number): Record<string, string[]> {
  const sets = stacks.flatMap((stack, seat) => stack.map(({ cards }, place) => [`set ${seat} ${place}`, cards] as const));
  return {
    hand: hands[viewpoint] ?? [],
    discard,
    ...Object.fromEntries(sets),
    thief: duel?.shown[0] ?? [],
    victim: duel?.shown[1] ?? [],
  };
}

// Moves

export type Verb = "pair" | "take" | "steal" | "discard" | "defend" | "press" | "yield" | "draw" | "forget";

/** A move from its notation. */
export interface Action {
  move: string;
  verb: Verb;
  /** The card or cards that leave my hand. */
  mine: string[];
  /** The top discard that I take. */
  taken: string | null;
  victim: number | null;
}

export function actionOf(move: string): Action {
  const [verb, first = "", second = "", third = ""] = move.split(" ");
  const action = { move, verb: verb as Verb, mine: [] as string[], taken: null as string | null, victim: null as number | null };
  switch (action.verb) {
    case "pair":
      return { ...action, mine: [first, second] };
    case "take":
      return { ...action, mine: [third], taken: first };
    case "steal":
      return { ...action, mine: [third], victim: Number(first.slice(1)) };
    case "discard":
      return { ...action, mine: [first] };
    case "defend":
    case "press":
      return { ...action, mine: [second] };
    default:
      return action;
  }
}

/** The notation of a pair: the asset first. */
export function pairing(one: string, other: string): string {
  return WILDS.includes(one) ? `pair ${other} ${one}` : `pair ${one} ${other}`;
}

export const taking = (top: string, card: string): string => `take ${top} with ${card}`;
export const stealing = (victim: number, card: string): string => `steal p${victim} with ${card}`;
export const discarding = (card: string): string => `discard ${card}`;
/** Show a card in a duel. */
export const showing = (duel: Duel, me: number, card: string): string =>
  `${me === duel.thief ? "press" : "defend"} with ${card}`;

// What just happened

/** Who made the last move, and whose stack it changed. */
export interface Deed {
  seat: number;
  action: Action;
  /** The seats whose top set is new or has grown. */
  stacks: number[];
}

type Told = { event: string; seat?: number; source?: number | null };

export function deedOf(line: LogLine | null): Deed | null {
  if (line?.kind !== "move" || line.seat === null) return null;
  const action = actionOf(line.text);
  const taken = (line.events as Told[]).find(({ event }) => event === "take");
  const laid = action.verb === "pair" || action.verb === "take" ? line.seat : taken?.seat;
  return { seat: line.seat, action, stacks: laid === undefined ? [] : [laid] };
}
