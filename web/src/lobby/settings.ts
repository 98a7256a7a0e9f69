/** What is played at a table, in words: only what differs from the usual, and what it is called. */

import type { GameFacts, OptionFacts, Value } from "../api";
import { CLOCKS, inWords, type AtZero, type ClockPlan } from "../clock/clock";
import { actingOptions } from "../new/plan";
import type { Clock } from "../protocol";
import { canSay, say, type Say } from "../words.svelte";

type Options = Record<string, unknown>;

/** Each as “Rounds: 3”; none, if all is as usual. Seats are told by the names of who sits there; null: not at all. */
export function settingsInWords(facts: GameFacts, options: Options, clock: Clock | null, tell: Say, names: string[] | null = []): string[] {
  const chosen = valuesOf(facts, options);
  const unusual = actingOptions(facts, chosen).filter(({ name, seats, default: usual }) => chosen[name] !== usual && !(seats && names === null));
  const told = unusual.map((option) => `${tell(`option.${option.name}`)}: ${valueInWords(facts.name, option, chosen[option.name] ?? null, tell, names ?? [])}`);
  return clock === null ? told : [...told, inWords(clock)];
}

/** All options with their values, those that aren't named as usual. */
export function valuesOf(facts: GameFacts, options: Options): Record<string, Value> {
  return Object.fromEntries(facts.options.map(({ name, default: usual }) => [name, (options[name] ?? usual) as Value]));
}

function valueInWords(game: string, option: OptionFacts, value: Value, tell: Say, names: string[]): string {
  const key = `option.${option.name}.${value}`;
  if (canSay(key, game)) return tell(key);
  if (typeof value === "boolean") return say(value ? "yes" : "no");
  if (value === null) return tell("option.none");
  return option.seats && typeof value === "number" ? names[value] || tell("seat.number", { number: value + 1 }) : String(value);
}

/** The clock as it was chosen; null: otherwise than by a name. */
export function planOf(clock: Clock | null): ClockPlan | null {
  if (clock === null) return { kind: "none", atZero: "play-on" };
  const same = Object.entries(CLOCKS).find(([, each]) => each?.seconds === clock.seconds && (each.bank ?? null) === (clock.bank ?? null));
  return same ? { kind: same[0], atZero: (clock.at_zero ?? "play-on") as AtZero } : null;
}
