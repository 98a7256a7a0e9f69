import { flushSync, mount, unmount } from "svelte";
import { describe, expect, test } from "vitest";
import assetsWords from "../../kibitz/games/assets/words.en.json";
import cashWords from "../../kibitz/games/cash/words.en.json";
import kachingEnglish from "../../kibitz/games/kaching/words.en.json";
import kachingSpanish from "../../kibitz/games/kaching/words.es.json";
import matchWords from "../../kibitz/games/match/words.en.json";
import core from "../../kibitz/core/words.en.json";
import { type Catalogue, sayer } from "../src/words.svelte";
import { cardName, parts, plain, short, type Sentence, type Told, type Value } from "../src/words/sentences";
import Words from "../src/words/Words.svelte";

const NAMES = ["Ann", "Bob", "<b>{seat}</b>"];

function to(words: Catalogue, seat: number | null = null): Told {
  return { say: sayer(() => [words, core]), names: NAMES, seat };
}

const BUY: Sentence = { key: "log.buy", data: { seat: { seat: 1 }, card: { card: "B3" }, price: { money: 3 } } };

describe("parts", () => {
  test("say what they stand for", () => {
    expect(parts(BUY, to(kachingEnglish))).toEqual([
      { text: "Bob", means: { seat: 1 } },
      { text: " buys " },
      { text: "blue 3", means: { card: "B3" } },
      { text: " for " },
      { text: "$3", means: { money: 3 } },
      { text: "." },
    ]);
  });

  test("make up the same sentence in each language", () => {
    expect(plain(parts(BUY, to(kachingEnglish)))).toBe("Bob buys blue 3 for $3.");
    expect(plain(parts(BUY, to(kachingSpanish)))).toBe("Bob compra 3 azul por $3.");
  });

  test("speak to whoever acts, and to whoever is named", () => {
    const taken: Sentence = { key: "log.take", data: { seat: { seat: 0 }, card: { card: "license" }, rival: { seat: 1 } } };
    const told = [null, 0, 1, 2].map((seat) => plain(parts(taken, to(cashWords, seat))));
    expect(told).toEqual([
      "Ann takes license from Bob's firm.",
      "You take license from Bob's firm.",
      "Ann takes license from your firm.",
      "Ann takes license from Bob's firm.",
    ]);
  });

  test.each<[string, Value]>([
    ["license, stop trading", [{ card: "license" }, { card: "stop" }]],
    ["a card", [{ card: "?" }]],
    ["stop trading, 2 cards", [{ card: "?" }, { card: "stop" }, { card: "?" }]],
    ["$5k from the firm", [{ key: "log.from-firm", data: { card: { card: "cash-5" } } }]],
  ])("list cards and count those that are hidden: %s", (told, give) => {
    const gift: Sentence = { key: "log.offer-gift", data: { seat: { seat: 0 }, rival: { seat: 1 }, give } };
    expect(plain(parts(gift, to(cashWords)))).toBe(`Ann offers Bob a gift: ${told}.`);
  });

  test("choose the plural form by the count, and write thousands", () => {
    const reshuffled = (count: number): string => plain(parts({ key: "log.reshuffle", data: { count } }, to({})));
    expect(reshuffled(1)).not.toBe(reshuffled(2));
    expect(reshuffled(1234)).toContain("1,234");
  });

  test("leave a name as it is, whatever it looks like", () => {
    expect(plain(parts({ key: "log.pass", data: { seat: { seat: 2 } } }, to(kachingEnglish)))).toBe(
      "<b>{seat}</b> passes.",
    );
  });

  test("show the key of a message that isn't there", () => {
    expect(plain(parts({ key: "log.none", data: {} }, to({})))).toBe("log.none");
  });
});

test("cards are called by a message of their own, by colour and value, or by their code", () => {
  expect(cardName("W", to(matchWords).say)).toBe("joker");
  expect(cardName("R0", to(matchWords).say)).toBe("red 0");
  expect(cardName("7", to({}).say)).toBe("7");
});

test("a sentence is drawn with its cards and read with their names", () => {
  const sentence = mount(Words, { target: document.body, props: { parts: parts(BUY, to(kachingEnglish)) } });
  flushSync();
  expect(document.body.textContent?.replace(/\s+/g, " ").trim()).toBe("Bob buys blue 3 for $3.");
  expect(document.querySelector(".mini svg")).not.toBeNull();
  expect(document.querySelector("b")?.textContent).toBe("Bob");
  void unmount(sentence);
});

describe("in short", () => {
  const brief = (sentence: Sentence, words: Catalogue, seat: number | null = 0): string => plain(short(sentence, to(words, seat)));

  test("a sentence leaves out the name that it stands beside", () => {
    expect(brief(BUY, kachingEnglish)).toBe("buys blue 3 for $3");
  });

  test("it has words of its own where the catalogue has them, and is spoken to me", () => {
    const stolen: Sentence = { key: "log.stolen", data: { seat: { seat: 1 }, card: { card: "home" }, victim: { seat: 0 } } };
    expect(brief(stolen, assetsWords)).toMatch(/^stole your /);
    expect(brief(stolen, assetsWords, 2)).toMatch(/^stole .* from Ann$/);
  });

  test("what isn't worth telling is empty", () => {
    expect(brief({ key: "log.draw", data: { seat: { seat: 1 }, count: 1, cards: [{ card: "?" }] } }, assetsWords)).toBe("");
  });
});
