/** Ka-Ching! in words: what the table says of cards, columns and sales. */

import { WILD } from "../../cards/print";
import type { Say } from "../../words.svelte";
import type { Sale } from "./view";

export class Wording {
  constructor(readonly say: Say) {}

  /** “red 4” */
  card(card: string): string {
    if (card === WILD) return this.say("card.W");
    return this.say("card", { colour: this.say(`colour.${card.charAt(0)}`), value: card.slice(1) });
  }

  cards(cards: string[]): string {
    return cards.map((card) => this.card(card)).join(", ");
  }

  /** “red 4, costs $4, column 3” */
  column(column: number, free: string | undefined, price: number | null): string {
    if (free === undefined) return this.say("table.column-empty", { column });
    return this.say("table.column-free", { card: this.card(free), price, column });
  }

  covered(cards: string[]): string {
    return this.say("table.column-covered", { cards: this.cards(cards) });
  }

  /** Why a covered card can't be bought. */
  notFree(card: string, free: string): string {
    return this.say("table.not-free", { card: this.card(card), free: this.card(free) });
  }

  sale({ cards, price }: Sale): string {
    const [first = "", second = ""] = cards.map((card) => this.card(card));
    return this.say("table.sell-pair", { first, second, price });
  }

  /** Why a chosen card can't be sold. */
  noPartner(card: string): string {
    return card === WILD ? this.say("table.no-partner.wild") : this.say("table.no-partner", { card: this.card(card) });
  }

  /** A card as the partner of the chosen one. */
  partner(card: string, chosen: string, { price }: Sale): string {
    return this.say("table.sell-second", { card: this.card(card), chosen: this.card(chosen), price });
  }
}
