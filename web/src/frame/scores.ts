/** The rounds that were scored, from the log's events. */

import type { RoundScored, SeatScore, ScoreStep } from "../events";
import type { LogLine } from "../protocol";

export type { RoundScored as RoundScore, SeatScore, ScoreStep };

/** All rounds scored so far. A line taken back by an undo counts no more. */
export function roundsOf(lines: LogLine[]): RoundScored[] {
  const rounds = new Map<number, RoundScored>();
  for (const line of lines) for (const event of line.events) if (isScore(event)) rounds.set(event.round, event);
  return [...rounds.values()];
}

/** What a round brought each seat, and what each had after it. */
export interface Standing {
  round: number;
  points: number[];
  totals: number[];
}

/** How the totals came about round by round; nothing where a round's steps aren't what its points are the sum of. */
export function standingsOf(rounds: RoundScored[], scores: number[]): Standing[] {
  let totals = scores.map(() => 0);
  const standings = rounds.map(({ round, seats }) => {
    const points = seats.map(({ steps }) => steps.reduce((sum, { amount }) => sum + amount, 0));
    totals = totals.map((total, seat) => total + (points[seat] ?? 0));
    return { round, points, totals };
  });
  return totals.every((total, seat) => total === scores[seat]) ? standings : [];
}

/** The round that the line scored, if it did. */
export function scoredIn(line: LogLine | undefined): RoundScored | undefined {
  return line?.events.find(isScore);
}

function isScore(event: unknown): event is RoundScored {
  return (event as { event?: string } | null)?.event === "score";
}
