/** Amounts as they are written: what is below zero has its sign before all, “−$110,000”. */

import type { Say } from "../words.svelte";

const THOUSAND = 1_000;
const MILLION = 1_000_000;

/** A message about an amount. */
export function signed(say: Say, key: string, amount: number): string {
  return say(key, { sign: signOf(amount), amount: Math.abs(amount) });
}

/** Dollars in full. */
export const money = (say: Say, amount: number): string => signed(say, "money", amount);

/** What a score counts: dollars, where a game is about them. */
export const points = (say: Say, amount: number): string => signed(say, "points", amount);

/** The same as something that was added. */
export const gained = (say: Say, amount: number): string => (amount > 0 ? "+" : "") + points(say, amount);

/** Dollars where there is little room: in thousands, and from a million on in millions. */
export function shortMoney(say: Say, amount: number): string {
  const size = Math.abs(amount);
  if (size < THOUSAND) return money(say, amount);
  const [unit, kind] = size < MILLION ? [THOUSAND, "thousands"] : [MILLION, "millions"];
  return say(`money.${kind}`, { sign: signOf(amount), amount: String(size / unit) });
}

const signOf = (amount: number): string => (amount < 0 ? "−" : "");
