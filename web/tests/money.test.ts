import { describe, expect, test } from "vitest";
import assetsSpanish from "../../kibitz/games/assets/words.es.json";
import english from "../../kibitz/core/words.en.json";
import spanish from "../../kibitz/core/words.es.json";
import { sayer } from "../src/words.svelte";
import { gained, money, points, shortMoney } from "../src/words/money";
import amounts from "./money.json";

describe.each([
  { language: "en" as const, core: english },
  { language: "es" as const, core: spanish },
])("amounts in $language", ({ language, core }) => {
  const say = sayer(() => [core]);

  test.each(amounts[language])("%d is %s, and %s where there is little room", (amount, full, short) => {
    expect(money(say, amount as number)).toBe(full);
    expect(shortMoney(say, amount as number)).toBe(short);
  });

  test("of points have no dollars, unless the game says so", () => {
    expect([gained(say, 1500), gained(say, -13), points(say, 0)]).toEqual(["+1,500", "−13", "0"]);
    expect(gained(sayer(() => [assetsSpanish, core]), 1500)).toBe("+$1,500");
  });
});
