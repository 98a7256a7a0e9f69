/** How long what the others do stays before the next is shown: the reader's own pace, whatever the bots' is. */

import type { Event, Sentence } from "../events";
import type { LogLine } from "../protocol";
import { isDoneTo } from "../words/sentences";

export const PACES = ["slow", "normal", "fast", "instant"] as const;
export type Pace = (typeof PACES)[number];

/** Milliseconds: for every move, and longer for one that changes more. */
const STAYS: Record<Pace, { move: number; more: number }> = {
  slow: { move: 2000, more: 1600 },
  normal: { move: 900, more: 900 },
  fast: { move: 300, more: 300 },
  instant: { move: 0, more: 0 },
};

/** How long new lines stay, as a seat sees them; what it did itself needs no time. */
export function stayOf(lines: LogLine[], seat: number | null, pace: Pace): number {
  const moves = lines.filter((line) => line.kind === "move" && line.seat !== seat);
  if (moves.length === 0) return 0;
  const { move, more } = STAYS[pace];
  return moves.some((line) => changesMore(line, seat)) ? move + more : move;
}

/** At which pace the bots have to play so that the reader's can be kept. */
export function botsPace(pace: Pace): string {
  return pace === "slow" || pace === "normal" ? "normal" : "fast";
}

/** A steal, a sale, a crown or row, a trade; and whatever is done to me. */
function changesMore({ events, sentences }: LogLine, seat: number | null): boolean {
  return (events as Event[]).some(isMore) || (sentences as unknown as Sentence[]).some((each) => isDoneTo(each, seat));
}

function isMore(event: Event): boolean {
  switch (event.event) {
    case "take":
      return event.source !== null;
    case "money":
      return event.amount > 0;
    case "gain":
    case "pass":
      return true;
    default:
      return false;
  }
}
