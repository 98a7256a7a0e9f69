import { describe, expect, test } from "vitest";
import cashWords from "../../kibitz/games/cash/words.en.json";
import core from "../../kibitz/core/words.en.json";
import serverWords from "../../kibitz/server/words.en.json";
import type { LogLine } from "../src/protocol";
import { sayer } from "../src/words.svelte";
import { plain, type Sentence } from "../src/words/sentences";
import { doneToMe, type Entry, LogInWords, news } from "../src/frame/wording";

const say = sayer(() => [cashWords, core, serverWords]);
const log = (seat: number | null = 0): LogInWords => new LogInWords({ say, names: ["Ann", "Bruno", "Clara", "Dante"], seat });

function line(number: number, seat: number | null, ...sentences: Sentence[]): LogLine {
  return { number, kind: "move", seat, name: "", called: [], sentences: sentences as never, text: "", events: [] } as unknown as LogLine;
}

const by = (seat: number, key: string, data: Sentence["data"] = {}): Sentence => ({ key, data: { seat: { seat }, ...data } });
const discards = (seat: number): Sentence => by(seat, "log.discard", { card: { card: "license" } });
const draws = (seat: number): Sentence => by(seat, "log.draw", { count: 1, cards: [{ card: "?" }] });
const texts = (entries: Entry[]): string[] => entries.map(({ sentences }) => sentences.map(({ parts }) => plain(parts)).join(" "));

describe("an entry of the log", () => {
  test("belongs to who acts in it, whoever made the move that caused it", () => {
    const entries = log().entries([line(1, 0, discards(0), draws(1)), line(2, 1, discards(1))]);
    expect(entries.map(({ actor }) => actor)).toEqual([0, 1]);
    expect(texts(entries)).toEqual(["You discard license.", "Bruno draws a card. Bruno discards license."]);
  });

  test("keeps the name of who made it when a bot takes the seat over and gives it back", () => {
    const left = { kind: "seat", seat: 1, name: "Bob" };
    const entries = log(1).entries([
      line(1, 1, discards(1)),
      { ...line(2, 1, by(1, "table.stand.bot", { name: "Bob", bot: "Bruno", level: "hard" })), ...left },
      line(3, 1, discards(1)),
      { ...line(4, 1, by(1, "table.return", { name: "Bob", bot: "Bruno" })), ...left },
      line(5, 1, discards(1)),
    ]);
    expect(texts(entries)).toEqual([
      "You discard license.",
      "Bob leaves; Bruno (hard) plays on.",
      "Bruno discards license.",
      "Bob is back.",
      "You discard license.",
    ]);
  });

  test("tells once what several do alike", () => {
    const passing = (number: number, seat: number): LogLine => line(number, seat, by(seat, "log.pass", { card: { card: seat ? "?" : "license" } }));
    const entries = log().entries([passing(1, 0), passing(2, 1), passing(3, 1), passing(4, 2), passing(5, 3)]);
    expect(texts(entries)).toEqual(["You will pass on license.", "3 players have chosen a card to pass on."]);
    expect(entries[1]?.actor).toBe(null);
  });
});

test("the news begin after my own move, and what was done to me is known", () => {
  const takes = by(2, "log.take", { card: { card: "cash-5" }, rival: { seat: 0 } });
  const entries = log().entries([line(1, 1, discards(1)), line(2, 0, discards(0), draws(1)), line(3, 2, takes)]);
  expect(texts(news(entries))).toEqual(["Bruno draws a card.", "Clara takes $5k from your firm."]);
  expect(doneToMe(news(entries)).map(({ parts }) => plain(parts))).toEqual(["Clara takes $5k from your firm."]);
});

test("the news begin after my own move also where another's move made me draw first", () => {
  const entries = log().entries([line(1, 3, discards(3), draws(0)), line(2, 0, discards(0)), line(3, 1, discards(1))]);
  expect(texts(news(entries))).toEqual(["Bruno discards license."]);
});

test("a line names no ruling by its number", () => {
  const told = sayer(() => [{ "ending.hands": "All hands are empty. [A10]" }]);
  const [entry] = new LogInWords({ say: told, names: [], seat: 0 }).entries([line(1, null, { key: "ending.hands", data: {} })]);
  expect(plain(entry!.sentences[0]!.parts)).toBe("All hands are empty.");
});

test("a line keeps the names it was made under", () => {
  const lines = [
    { ...line(0, null), called: ["Otter", "Bruno"] },
    line(1, 0, by(0, "log.play.license")),
    { ...line(2, 0), kind: "name", called: ["Ann", "Bruno"] },
    line(3, 0, by(0, "log.play.stop")),
  ];
  const told = log(null).entries(lines).flatMap(({ sentences }) => sentences.map(({ parts }) => plain(parts)));
  expect(told[0]).toContain("Otter");
  expect(told.at(-1)).toContain("Ann");
});

test("what befalls me by another's move is done to me; what I win by it isn't", () => {
  const [skipped, won] = [by(0, "log.skip"), by(0, "log.take", { card: { card: "cash-5" }, rival: { seat: 1 } })];
  const entries = log().entries([line(1, 1, discards(1), skipped), line(2, 1, won)]);
  expect(doneToMe(entries).map(({ parts }) => plain(parts))).toEqual(["You lose a turn."]);
});

test("a new round begins without news of the last", () => {
  const ends = [by(1, "log.play.stop"), { key: "log.scored", data: { round: 1 } }, by(1, "log.round", { round: 2 })];
  const entries = log().entries([line(1, 2, discards(2)), line(2, 1, ...ends)]);
  expect(news(entries)).toEqual([]);
  expect(texts(news([...entries, ...log().entries([line(3, 1, discards(1))])]))).toEqual(["Bruno discards license."]);
});

test("what was taken back is no news", () => {
  const undone = { ...line(3, 1, by(0, "table.agree-undo"), by(1, "table.undo")), kind: "answer-undo" };
  const entries = log().entries([line(1, 0, discards(0)), line(2, 1, discards(1)), undone]);
  expect(texts(news(entries))).toEqual([]);
});

test("that the time was over is told briefly, too, to others and to me", () => {
  const late = (seat: number): LogLine => line(seat + 1, seat, by(seat, "table.late.move"), discards(seat));
  const told = log().entries([late(0), late(1)]).flatMap(({ sentences }) => sentences);
  expect(told.filter(({ sentence }) => sentence.key === "table.late.move").map(({ short }) => plain(short))).toEqual(["out of time", "out of time"]);
});
