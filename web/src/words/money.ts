/** Amounts as they are written: dollars in thousands or millions where they are so many, a sign before all, “−$110k”. */

import type { Say } from "../words.svelte";

const UNITS = [
  [1_000_000, "money.millions"],
  [1_000, "money.thousands"],
  [1, "money"],
] as const;

/** Dollars. */
export function money(say: Say, amount: number): string {
  const size = Math.abs(amount);
  const [unit, kind] = UNITS.find(([unit]) => size >= unit) ?? UNITS[2];
  return say(kind, { sign: amount < 0 ? "−" : "", dollars: `$${String(size / unit)}` });
}

/** What a score counts: dollars, where a game is about them. */
export const points = (say: Say, amount: number): string => say("points", { amount });

/** The same as something that was added. */
export const gained = (say: Say, amount: number): string => (amount > 0 ? "+" : "") + points(say, amount);
