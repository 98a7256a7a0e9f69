/** How CASH is dealt. */

import type { Deal } from "../../shuffle/deal";
import { copies, handsOf } from "../../shuffle/random";

const CARDS: [string, number][] = [
  ["license", 20], ["stop", 10], ["cash-5", 10], ["cash-10", 10], ["cash-25", 14], ["cash-50", 12], ["cash-75", 8], ["cash-150", 2],
  ["cover-25", 6], ["cover-50", 4], ["cover-75", 2], ["probe-bribery", 6], ["probe-insider", 6], ["probe-laundering", 6], ["probe-crime", 6],
  ["clear-bribery", 10], ["clear-insider", 10], ["clear-laundering", 10], ["clear-crime", 10], ["settlement", 8], ["dividend", 10], ["premium", 2],
  ["venture", 4], ["takeover", 4], ["crash", 8], ["recession", 6], ["bankruptcy", 2], ["broker", 5], ["banker", 3], ["taxman", 2],
]; // prettier-ignore

export const deal: Deal = (random, { players, options }) => {
  const first = random.seat(options.starter, players);
  const onFirms = options.advanced ? 0 : players;
  const deck = random.shuffled(copies(CARDS).slice(onFirms));
  const hands = handsOf(deck, { players, size: 7, first });
  hands[first]!.push(deck.pop()!);
  return { hands };
};
