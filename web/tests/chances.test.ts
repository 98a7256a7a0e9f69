import { expect, test } from "vitest";
import { chancesOf } from "../src/frame/chances";

test("a team has one chance", () => {
  expect(chancesOf([[0, 2], [1, 3]], [0.6, 0.4, 0.6, 0.4], 0)).toEqual([0.6, 0.4]);
});

test("they come to 1, though several can win at once", () => {
  expect(chancesOf([[0, 2], [1, 3]], [0.75, 0.5, 0.75, 0.5], 0)).toEqual([0.6, 0.4]);
});

test("mine is what a hint tells, and the others share the rest", () => {
  expect(chancesOf([[0], [1], [2]], [0.4, 0.2, 0.4], 1, 0.25)).toEqual([0.375, 0.25, 0.375]);
  expect(chancesOf([[0, 2], [1, 3]], [0.6, 0.4, 0.6, 0.4], 3, 0.5)).toEqual([0.5, 0.5]);
});

test("where the others have no chance, a hint gives them none", () => {
  expect(chancesOf([[0], [1]], [1, 0], 0, 0.9)).toEqual([0.9, 0]);
});
