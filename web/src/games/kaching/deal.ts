/** How Ka-Ching! is dealt. */

import type { Deal } from "../../shuffle/deal";

export const deal: Deal = (random, { players, options }) => {
  random.seat(options.starter, players);
  const cards = [..."RYGBP"].flatMap((colour) => [2, 2, 3, 3, 4, 5, 6].map((value) => `${colour}${value}`));
  const deck = random.shuffled(cards);
  return { columns: [0, 1, 2, 3, 4].map((column) => deck.slice(7 * column, 7 * column + 7)) };
};
