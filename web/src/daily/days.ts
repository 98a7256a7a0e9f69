/** Days as the deals have them: by UTC, written like 2026-11-17. */

import type { PastGame } from "../protocol";
import { outcomeOf, type Outcome } from "../me/tally";

const DAY = 24 * 60 * 60 * 1000;

export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
export const dayBefore = (day: string, days = 1): string => dayOf(Date.parse(day) - days * DAY);

export interface CalendarDay {
  day: string;
  /** How my game of that day went; null: I haven't finished one. */
  outcome: Outcome | null;
  table: string | null;
}

/** The last weeks up to a day, each from Monday on, with what became of a game's deals. */
export function calendar(today: string, weeks: number, games: PastGame[]): CalendarDay[] {
  const sinceMonday = (new Date(today).getUTCDay() + 6) % 7;
  const played = new Map(games.map((game) => [game.daily, game]));
  return Array.from({ length: 7 * (weeks - 1) + sinceMonday + 1 }, (_, ago) => {
    const day = dayBefore(today, ago);
    const game = played.get(day);
    return { day, outcome: game ? outcomeOf(game) : null, table: game?.table ?? null };
  }).toReversed();
}

/** On how many days one after the other, up to today or yesterday, a deal was played to its end. */
export function daysInARow(today: string, games: PastGame[]): number {
  const days = new Set(games.map(({ daily }) => daily));
  let day = days.has(today) ? today : dayBefore(today);
  let count = 0;
  for (; days.has(day); day = dayBefore(day)) count += 1;
  return count;
}
