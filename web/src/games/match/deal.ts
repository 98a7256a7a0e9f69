/** How MATCH! is dealt. */

import type { Deal } from "../../shuffle/deal";
import { handsOf } from "../../shuffle/random";

export const deal: Deal = (random, { players, options }) => {
  random.seat(options.starter, players);
  const cards = [..."RYGBP"].flatMap((colour) => [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5].map((value) => `${colour}${value}`));
  const deck = random.shuffled([...cards, ..."WWWW"]);
  return { hands: handsOf(deck, { players, size: 5, first: 0 }) };
};
