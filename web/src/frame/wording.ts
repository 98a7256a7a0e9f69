/** A table's log and people in words. */

import { named } from "../notices.svelte";
import type { Line, Seat } from "../protocol";
import type { Data, Say } from "../words.svelte";

/** What the seats are called; an open one by its number. */
export function namesOf(seats: Seat[], say: Say): string[] {
  return seats.map(({ name }, index) => name || say("seat.number", { number: index + 1 }));
}

/** What words need to know of a table. */
export interface Told {
  say: Say;
  names: string[];
  /** The reader's seat. */
  seat: number | null;
}

/** A sentence about the seats; of what I do or what is done to me in the second person, where the catalogue has that. */
export function sentence(key: string, data: Data, { say, names, seat }: Told): string {
  const own = key + person(data, seat);
  const spoken = say(own, named(data, names, say));
  return spoken === own ? say(key, named(data, names, say)) : spoken;
}

/** The form of a sentence in which I am the one who acts, or another whom it names. */
function person(data: Data, seat: number | null): "" | ".you" | ".to-you" {
  if (seat === null) return "";
  if (data.seat === seat) return ".you";
  return Object.values(data).includes(`p${seat}`) ? ".to-you" : "";
}

/** The sentences of a line, and what was said. */
export function told(line: Line, to: Told): string[] {
  if (isTalk(line)) return [line.preset ? to.say(`chat.${line.preset}`) : line.text];
  return line.sentences.map(({ key, data }) => sentence(String(key), (data ?? {}) as Data, to));
}

/** Lines of the log in paragraphs: the steps of a turn and what ended it are one. */
export function paragraphs(lines: Line[], steps: readonly string[]): Line[][] {
  const isStep = ({ kind, text }: Line): boolean => kind === "move" && steps.includes(text.split(" ")[0] ?? "");
  const goesOn = (one: Line, next: Line): boolean => isStep(one) && next.kind === "move" && next.seat === one.seat;
  const told: Line[][] = [];
  for (const line of lines) {
    const paragraph = told.at(-1);
    const last = paragraph?.at(-1);
    if (paragraph && last && goesOn(last, line)) paragraph.push(line);
    else told.push([line]);
  }
  return told;
}

export function isTalk(line: Line): boolean {
  return line.kind === "chat";
}

/** The last thing that happened in the game or at the table, in words. */
export function latest(lines: Line[], to: Told): string {
  const line = lines.findLast((each) => !isTalk(each) && each.sentences.length > 0);
  return line ? told(line, to).join(" ") : "";
}
