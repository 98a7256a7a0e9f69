import { expect, test } from "vitest";
import { bySides, growthOf, inOrder, placesOf, roundsOf, scoredIn, standingsOf, type RoundScore } from "../src/frame/scores";
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

test("a score grows step by step from what was there before", () => {
  const growth = growthOf(scored(1, [3, 0, -2], [4, 0, 0]), [10, 20]);
  expect(growth).toEqual([
    { step: "step 0", amounts: [3, 4], totals: [13, 24] },
    { step: "step 2", amounts: [-2, 0], totals: [11, 24] },
  ]);
});

test("equal scores share a place, and who won is first whatever the scores are", () => {
  expect(placesOf([5, 9, 5, 1])).toEqual([2, 1, 2, 4]);
  expect(placesOf([5, 9], [0])).toEqual([1, 2]);
  expect(inOrder([2, 1, 2, 4])).toEqual([1, 0, 2, 3]);
});

test("seats of one side stand together, at the place of the first", () => {
  expect(bySides([1, 3, 0, 2], (seat) => seat % 2)).toEqual([[1, 3], [0, 2]]);
  expect(bySides([2, 0, 1], (seat) => seat)).toEqual([[2], [0], [1]]);
});
