/** A view names cards, and two cards may have one name. This follows each single card from view to view, so that
 * motion can show where it came from: a card bought from a column keeps in the stock the key it had in the column.
 */

export interface TrackedCard {
  key: string;
  card: string;
}

export type Piles = Record<string, string[]>;

export class CardTracker {
  #deal = "";
  #made = 0;
  #piles: Record<string, TrackedCard[]> = {};
  #gone: TrackedCard[] = [];

  /** Cards out of play, the latest last: those that were on the table in an earlier view. */
  get gone(): readonly TrackedCard[] {
    return this.#gone;
  }

  /** The piles of the next view, each card with its key. A new deal begins anew: before it, these cards have gone. */
  follow(deal: string, piles: Piles, gone: string[] = []): Record<string, TrackedCard[]> {
    if (deal !== this.#deal) return this.#begin(deal, piles, gone);
    const loose: TrackedCard[] = [];
    const kept = mapValues(piles, (names, pile) => keepers(this.#piles[pile] ?? [], names, loose));
    for (const [pile, cards] of Object.entries(this.#piles)) if (!(pile in piles)) loose.push(...cards);
    const pool = [...this.#gone, ...loose];
    this.#piles = mapValues(piles, (names, pile) => this.#fill(names, kept[pile] ?? [], pool));
    this.#gone = pool;
    return this.#piles;
  }

  #begin(deal: string, piles: Piles, gone: string[]): Record<string, TrackedCard[]> {
    this.#deal = deal;
    this.#piles = mapValues(piles, (names) => names.map((name) => this.#make(name)));
    this.#gone = gone.map((name) => this.#make(name));
    return this.#piles;
  }

  /** A pile in the view's order: from what stayed in it, else from the pool, else new. */
  #fill(names: string[], kept: TrackedCard[], pool: TrackedCard[]): TrackedCard[] {
    return names.map((name) => take(kept, name) ?? take(pool, name, "latest") ?? this.#make(name));
  }

  #make(card: string): TrackedCard {
    this.#made += 1;
    return { key: `${card}#${this.#made}`, card };
  }
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
