/** An offer in the making, and a counter-offer for my next turn, outlive a reload of the page. */

import { read, write } from "../../settings.svelte";
import { minus, type Offer, tradeable, type View } from "./view";

export interface Drafts {
  draft: Offer | null;
  later: Offer | null;
}

interface Kept extends Drafts {
  round: number;
}

const keyOf = (table: string): string => `kibitz.offers.${table}`;

export function keep(table: string, { round }: View, drafts: Drafts): void {
  if (drafts.draft || drafts.later) write(sessionStorage, keyOf(table), { round, ...drafts } satisfies Kept);
  else sessionStorage.removeItem(keyOf(table));
}

/** What was kept in this round. */
export function kept(table: string, { round }: View): Drafts {
  const found = read<Kept>(sessionStorage, keyOf(table));
  return found?.round === round ? found : { draft: null, later: null };
}

/** The part of an offer that is still there: of what I give, and of the other's firm. */
export function fitted(offer: Offer, { hands, firms }: View): Offer {
  const { from, to, give, give_firm, want_firm } = offer;
  return {
    ...offer,
    give: shared(give, hands[from] ?? []),
    give_firm: shared(give_firm, tradeable(firms[from]!)),
    want_firm: shared(want_firm, tradeable(firms[to]!)),
  };
}

function shared(some: string[], others: string[]): string[] {
  return minus(some, minus(some, others));
}
