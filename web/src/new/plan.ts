/** What a new table will be: who sits where, and the options that differ from the game's own. */

import type { GameFacts, OptionFacts, Value } from "../api";
import { clockOf, type ClockPlan } from "../clock/clock";
import type { Order } from "../connection";

export const LEVELS = ["easy", "medium", "hard", "expert"] as const;

/** When hints, chances and beliefs may be asked for. */
export const ADVICE = ["practice", "all", "off"] as const;
export const SPECTATORS = ["open", "end", "late", "nobody"] as const;

export type Level = (typeof LEVELS)[number];
/** Who is to sit there: I, anybody who comes, or a bot of a level. */
export type Sitter = "me" | "open" | Level | (string & {});

export interface Plan {
  seats: Sitter[];
  options: Record<string, Value>;
  clock: ClockPlan;
  /** Whether everybody is shown that it waits for players. */
  listed: boolean;
  /** What a table is called that people come back to; empty: it is none. */
  regular: string;
  /** Whether it counts for ratings. */
  rated: boolean;
  /** Who may look on. */
  spectators: (typeof SPECTATORS)[number];
  /** By how many moves those who look on see all hands, if they do. */
  lateMoves: number;
  advice: (typeof ADVICE)[number];
  /** Whether all that was played openly is drawn, in games that show less of it. */
  whole: boolean;
}

export function firstPlan(game: GameFacts): Plan {
  return { seats: meAnd("medium", game.best_with), options: defaultOptions(game), clock: { kind: "none", atZero: "play-on" }, spectators: "open", lateMoves: 10, advice: "practice", listed: false, rated: false, regular: "", whole: false };
}

/** Who may look on: nobody sees hands of a rated game before its end. */
export function onlookers(rated: boolean): (typeof SPECTATORS)[number][] {
  return SPECTATORS.filter((kind) => !(rated && kind === "late"));
}

/** Me in the first seat, the same sitter in all others. */
export function meAnd(sitter: Sitter, players: number): Sitter[] {
  return ["me", ...Array<Sitter>(players - 1).fill(sitter)];
}

/** Somebody can come: if all seats are taken, all but mine are open. */
export function opened(seats: Sitter[]): Sitter[] {
  return seats.includes("open") ? seats : seats.map((sitter) => (sitter === "me" ? "me" : "open"));
}

/** The seats for so many players, as they were as far as possible; I keep one. */
export function resized(seats: Sitter[], players: number): Sitter[] {
  const kept = seats.slice(0, players);
  const filler = seats.findLast((sitter) => sitter !== "me") ?? "medium";
  const all = [...kept, ...Array<Sitter>(players - kept.length).fill(filler)];
  return all.includes("me") ? all : ["me", ...all.slice(1)];
}

/** Somebody else in a seat; if it becomes mine, whoever was there takes my old one. */
export function reseated(seats: Sitter[], seat: number, sitter: Sitter): Sitter[] {
  const before = seats[seat] ?? "open";
  return seats.map((other, index) => {
    if (index === seat) return sitter;
    return sitter === "me" && other === "me" ? before : other;
  });
}

/** The options that act, by what is chosen of the others. */
export function actingOptions(game: GameFacts, chosen: Plan["options"]): OptionFacts[] {
  return game.options.filter(({ only_with: other }) => !other || other.values.includes(chosen[other.option] ?? null));
}

export function createOrder(game: GameFacts, { seats, options, clock, spectators, lateMoves, advice, listed, rated, regular, whole }: Plan, pace: string): Order {
  const changed = actingOptions(game, options).filter(({ name, default: usual }) => options[name] !== usual);
  const chosen = Object.fromEntries(changed.map(({ name }) => [name, options[name] ?? null]));
  return { type: "create", game: game.name, seats, options: chosen, pace, clock: clockOf(clock), spectators, late_moves: lateMoves, advice, listed, rated, regular, whole };
}

function defaultOptions(game: GameFacts): Record<string, Value> {
  return Object.fromEntries(game.options.map((option) => [option.name, option.default]));
}
