import { expect, test } from "vitest";
import { byGame, outcomeOf, rivalsOf, tallyOf } from "../src/me/tally";
import type { PastGame } from "../src/protocol";

let tables = 0;

function game(winners: number[], more: Partial<PastGame> = {}): PastGame {
  tables += 1;
  const people = ["me", "clara"];
  return { table: `T${tables}`, game: "tiny", time: tables, seat: 0, left: false, names: ["I", "Clara"], people, winners, scores: [1, 2], reason: "", daily: "", regular: null, ...more };
}

test("a streak ends with a game that is lost, and not with one that nobody wins", () => {
  expect(tallyOf([game([0]), game([]), game([0]), game([1]), game([0]), game([0]), game([0])])).toEqual({ played: 7, won: 5, streak: 2, longest: 3 });
  expect(tallyOf([game([1]), game([0])])).toMatchObject({ streak: 0, longest: 1 });
  expect(tallyOf([])).toEqual({ played: 0, won: 0, streak: 0, longest: 0 });
});

test("who leaves hasn't won, whatever the bot came to", () => {
  expect(outcomeOf(game([0], { left: true }))).toBe("lost");
});

test("head-to-head counts games that one of the two has won, and follows the person through names", () => {
  const games = [game([0]), game([1], { names: ["I", "Clarissa"] }), game([0, 1]), game([0]), game([0], { people: ["me", ""] })];
  expect(rivalsOf(games)).toEqual([{ who: "clara", name: "Clara", mine: 2, theirs: 1 }]);
});

test("the most played game comes first", () => {
  expect(byGame([game([0]), game([0], { game: "cash" }), game([1])]).map(([name, games]) => [name, games.length])).toEqual([["tiny", 2], ["cash", 1]]);
});
