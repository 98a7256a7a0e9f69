import { expect, test } from "vitest";
import { chancesOf } from "../src/frame/chances";

test("a team has one chance", () => {
  expect(chancesOf([[0, 2], [1, 3]], [0.6, 0.4, 0.6, 0.4])).toEqual([0.6, 0.4]);
});
