/** A view names cards, and two cards may have one name. This follows each single card from view to view, so that
 * motion can show where it came from: a card bought from a column keeps in the stock the key it had in the column.
 */

export interface TrackedCard {
  key: string;
  card: string;
}

/** Names of cards by the pile they lie in. */
export type Piles = Record<string, string[]>;

/** The cards of a view, each with its key. */
export interface Cards {
  /** What was dealt at once: keys don't outlive it. */
  deal: string;
  piles: Record<string, TrackedCard[]>;
  /** Cards out of play, the latest last: those that were on the table in an earlier view. */
  gone: TrackedCard[];
  /** How many keys were made. */
  made: number;
}

export const NO_CARDS: Cards = { deal: "", piles: {}, gone: [], made: 0 };

/** The cards of the next view. A new deal begins anew: before it, these have `gone`. */
export function follow(before: Cards, deal: string, piles: Piles, gone: string[] = []): Cards {
  const cards = { ...before, deal };
  const make = (card: string): TrackedCard => ({ key: `${card}#${(cards.made += 1)}`, card });
  if (deal !== before.deal) {
    return { ...cards, piles: mapValues(piles, (names) => names.map(make)), gone: gone.map(make), made: cards.made };
  }
  const loose: TrackedCard[] = [];
  const kept = mapValues(piles, (names, pile) => keepers(before.piles[pile] ?? [], names, loose));
  for (const [pile, lying] of Object.entries(before.piles)) if (!(pile in piles)) loose.push(...lying);
  const pool = [...before.gone, ...loose];
  /** In the view's order: from what stayed in the pile, else from the pool, else new. */
  const fill = (names: string[], pile: string): TrackedCard[] =>
    names.map((name) => take(kept[pile] ?? [], name) ?? take(pool, name, "latest") ?? make(name));
  return { ...cards, piles: mapValues(piles, fill), gone: pool, made: cards.made };
}

/** The cards that stay in a pile, the first of equal ones before the later; the others become loose. */
function keepers(pile: TrackedCard[], names: string[], loose: TrackedCard[]): TrackedCard[] {
  const rest = [...pile];
  const kept = names.map((name) => take(rest, name)).filter((card) => card !== undefined);
  loose.push(...rest);
  return kept;
}

function take(cards: TrackedCard[], name: string, which: "first" | "latest" = "first"): TrackedCard | undefined {
  const same = ({ card }: TrackedCard): boolean => card === name;
  const place = which === "first" ? cards.findIndex(same) : cards.findLastIndex(same);
  return place < 0 ? undefined : cards.splice(place, 1)[0];
}

function mapValues<From, To>(object: Record<string, From>, change: (value: From, key: string) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
}
