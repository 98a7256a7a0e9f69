/** The rounds that were scored, from the log's events; and who is where by what they have. */

import type { RoundScored, SeatScore, ScoreStep } from "../events";
import type { Pack } from "../games/pack";
import type { LogLine } from "../protocol";
import type { Table } from "../table.svelte";

export type { RoundScored as RoundScore, SeatScore, ScoreStep };

/** The name of a step that only tells what the others come to. */
const SUM = "sum";

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
    const points = seats.map(({ steps }) => steps.reduce((sum, { name, amount }) => sum + (name === SUM ? 0 : amount), 0));
    totals = totals.map((total, seat) => total + (points[seat] ?? 0));
    return { round, points, totals };
  });
  return totals.every((total, seat) => total === scores[seat]) ? standings : [];
}

/** A step of a round's score: what it brought each seat, and what each then had. */
export interface Growth {
  step: string;
  amounts: number[];
  totals: number[];
}

/** How a round's score grew, step by step, from what everybody had before; steps that brought nobody anything are left out. */
export function growthOf({ seats }: RoundScored, before: number[]): Growth[] {
  const names = [...new Set(seats.flatMap(({ steps }) => steps.map(({ name }) => name)))].filter((name) => name !== SUM);
  let totals = before;
  return names.flatMap((step) => {
    const amounts = before.map((_, seat) => amountOf(seats[seat], step));
    if (amounts.every((amount) => amount === 0)) return [];
    totals = totals.map((total, seat) => total + amounts[seat]!);
    return [{ step, amounts, totals }];
  });
}

/** Seats in order, those together who win and lose together. */
export const sidesOf = (order: number[], { figures }: Table, pack: Pack | null): number[][] =>
  bySides(order, (seat) => pack?.sideOf?.(figures, seat) ?? seat);

/** Seats in order, those of one side together. */
export function bySides(order: number[], sideOf: (seat: number) => unknown): number[][] {
  const first = order.filter((seat, i) => order.findIndex((other) => sideOf(other) === sideOf(seat)) === i);
  return first.map((leader) => order.filter((seat) => sideOf(seat) === sideOf(leader)));
}

/** Each seat's place by its score, from 1; who won is first whatever the scores are. */
export function placesOf(scores: number[], winners: number[] = []): number[] {
  const isAhead = (one: number, other: number): boolean =>
    winners.includes(one) === winners.includes(other) ? scores[one]! > scores[other]! : winners.includes(one);
  return scores.map((_, seat) => 1 + scores.filter((_, other) => !winners.includes(seat) && isAhead(other, seat)).length);
}

/** The seats from the first place to the last. */
export function inOrder(places: number[]): number[] {
  return places.map((_, seat) => seat).sort((one, other) => places[one]! - places[other]! || one - other);
}

/** The round that the line scored, if it did. */
export function scoredIn(line: LogLine | undefined): RoundScored | undefined {
  return line?.events.find(isScore);
}

function amountOf(seat: SeatScore | undefined, step: string): number {
  return (seat?.steps ?? []).reduce((sum, { name, amount }) => sum + (name === step ? amount : 0), 0);
}

function isScore(event: unknown): event is RoundScored {
  return (event as { event?: string } | null)?.event === "score";
}
