/** MATCH! in words: what the table says of cards, piles and calls. */

import { WILD } from "../../cards/print";
import type { Say } from "../../words.svelte";
import { points } from "../../words/money";
import { colourOf, isColour } from "./view";

export class Wording {
  constructor(readonly say: Say) {}

  /** “red 4” */
  card(card: string): string {
    if (card === WILD) return this.say("card.W");
    return this.say("card", { colour: this.colour(colourOf(card)), value: card.slice(1) });
  }

  cards(cards: string[]): string {
    return cards.map((card) => this.card(card)).join(", ");
  }

  colour(letter: string): string {
    return this.say(`colour.${letter}`);
  }

  /** “red”, “the number 3” */
  call(call: string): string {
    return isColour(call) ? this.colour(call) : this.say("table.number", { number: call });
  }

  /** “blue 3, with 2 cards beneath” */
  pile(cards: string[]): string {
    const top = this.card(cards.at(-1) ?? "");
    return cards.length > 1 ? this.say("table.pile", { card: top, count: cards.length - 1 }) : top;
  }

  /** “11 points” */
  worth(points: number): string {
    return this.say("table.worth", { count: points });
  }

  /** “Total −5” */
  total(score: number): string {
    return this.say("table.total", { count: points(this.say, score) });
  }
}
