import { expect, test } from "vitest";
import { answered, nextOf, NOTHING, solvedOn, streakOn } from "../src/puzzles/progress";

const PUZZLES = [
  { id: "a", grade: 1 },
  { id: "b", grade: 2 },
  { id: "c", grade: 1 },
];

test("days count in a row, a missed one begins anew, and one day counts once", () => {
  let kept = ["2026-02-27", "2026-02-28", "2026-03-01", "2026-03-01"].reduce(solvedOn, NOTHING);
  expect(streakOn(kept, "2026-03-01")).toBe(3);
  expect(streakOn(kept, "2026-03-02")).toBe(3); // today's is still to be solved
  expect(streakOn(kept, "2026-03-03")).toBe(0);
  kept = solvedOn(kept, "2026-03-03");
  expect(streakOn(kept, "2026-03-03")).toBe(1);
  expect(streakOn(NOTHING, "2026-03-03")).toBe(0);
});

test("only what is right at the first try goes on with a run; a wrong one ends it", () => {
  let kept = answered(NOTHING, "match", "a", true, true);
  kept = answered(kept, "match", "b", true, true);
  expect(kept).toMatchObject({ run: 2, longest: 2, solved: { match: ["a", "b"] } });
  kept = answered(kept, "match", "c", false, true);
  expect(kept).toMatchObject({ run: 0, longest: 2 });
  kept = answered(kept, "match", "c", true, false);
  expect(kept).toMatchObject({ run: 0, solved: { match: ["a", "b", "c"] } });
});

test("the next one is of the grade, and wasn't solved; if all were, simply the next", () => {
  expect(nextOf(PUZZLES, [], 0, null)?.id).toBe("a");
  expect(nextOf(PUZZLES, ["a"], 1, null)?.id).toBe("c");
  expect(nextOf(PUZZLES, ["a", "c"], 0, "b")?.id).toBe("c"); // never the same again
  expect(nextOf(PUZZLES, ["a", "b", "c"], 1, "a")?.id).toBe("c");
  expect(nextOf(PUZZLES, ["a"], 3, null)?.id).toBe("b"); // none is so hard
  expect(nextOf([], [], 0, null)).toBeUndefined();
});
