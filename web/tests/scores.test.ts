import { expect, test } from "vitest";
import { roundsOf, scoredIn, standingsOf, type RoundScore } from "../src/frame/scores";
import type { LogLine } from "../src/protocol";

function scored(round: number, ...points: number[][]): RoundScore {
  const seats = points.map((steps, seat) => ({
    seat,
    cards: [],
    steps: steps.map((amount, i) => ({ name: `step ${i}`, amount })),
  }));
  return { event: "score", round, reason: "dawn", seats };
}

const line = (...events: unknown[]): LogLine => ({ events }) as LogLine;

test("rounds are found among the lines' events", () => {
  const lines = [line({ event: "move" }), line({ event: "draw" }, scored(1, [3], [4])), line(scored(2, [1], [2]))];
  expect(roundsOf(lines).map(({ round }) => round)).toEqual([1, 2]);
  expect(scoredIn(lines[1])?.round).toBe(1);
  expect(scoredIn(lines[0])).toBeUndefined();
  expect(scoredIn(undefined)).toBeUndefined();
});

test("a round that was taken back and played again counts once", () => {
  expect(roundsOf([line(scored(1, [3], [4])), line(scored(1, [9], [0]))])).toEqual([scored(1, [9], [0])]);
});

test("totals add up round by round", () => {
  const rounds = [scored(1, [3, 2], [4]), scored(2, [-1], [10])];
  expect(standingsOf(rounds, [4, 14])).toEqual([
    { round: 1, points: [5, 4], totals: [5, 4] },
    { round: 2, points: [-1, 10], totals: [4, 14] },
  ]);
});

test("where steps aren't what the points are the sum of, nothing is shown", () => {
  expect(standingsOf([scored(1, [3], [4])], [5, 4])).toEqual([]);
});
