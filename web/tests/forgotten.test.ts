import { expect, test } from "vitest";
import { withForgotten } from "../src/forgotten";

const read = (value: unknown): unknown => JSON.parse(withForgotten(JSON.stringify(value)));

test("whom nobody knows any more is told in words, wherever a name stands", () => {
  expect(read({ names: ["–", "– (2)", "Ann"], seats: [{ name: "–" }] })).toEqual({
    names: ["name.forgotten", "name.forgotten (2)", "Ann"],
    seats: [{ name: "name.forgotten" }],
  });
});

test("what was said stays, and so does what only looks so", () => {
  const lines = [{ text: "–", name: "Ann –" }, { text: '"–"' }, { text: ',"–", he said:"–"' }, { name: "–(2)" }];
  expect(read(lines)).toEqual(lines);
});
