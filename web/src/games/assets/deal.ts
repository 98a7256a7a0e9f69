/** How Cover Your Assets is dealt. */

import type { Deal } from "../../shuffle/deal";
import { copies, handsOf } from "../../shuffle/random";

const each = (names: string, count: number): [string, number][] => names.split(" ").map((name) => [name, count]);

const DECKS: Record<string, [string, number][]> = {
  first: [["home", 8], ...each("auto jewels stocks coins bank stamps baseball mattress piggy", 10), ["silver", 8], ["gold", 4]],
  second: [...each("comics piano train", 10), ...each("jewels mattress piggy scooter plane auto", 9), ["cabin", 8], ["silver", 8], ["gold", 4]],
};

export const deal: Deal = (random, { players, options }) => {
  const dealer = random.seat(options.dealer, players);
  const deck = random.shuffled(copies(DECKS[String(options.deck)] ?? []));
  return { hands: handsOf(deck, { players, size: Number(options.hand), first: dealer + 1 }) };
};
