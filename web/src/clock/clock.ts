/** Clocks in words and figures: what a new table may have, and how time that is left is written. */

import type { Clock } from "../protocol";
import { say } from "../words.svelte";

export type AtZero = "move" | "play-on" | "lost";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** What the new table's screen offers. */
export const CLOCKS: Record<string, Pick<Clock, "seconds" | "bank" | "answer" | "quiet"> | null> = {
  none: null,
  forgetful: { seconds: 2 * MINUTE, quiet: true },
  "long-forgetful": { seconds: 10 * MINUTE, quiet: true },
  quick: { seconds: 30, bank: null, answer: 20 },
  calm: { seconds: 90, bank: null, answer: 30 },
  long: { seconds: 5 * MINUTE, bank: null, answer: 2 * MINUTE },
  bank: { seconds: 10, bank: 5 * MINUTE, answer: 20 },
  "long-bank": { seconds: 15, bank: 15 * MINUTE, answer: 30 },
  day: { seconds: DAY, bank: null, answer: null },
  days: { seconds: 3 * DAY, bank: null, answer: null },
};

/** Whether players come and go between their moves, as the server has it: nobody is waited for. */
export const isUnhurried = (clock?: Clock | null): clock is Clock => !!clock && clock.bank == null && clock.seconds >= DAY;

export const AT_ZERO: AtZero[] = ["play-on", "move", "lost"];

export interface ClockPlan {
  kind: string;
  atZero: AtZero;
}

export function clockOf({ kind, atZero }: ClockPlan): Clock | null {
  const clock = CLOCKS[kind];
  return clock ? { ...clock, at_zero: clock.quiet ? "play-on" : atZero } : null;
}

/** A table's clock in a few words: `5 minutes and 10 seconds a move`. */
export function inWords({ seconds, bank, quiet }: Pick<Clock, "seconds" | "bank" | "quiet">): string {
  if (quiet) return say("clock.quiet", { time: spoken(seconds) });
  return bank == null ? say("clock.each", { time: spoken(seconds) }) : say("clock.banked", { bank: spoken(bank), time: spoken(seconds) });
}

/** So many seconds, said in the largest units that fit. */
export function spoken(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole >= DAY) return parts([["whole-day", Math.floor(whole / DAY)], ["hour", Math.floor((whole % DAY) / HOUR)]]);
  if (whole >= HOUR) return parts([["hour", Math.floor(whole / HOUR)], ["minute", Math.floor((whole % HOUR) / MINUTE)]]);
  return parts([["minute", Math.floor(whole / MINUTE)], ["second", whole % MINUTE]]);
}

function parts(amounts: [string, number][]): string {
  const told = amounts.filter(([, count]) => count > 0);
  const [, smallest] = amounts;
  return (told.length > 0 ? told : [smallest!]).map(([unit, count]) => say(`clock.${unit}`, { count })).join(" ");
}

/** As a clock shows it: `4:05`, `1:02:03`; days in words. */
export function shown(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole >= DAY) return spoken(whole);
  const two = (value: number): string => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / HOUR), Math.floor((whole % HOUR) / MINUTE)];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % MINUTE)}` : `${minutes}:${two(whole % MINUTE)}`;
}
