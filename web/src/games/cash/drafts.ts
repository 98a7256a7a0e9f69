/** An offer in the making outlives a reload of the page. */

import { read, write } from "../../settings.svelte";
import { type Model, type Offer, shared, type View } from "./view";

export interface Draft {
  draft: Offer | null;
  /** Whether the desk was open. */
  opened: boolean;
}

interface Kept extends Draft {
  round: number;
}

const keyOf = (table: string): string => `kibitz.offer.${table}`;

export function keep(table: string, { round }: View, desk: Draft): void {
  if (desk.draft) write(sessionStorage, keyOf(table), { round, ...desk } satisfies Kept);
  else sessionStorage.removeItem(keyOf(table));
}

/** What was kept in this round. */
export function kept(table: string, { round }: View): Draft {
  const found = read<Kept>(sessionStorage, keyOf(table));
  return found?.round === round ? found : { draft: null, opened: false };
}

/** The part of an offer that is still there: of what I give, and of the other's firm. */
export function fitted(offer: Offer, { view, figures }: Model): Offer {
  const trade = figures.trades[offer.to];
  return {
    ...offer,
    give: shared(offer.give, view.hands[offer.from] ?? []),
    give_firm: shared(offer.give_firm, trade?.give ?? []),
    want_firm: shared(offer.want_firm, trade?.want ?? []),
  };
}
