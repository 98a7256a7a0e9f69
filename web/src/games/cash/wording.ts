/** CASH in words: what the table says of cards, firms and offers. */

import { figure, listed, type Say } from "../../words.svelte";
import { parts, plain } from "../../words/sentences";
import type { Offer } from "./view";

export class Wording {
  constructor(
    readonly say: Say,
    private readonly names: string[],
    private readonly seat: number | null,
  ) {}

  card(card: string): string {
    return this.say(`card.${card}`);
  }

  /** “$25,000” */
  money(amount: number): string {
    return `${amount < 0 ? "−" : ""}$${figure(Math.abs(amount))}`;
  }

  name(seat: number): string {
    return this.names[seat] ?? "";
  }

  /** One side of an offer. */
  side(hand: string[], firm: string[]): string {
    const cards = [
      ...hand.map((card) => this.card(card)),
      ...firm.map((card) => `${this.card(card)} (${this.say("table.from-firm")})`),
    ];
    return cards.length > 0 ? listed(cards) : this.say("table.nothing");
  }

  /** “You offer Bruno: …” */
  offer({ from, to, give, give_firm, want, want_firm }: Offer): string {
    const sides = { give: this.side(give, give_firm), want: this.side(want, want_firm) };
    const sentence = { key: "log.offer", data: { seat: { seat: from }, rival: { seat: to }, ...sides } };
    return plain(parts(sentence, { say: this.say, names: this.names, seat: this.seat }));
  }

  building({ from, to }: Offer): string {
    const form = to === this.seat ? ".to-you" : "";
    return this.say(`table.offer-building${form}`, { from: this.name(from), to: this.name(to) });
  }

  /** “Bruno gives” */
  gives(seat: number): string {
    return this.say(seat === this.seat ? "table.gives.you" : "table.gives", { name: this.name(seat) });
  }
}
