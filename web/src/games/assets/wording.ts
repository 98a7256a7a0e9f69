/** Cover Your Assets in words: what the table says of cards, sets, stacks and moves. */

import { listed, type Say } from "../../words.svelte";
import { money } from "../../words/money";
import type { Action, AssetSet, Figures } from "./view";

export class Wording {
  constructor(
    readonly say: Say,
    readonly names: string[],
    readonly figures: Figures,
  ) {}

  /** “Classic Auto” */
  card(card: string): string {
    return this.say(`card.${card}`);
  }

  short(card: string): string {
    return this.say(`mini.${card}`);
  }

  /** “$85k” */
  money(amount: number): string {
    return money(this.say, amount);
  }

  value(card: string): string {
    return this.money(this.figures.values[card] ?? 0);
  }

  /** “Home, $20k” */
  priced(card: string): string {
    return this.say("table.priced", { card: this.card(card), price: this.value(card) });
  }

  /** “2 × Home and Gold, $90k” */
  set({ cards }: AssetSet, worth: number): string {
    const kinds = [...new Set(cards)].map((kind) => {
      const count = cards.filter((card) => card === kind).length;
      return count > 1 ? `${count} × ${this.card(kind)}` : this.card(kind);
    });
    return this.say("table.priced", { card: listed(kinds), price: this.money(worth) });
  }

  /** A stack, as it is read out. */
  stack(seat: number, sets: AssetSet[]): string {
    const name = this.names[seat];
    const top = sets.at(-1);
    const told = this.figures.stacks[seat];
    const figures = told?.sets.at(-1);
    if (!top || !told || !figures) return this.say("table.stack-empty", { name });
    return this.say(figures.state === "safe" ? "table.stack-safe" : "table.stack-open", {
      name,
      sets: this.say("table.sets", { count: sets.length }),
      worth: this.money(told.worth),
      top: this.set(top, figures.worth),
    });
  }

  /** Why nothing can be stolen from a seat; nothing, if something can. */
  unstealable(seat: number, asset: string): string {
    const code = this.figures.stacks[seat]?.unstealable;
    if (!code) return "";
    if (code === "nothing-fits") return this.say("table.nothing-fits", { asset: this.card(asset) });
    return this.say(`refusal.${code}`, { victim: this.names[seat] });
  }

  /** What a move does, in full. */
  action({ verb, cards, taken, victim }: Action): string {
    const [first = "", second = ""] = cards.map((card) => this.card(card));
    const data = { card: first, first, second, taken: taken ? this.card(taken) : "", victim: this.names[victim ?? -1] };
    return this.say(`table.do.${verb}`, data);
  }
}
