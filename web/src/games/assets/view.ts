/** Cover Your Assets' view and moves, as the page reads them. */

import type { LogLine } from "../../protocol";
import type { TableModel } from "../model.svelte";
import type { Action, AssetSet, Duel, Figures, StackFigures, View } from "./types";

export type { Action, AssetSet, Duel, Figures, StackFigures, View };
export type Model = TableModel<View, Figures>;

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

export const verbOf = (move: string): string => move.split(" ")[0] ?? "";
export const taking = (top: string, card: string): string => `take ${top} with ${card}`;
export const stealing = (victim: number, card: string): string => `steal p${victim} with ${card}`;
export const discarding = (card: string): string => `discard ${card}`;
/** Show a card in a duel. */
export const showing = (duel: Duel, me: number, card: string): string =>
  `${me === duel.thief ? "press" : "defend"} with ${card}`;

/** Who made the last move, what it was, and whose top set is new or has grown. */
export interface Deed {
  seat: number;
  verb: string;
  laidBy: number | null;
}

type Told = { event: string; seat?: number };

export function deedOf(line: LogLine | null): Deed | null {
  if (line?.kind !== "move" || line.seat === null) return null;
  const verb = verbOf(line.text);
  const taken = (line.events as Told[]).find(({ event }) => event === "take");
  return { seat: line.seat, verb, laidBy: verb === "pair" || verb === "take" ? line.seat : (taken?.seat ?? null) };
}
