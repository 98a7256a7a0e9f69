import { expect, test } from "vitest";
import { dealOf } from "../src/games";
import { dealtAnew, fitsCommitment, isSame, type Dealt } from "../src/shuffle/deal";
import deals from "./deals.json";

for (const { game, players, options, secret, words, commitment, shown } of deals) {
  const sealed = { secret, words, players, options };

  test(`a deal of ${game} is computed anew as the engine dealt it`, async () => {
    const deal = (await dealOf(game))!;
    expect(fitsCommitment(secret, commitment)).toBe(true);
    expect(isSame(dealtAnew(deal, sealed), shown as Dealt)).toBe(true);
  });

  test(`another secret, another word or another order of words of ${game} is found out`, async () => {
    const deal = (await dealOf(game))!;
    const other = secret.replace(/^../, "ff");
    expect(fitsCommitment(other, commitment)).toBe(false);
    for (const tampered of [{ secret: other }, { words: [...words].reverse() }, { words: [] }, { words: [...words, ""] }])
      expect(isSame(dealtAnew(deal, { ...sealed, ...tampered }), shown as Dealt)).toBe(false);
  });
}
