import { describe, expect, test } from "vitest";
import assetsSpanish from "../../kibitz/games/assets/words.es.json";
import english from "../../kibitz/core/words.en.json";
import spanish from "../../kibitz/core/words.es.json";
import { sayer } from "../src/words.svelte";
import { gained, money, points } from "../src/words/money";
import amounts from "./money.json";

describe.each([
  { language: "en" as const, core: english },
  { language: "es" as const, core: spanish },
])("amounts in $language", ({ language, core }) => {
  const say = sayer(() => [core]);

  test.each(amounts[language])("%d is %s", (amount, written) => {
    expect(money(say, amount as number)).toBe(written);
  });

  test("are money in a sentence where a dollar sign stands before them", () => {
    const saying = sayer(() => [{ limit: "${most} in {rounds}", price: "${price}" }, core]);
    expect(saying("limit", { most: -75_000, rounds: 1_000 })).toBe(`${money(say, -75_000)} in 1,000`);
    expect([saying("price", { price: "?" }), saying("price")]).toEqual(["$?", "${price}"]);
  });

  test("of points have no dollars, unless the game says so", () => {
    expect([gained(say, 1500), gained(say, -13), points(say, 0)]).toEqual(["+1,500", "−13", "0"]);
    expect(gained(sayer(() => [assetsSpanish, core]), 1500)).toBe(`+${money(say, 1500)}`);
  });
});
