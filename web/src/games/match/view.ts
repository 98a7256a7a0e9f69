/** MATCH!'s view and moves, as the page reads them. */

import { SUITS } from "../../cards/print";
import type { LogLine } from "../../protocol";
import type { TableModel } from "../model.svelte";
import type { Figures, View } from "./types";

export type { Figures, View };
export type Model = TableModel<View, Figures>;

export const COLOURS = Object.keys(SUITS);

export const colourOf = (card: string): string => card.charAt(0);
export const isColour = (call: string): boolean => call in SUITS;

export const matching = (card: string): string => `match ${card}`;
export const matchingFromCollection = (card: string): string => `match ${card} collection`;
export const collecting = (card: string): string => `collect ${card}`;
export const calling = (call: string): string => `wild ${call}`;

/** The cards that can be seen, by where they lie. */
export function pilesOf({ hands, collections, discard }: View, viewpoint: number): Record<string, string[]> {
  return Object.fromEntries([
    ...collections.flatMap((collection, seat) => COLOURS.map((colour) => [`${seat} ${colour}`, collection[colour] ?? []])),
    ["hand", hands[viewpoint] ?? []],
    ["discard", discard],
  ]);
}


/** What the last move did, for marking it. */
export interface Deed {
  seat: number;
  /** The card that was collected. */
  collected: string | null;
}

export function deedOf(line: LogLine | null): Deed | null {
  if (line?.kind !== "move" || line.seat === null || line.seat === undefined) return null;
  const [verb, card] = line.text.split(" ");
  return { seat: line.seat, collected: verb === "collect" ? (card ?? null) : null };
}
