import { expect, test } from "vitest";
import { calendar, dayBefore, daysInARow } from "../src/daily/days";
import type { PastGame } from "../src/protocol";

const played = (daily: string, winner: number): PastGame => ({
  table: `T-${daily}`,
  game: "tiny",
  time: 0,
  seat: 0,
  left: false,
  names: ["I", "Bruno"],
  people: ["me", ""],
  winners: [winner],
  scores: [1, 2],
  reason: "",
  daily,
  regular: null,
});

test("the day before is a day before, over months and leap years", () => {
  expect([dayBefore("2026-11-01"), dayBefore("2024-03-01"), dayBefore("2026-01-03", 3)]).toEqual(["2026-10-31", "2024-02-29", "2025-12-31"]);
});

test("a calendar has whole weeks from Monday on, up to today", () => {
  const days = calendar("2026-11-17", 2, [played("2026-11-16", 0), played("2026-11-17", 1)]); // a Tuesday
  expect(days.map(({ day }) => day.slice(8))).toEqual(["09", "10", "11", "12", "13", "14", "15", "16", "17"]);
  expect(days.slice(-3).map(({ outcome }) => outcome)).toEqual([null, "won", "lost"]);
});

test("days in a row end with a day that wasn't played, and today may still come", () => {
  const days = ["2026-11-16", "2026-11-15", "2026-11-13"].map((day) => played(day, 0));
  expect(daysInARow("2026-11-17", days)).toBe(2);
  expect(daysInARow("2026-11-17", [played("2026-11-17", 0), ...days])).toBe(3);
  expect(daysInARow("2026-11-19", days)).toBe(0);
});
