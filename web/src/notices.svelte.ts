/** Short messages about something that went wrong or was done, shown over any screen until dismissed. */

import { Refusal } from "./connection";
import type { Data, Say } from "./words.svelte";

export interface Notice {
  text: string;
  bad: boolean;
}

let current = $state.raw<Notice | null>(null);

export function notice(): Notice | null {
  return current;
}

export function notify(text: string, bad = false): void {
  current = { text, bad };
}

export function dismiss(): void {
  current = null;
}

/** Wait for a command; if it is refused, tell why. */
export async function attempt<Answer>(answer: Promise<Answer>, say: Say): Promise<Answer | null> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    notify(refusalText(error, say), true);
    return null;
  }
}

/** Why, in the reader's language; a reason without words of its own comes in English. */
export function refusalText({ code, data, message }: Refusal, say: Say, names: string[] = []): string {
  const key = code === "bad-options" ? `option.${String(data.key)}.refused` : `refusal.${code}`;
  const sentence = say(key, named(data, names, say));
  return sentence === key ? message : sentence;
}

/** Data of a sentence with the seats' names in place of their numbers (`seat: 1`) and notation (`p1`), and cards by
 * their names: the game's message `card.<code>`, if it has one.
 */
export function named(data: Data, names: string[], say?: Say): Data {
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, meant(key, value, names, say)]));
}

/** What somebody is called stays as it is, even if it looks like a seat or a card. */
function meant(key: string, value: unknown, names: string[], say: Say | undefined): unknown {
  if (key === "name" || key === "bot") return value;
  return names[seatMeant(key, value) ?? -1] ?? cardsMeant(value, say);
}

function cardsMeant(value: unknown, say: Say | undefined): unknown {
  if (typeof value !== "string" || !say) return value;
  const nameOf = (code: string): string => (say(`card.${code}`) === `card.${code}` ? code : say(`card.${code}`));
  return value.split(", ").map(nameOf).join(", ");
}

function seatMeant(key: string, value: unknown): number | null {
  if (key === "seat" && typeof value === "number") return value;
  return typeof value === "string" && /^p\d$/.test(value) ? Number(value[1]) : null;
}
