/** Ka-Ching! in words: what the table says of cards, columns and sales. */

import { WILD } from "../../cards/print";
import type { Say } from "../../words.svelte";
import { priceOf, type Sale, valueOf } from "./view";

export class Wording {
  constructor(readonly say: Say) {}

  /** “red 4” */
  card(card: string): string {
    if (card === WILD) return this.say("card.W");
    return this.say("card", { colour: this.say(`colour.${card.charAt(0)}`), value: valueOf(card) });
  }

  cards(cards: string[]): string {
    return cards.map((card) => this.card(card)).join(", ");
  }

  /** “red 4, costs $4, column 3” */
  column(column: number, free: string | undefined): string {
    if (free === undefined) return this.say("table.column-empty", { column });
    return this.say("table.column-free", { card: this.card(free), price: valueOf(free), column });
  }

  covered(cards: string[]): string {
    return this.say("table.column-covered", { cards: this.cards(cards) });
  }

  sale({ first, second, price }: Sale): string {
    return this.say("table.sell-pair", { first: this.card(first), second: this.card(second), price });
  }

  /** Why a chosen card can't be sold. */
  noPartner(card: string): string {
    return card === WILD ? this.say("table.no-partner.wild") : this.say("table.no-partner", { card: this.card(card) });
  }

  /** A card as the partner of the chosen one. */
  partner(card: string, chosen: string): string {
    const price = priceOf(card, chosen);
    return this.say("table.sell-second", { card: this.card(card), chosen: this.card(chosen), price });
  }
}
