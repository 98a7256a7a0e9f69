/** A deal computed anew from what was open and what was sealed, compared with what I was shown. */

import type { Table } from "../table.svelte";
import { sha256, bytesOf } from "../sha256";
import { Random } from "./random";

/** What a deal puts on the table: hands by seat, or columns that all see. */
export interface Dealt {
  hands?: string[][];
  columns?: string[][];
}

export interface Dealing {
  players: number;
  options: Record<string, unknown>;
}

/** How a game is dealt from the numbers drawn; written down in `docs/shuffle.md`. */
export type Deal = (random: Random, dealing: Dealing) => Dealt;

export function fitsCommitment(secret: string, commitment: string): boolean {
  return sha256(bytesOf(secret)) === commitment;
}

export function dealtAnew(deal: Deal, { secret, words, players, options }: Pick<Table, "secret" | "words" | "players" | "options">): Dealt {
  return deal(new Random(secret ?? "", words), { players, options });
}

/** Whether what I was shown of the deal is what was computed; hands are compared whatever their order. */
export function isSame(dealt: Dealt, view: Dealt): boolean {
  const columns = dealt.columns === undefined || JSON.stringify(dealt.columns) === JSON.stringify(view.columns);
  const hands = (dealt.hands ?? []).every((hand, seat) => isHand(hand, view.hands?.[seat] ?? []));
  return columns && hands;
}

function isHand(hand: string[], shown: string[]): boolean {
  if (shown.includes("?")) return shown.length === hand.length;
  return [...hand].sort().join() === [...shown].sort().join();
}
