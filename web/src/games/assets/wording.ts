/** Cover Your Assets in words: what the table says of cards, sets, stacks and moves. */

import { listed, type Say } from "../../words.svelte";
import type { Action, AssetSet, Prices } from "./view";

export class Wording {
  constructor(
    readonly say: Say,
    readonly names: string[],
    readonly prices: Prices,
  ) {}

  /** “Classic Auto” */
  card(card: string): string {
    return this.say(`card.${card}`);
  }

  short(card: string): string {
    return this.say(`short.${card}`);
  }

  /** “$85k”: every value is a multiple of a thousand. */
  money(amount: number): string {
    return this.say("table.thousands", { amount: amount / 1000 });
  }

  /** “Home, $20k” */
  priced(card: string): string {
    return this.say("table.priced", { card: this.card(card), price: this.money(this.prices.of([card])) });
  }

  /** “2 × Home and Gold, $90k” */
  set({ cards }: AssetSet): string {
    const kinds = [...new Set(cards)].map((kind) => {
      const count = cards.filter((card) => card === kind).length;
      return count > 1 ? `${count} × ${this.card(kind)}` : this.card(kind);
    });
    return this.say("table.priced", { card: listed(kinds), price: this.money(this.prices.of(cards)) });
  }

  sets(count: number): string {
    return this.say("table.sets", { count });
  }

  /** A stack, as it is read out. */
  stack(seat: number, sets: AssetSet[]): string {
    const name = this.names[seat];
    const top = sets.at(-1);
    if (!top) return this.say("table.stack-empty", { name });
    const key = sets.length > 1 ? "table.stack-open" : "table.stack-safe";
    const worth = this.money(this.prices.stack(sets));
    return this.say(key, { name, sets: this.sets(sets.length), worth, top: this.set(top) });
  }

  /** What a move does, in full. */
  action({ verb, mine, taken, victim }: Action): string {
    const [first = "", second = ""] = mine.map((card) => this.card(card));
    const data = { card: first, first, second, taken: taken ? this.card(taken) : "", victim: this.names[victim ?? -1] };
    return this.say(`table.do.${verb}`, data);
  }
}
