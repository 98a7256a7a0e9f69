/** Kazink! in words: what the table says of cards, spaces and colours. */

import type { Say } from "../../words.svelte";
import type { Space, View } from "./view";

export class Wording {
  constructor(readonly say: Say) {}

  /** “heart”, “wild” */
  card(card: string): string {
    return this.say(`card.${card}`);
  }

  colour(colour: string): string {
    return this.say(`colour.${colour}`);
  }

  /** “b2, hearts: yellow, blue, bottom first” */
  space({ name, suit }: Space, { board, crowns }: View): string {
    const place = { space: name, suit: this.say(`suit.${suit}`) };
    const crown = crowns[name];
    if (crown) return this.say("table.space-crown", { ...place, colour: this.colour(crown) });
    const chips = Array.from(board[name] ?? "", (chip) => this.colour(chip));
    if (chips.length === 0) return this.say("table.space-empty", place);
    return this.say("table.space-stack", { ...place, chips: chips.join(", ") });
  }

  /** “Crowns: 3” */
  fact(name: string, value: string | number): string {
    return `${this.say(`table.${name}`)}: ${value}`;
  }
}
