/** CASH's view, as far as the page draws it. */

import { HIDDEN } from "../../cards/print";
import type { Firm, Offer, View } from "./types";

export type { Firm, Offer, View };

export const MOST_OFFERS = 5; // begun in a turn
export const MOST_CARDS = 4; // on a side of an offer

/** All cards, in their order. */
export const CARDS = [
  ...["license", "stop"],
  ...["cash-5", "cash-10", "cash-25", "cash-50", "cash-75", "cash-150"],
  ...["cover-25", "cover-50", "cover-75"],
  ...["probe-bribery", "probe-insider", "probe-laundering", "probe-crime"],
  ...["clear-bribery", "clear-insider", "clear-laundering", "clear-crime", "settlement"],
  ...["dividend", "premium", "venture", "takeover"],
  ...["crash", "recession", "bankruptcy"],
  ...["broker", "banker", "taxman"],
];

export const inOrder = (cards: string[]): string[] =>
  cards.toSorted((one, other) => CARDS.indexOf(one) - CARDS.indexOf(other));

export type Kind = "license" | "stop" | "cash" | "cover" | "probe" | "clear" | "bull" | "bear" | "commission" | "hidden";

const KINDS: Record<string, Kind> = {
  ...{ license: "license", stop: "stop", settlement: "clear" },
  ...{ dividend: "bull", premium: "bull", venture: "bull", takeover: "bull" },
  ...{ crash: "bear", recession: "bear", bankruptcy: "bear" },
  ...{ broker: "commission", banker: "commission", taxman: "commission" },
};

export function kindOf(card: string): Kind {
  if (card === HIDDEN) return "hidden";
  return KINDS[card] ?? (card.split("-")[0] as Kind);
}

/** What a cash card, or the limit of an insurance, is worth in dollars. */
export const dollars = (card: string): number => 1000 * Number(card.split("-")[1] ?? 0);

export const sum = (cards: string[]): number => cards.reduce((total, card) => total + dollars(card), 0);

/** All cash on a firm, insured or not. */
export function tabled({ cash, insured }: Firm): number {
  return sum(cash) + insured.reduce((total, bundle) => total + sum(bundle.cash), 0);
}

/** What lies on a firm and can be traded. */
export function tradeable(firm: Firm): string[] {
  return [...firm.cash, ...repeated("venture", firm.venture), ...repeated("taxman", firm.taxman)];
}

function repeated(card: string, times: number): string[] {
  return Array.from({ length: times }, () => card);
}

// Moves

/** The seat that a move is aimed at: `play probe-crime on p2`. */
export function targetOf(move: string): number | null {
  const target = / on p(\d)$/.exec(move)?.[1];
  return target === undefined ? null : Number(target);
}

/** The card that a move is about. */
export const cardOf = (move: string): string => move.split(" ")[1] ?? "";

/** Whether a move does something with a card of my hand. */
export const isUse = (move: string): boolean => /^(play|discard|trim|pass) /.test(move);

/** The cash that a move insures: `play cover-50 over cash-10 cash-25`. */
export function insuredBy(move: string): string[] {
  return move.split(" over ")[1]?.split(" ") ?? [];
}

/** How a card is played, with something it could be played on; null: it is only ever discarded. */
export function playing(card: string, rival: number): string | null {
  if (card.startsWith("probe")) return `play ${card} on p${rival}`;
  if (card.startsWith("cover")) return `play ${card} over cash-5`;
  return /^(license|stop|cash|settlement|venture|taxman)/.test(card) ? `play ${card}` : null;
}

// Offers

export const emptyOffer = (from: number, to: number): Offer => ({
  ...{ from, to, give: [], give_firm: [], want: [], want_firm: [], counter: false },
});

/** The same trade, offered by the other side. */
export function reversed({ from, to, give, give_firm, want, want_firm }: Offer): Offer {
  return { from: to, to: from, give: want, give_firm: want_firm, want: give, want_firm: give_firm, counter: false };
}

export const isEmpty = ({ give, give_firm, want, want_firm }: Offer): boolean =>
  [give, give_firm, want, want_firm].every(({ length }) => length === 0);

export const isGift = (offer: Offer): boolean => offer.want.length + offer.want_firm.length === 0;

/** The moves that build an offer, in the one order in which it can be built. */
export function stepsOf({ to, give, give_firm, want, want_firm }: Offer): string[] {
  return [
    `trade p${to}`,
    ...inOrder(give).map((card) => `give ${card}`),
    ...inOrder(give_firm).map((card) => `give firm ${card}`),
    ...inOrder(want).map((card) => `want ${card}`),
    ...inOrder(want_firm).map((card) => `want firm ${card}`),
    "propose",
  ];
}

/** A list without one of some equal items. */
export function without(cards: string[], card: string): string[] {
  const at = cards.indexOf(card);
  return at < 0 ? cards : cards.toSpliced(at, 1);
}

/** The items of a list that are left when those of another are taken out. */
export function minus(cards: string[], taken: string[]): string[] {
  return taken.reduce(without, cards);
}
