/** How Kazink! is dealt. */

import type { Deal } from "../../shuffle/deal";
import { copies, handsOf } from "../../shuffle/random";

export const deal: Deal = (random, { players, options }) => {
  const dealer = random.seat(options.dealer, players);
  const deck = random.shuffled(copies([..."SHDC"].map((suit): [string, number] => [suit, 11]).concat([["W", 4], ["U", 4], ["K", 2]])));
  return { hands: handsOf(deck, { players, size: Number(options.hand), first: dealer + 1 }) };
};
