/** MATCH!'s view and moves, as the page reads them. */

import { HIDDEN, WILD } from "../../cards/print";
import type { LogLine } from "../../protocol";
import type { View } from "./types";

export type { View };

export const COLOURS = ["R", "Y", "G", "B", "P"];
export const NUMBERS = ["0", "1", "2", "3", "4", "5"];

export const colourOf = (card: string): string => card.charAt(0);
export const numberOf = (card: string): string => card.slice(1);
export const isJoker = (card: string): boolean => card === WILD;
export const isColour = (call: string): boolean => COLOURS.includes(call);

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

/** Where a hand card can go: to the discard pile, to the collection, or nowhere now. */
export type Way = "match" | "collect" | null;

export function wayOf(card: string, legal: Set<string>): Way {
  if (isJoker(card)) return legal.has(calling("R")) ? "match" : null;
  if (legal.has(matching(card))) return "match";
  return legal.has(collecting(card)) ? "collect" : null;
}

/** What the cards of a collection count, also those that are buried. */
export function worthOf(collection: Record<string, string[]>): number {
  return Object.values(collection)
    .flat()
    .reduce((sum, card) => sum + Number(numberOf(card)), 0);
}

/** What the discard pile asks for, as colours and numbers: one of each, or what was called. */
export function askedOf({ discard, called }: View): string[] {
  const top = discard.at(-1) ?? "";
  return called === null ? [colourOf(top), numberOf(top)] : [called];
}

/** How many cards a hand has, and which if they are open. */
export const openHand = (hand: string[]): string[] => (hand.includes(HIDDEN) ? [] : hand);

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
