/** MATCH! in words: what the table says of cards, piles and calls. */

import type { Say } from "../../words.svelte";
import { colourOf, isColour, isJoker, numberOf } from "./view";

export class Wording {
  constructor(readonly say: Say) {}

  /** “red 4” */
  card(card: string): string {
    if (isJoker(card)) return this.say("card.W");
    return this.say("card", { colour: this.colour(colourOf(card)), value: numberOf(card) });
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

  /** “red 4, fits” */
  inHand(card: string, way: "match" | "collect" | null): string {
    return way ? this.say(`table.hand-card.${way}`, { card: this.card(card) }) : this.card(card);
  }

  /** “blue 3, on top of 2” */
  pile(cards: string[]): string {
    const top = this.card(cards.at(-1) ?? "");
    return cards.length > 1 ? this.say("table.pile", { card: top, count: cards.length - 1 }) : top;
  }
}
