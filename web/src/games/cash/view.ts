/** CASH's view, as far as the page draws it, and its notation. */

import { HIDDEN } from "../../cards/print";
import type { Piles } from "../../table/cards";
import type { WishTold } from "../../protocol";
import type { TableModel } from "../model.svelte";
import type { Figures, Firm, Offer, View } from "./types";

export type { Figures, Firm, Offer, View };
export type Model = TableModel<View, Figures>;

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

/** What is printed on cash and insurance, in thousands of dollars; 0 on other cards. */
export const thousandsOf = (card: string): number => Number(/-(\d+)$/.exec(card)?.[1] ?? 0);

// Where cards lie

/** Each part of a firm is a pile of its own, so that each card is followed. */
export function pilesOf({ firms, hands, discard }: View, viewpoint: number): Piles {
  const piles: Piles = { hand: hands[viewpoint] ?? [], discard: discard.slice(-1) };
  firms.forEach((firm, seat) => {
    piles[`license ${seat}`] = firm.license ? ["license"] : [];
    piles[`probe ${seat}`] = firm.probe ? [firm.probe] : [];
    piles[`loose ${seat}`] = looseOf(firm);
    firm.insured.forEach(({ cover, cash }, i) => (piles[`bundle ${i} ${seat}`] = [...cash, cover]));
  });
  return piles;
}

/** What lies before a player for itself. */
function looseOf({ cash, venture, taxman }: Firm): string[] {
  return [...cash, ...repeated("venture", venture), ...repeated("taxman", taxman)];
}

function repeated(card: string, times: number): string[] {
  return Array.from({ length: times }, () => card);
}

// Moves

/** The seat that a move is aimed at: `play probe-crime on p2`, `spare p2`, `trade p2`. */
export function targetOf(move: string): number | null {
  const target = / p(\d)$/.exec(move)?.[1];
  return target === undefined ? null : Number(target);
}

/** The card that a move is about. */
export const cardOf = (move: string): string => move.split(" ")[1] ?? "";

/** Whether a move does something with a card of my hand. */
export const isUse = (move: string): boolean => /^(play|discard|trim) /.test(move);

/** The cash that a move insures: `play cover-50 over cash-10 cash-25`. */
export function insuredBy(move: string): string[] {
  return move.split(" over ")[1]?.split(" ") ?? [];
}

/** How some cash is insured. */
export const insuring = (cover: string, cash: string[]): string => `play ${cover} over ${inOrder(cash).join(" ")}`;

/** How a card is played, with something it could be played on; null: it is only ever discarded. */
export function playing(card: string, rival: number): string | null {
  if (kindOf(card) === "probe") return `play ${card} on p${rival}`;
  if (kindOf(card) === "cover") return `play ${card} over cash-5`;
  return /^(license|stop|cash|settlement|venture|taxman)/.test(card) ? `play ${card}` : null;
}

// Offers

export const LISTS = ["give", "give_firm", "want", "want_firm"] as const;
export type List = (typeof LISTS)[number];

/** What each side puts in, from hand and firm, and who that is. */
export const SIDES = [
  { side: "give", lists: ["give", "give_firm"], who: "from" },
  { side: "want", lists: ["want", "want_firm"], who: "to" },
] as const;

export const emptyOffer = (from: number, to: number): Offer => ({
  ...{ from, to, give: [], give_firm: [], want: [], want_firm: [], counter: false },
});

/** The same trade, offered by the other side. */
export function reversed({ from, to, give, give_firm, want, want_firm }: Offer): Offer {
  return { from: to, to: from, give: want, give_firm: want_firm, want: give, want_firm: give_firm, counter: false };
}

const FIRM = "firm ";

/** What somebody would trade with another, as an offer. */
export function offerOf(from: number, { to, offered, wanted }: WishTold): Offer {
  const [give, give_firm] = parted(offered);
  const [want, want_firm] = parted(wanted);
  return { from, to, give, give_firm, want, want_firm, counter: false };
}

/** Cards of a hand and of a firm, by how a wish names them. */
function parted(names: string[]): [string[], string[]] {
  const firm = names.filter((name) => name.startsWith(FIRM)).map((name) => name.slice(FIRM.length));
  return [names.filter((name) => !name.startsWith(FIRM)), firm];
}

/** An offer as talk only. */
export function wishOf({ to, give, give_firm, want, want_firm }: Offer): WishTold {
  const named = (hand: string[], firm: string[]): string[] => [...inOrder(hand), ...inOrder(firm).map((card) => FIRM + card)];
  return { to, offered: named(give, give_firm), wanted: named(want, want_firm) };
}

export const isEmpty = (offer: Offer): boolean => LISTS.every((list) => offer[list].length === 0);

export const isGift = (offer: Offer): boolean => offer.want.length + offer.want_firm.length === 0;

/** The moves that put the cards of an offer together, in the one order in which they can be named. */
export function stepsOf(offer: Offer): string[] {
  const named = LISTS.flatMap((list) => inOrder(offer[list]).map((card) => `${list.replace("_", " ")} ${card}`));
  return [...named, "propose"];
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

/** What two lists have in common. */
export function shared(some: string[], others: string[]): string[] {
  return minus(some, minus(some, others));
}
