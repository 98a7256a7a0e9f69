import { expect, test } from "vitest";
import { percent, points, within } from "../src/review/study";

test("a part of a result has a sign, unless it is nothing", () => {
  expect([0.052, -0.052, 0.004, -0.004].map(points)).toEqual(["+5", "−5", "0", "0"]);
});

test("an estimate is never told to be surer than it is", () => {
  expect([0, 0.002, 0.014].map(within)).toEqual(["± 0", "± 1", "± 2"]);
});

test("a number isn't parted from its percent sign", () => {
  expect(percent(0.989)).toBe("99\u00a0%");
});
