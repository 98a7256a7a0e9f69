/** A table's log and people in words. */

import { named } from "../notices.svelte";
import type { Line, Seat } from "../protocol";
import type { Data, Say } from "../words.svelte";

/** What the seats are called; an open one by its number. */
export function namesOf(seats: Seat[], say: Say): string[] {
  return seats.map(({ name }, index) => name || say("seat.number", { number: index + 1 }));
}

/** The sentences of a line, and what was said. */
export function told(line: Line, say: Say, names: string[]): string[] {
  if (isTalk(line)) return [line.preset ? say(`chat.${line.preset}`) : line.text];
  return line.sentences.map(({ key, data }) => say(String(key), named((data ?? {}) as Data, names, say)));
}

export function isTalk(line: Line): boolean {
  return line.kind === "chat";
}

/** The last thing that happened in the game or at the table, in words. */
export function latest(lines: Line[], say: Say, names: string[]): string {
  const line = lines.findLast((each) => !isTalk(each) && each.sentences.length > 0);
  return line ? told(line, say, names).join(" ") : "";
}
