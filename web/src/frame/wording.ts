/** A table's log and people in words. */

import type { LogLine, SeatInfo } from "../protocol";
import type { Say } from "../words.svelte";
import { type Part, parts, plain, type Sentence, type Told } from "../words/sentences";

/** What the seats are called; an open one by its number. */
export function namesOf(seats: SeatInfo[], say: Say): string[] {
  return seats.map(({ name }, index) => name || say("seat.number", { number: index + 1 }));
}

/** The sentences of a line in parts, and what was said. */
export function told(line: LogLine, to: Told): Part[][] {
  if (isTalk(line)) return [[{ text: line.preset ? to.say(`chat.${line.preset}`) : line.text }]];
  return line.sentences.map((sentence) => parts(sentence as unknown as Sentence, to));
}

/** Lines of the log in paragraphs: the steps of a turn and what ended it are one. */
export function paragraphs(lines: LogLine[], steps: readonly string[]): LogLine[][] {
  const isStep = ({ kind, text }: LogLine): boolean => kind === "move" && steps.includes(text.split(" ")[0] ?? "");
  const goesOn = (one: LogLine, next: LogLine): boolean => isStep(one) && next.kind === "move" && next.seat === one.seat;
  const told: LogLine[][] = [];
  for (const line of lines) {
    const paragraph = told.at(-1);
    const last = paragraph?.at(-1);
    if (paragraph && last && goesOn(last, line)) paragraph.push(line);
    else told.push([line]);
  }
  return told;
}

export function isTalk(line: LogLine): boolean {
  return line.kind === "chat";
}

/** The last thing that happened in the game or at the table, in words. */
export function latest(lines: LogLine[], to: Told): string {
  const line = lines.findLast((each) => !isTalk(each) && each.sentences.length > 0);
  return line ? told(line, to).map(plain).join(" ") : "";
}
