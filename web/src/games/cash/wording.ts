/** CASH in words: what the table says of cards, firms and offers. */

import { capitalised, listed, type Say } from "../../words.svelte";
import { money } from "../../words/money";
import { parts, plain, type Told } from "../../words/sentences";
import type { Offer, View } from "./view";

export class Wording {
  constructor(readonly told: Told) {}

  get say(): Say {
    return this.told.say;
  }

  card(card: string): string {
    return this.say(`card.${card}`);
  }

  /** The same at the beginning of a sentence. */
  title(card: string): string {
    return capitalised(this.card(card));
  }

  /** “$25k” */
  money(amount: number): string {
    return money(this.say, amount);
  }

  /** What a seat has in all, once a round has brought anybody anything. */
  total({ scores }: View, seat: number): string {
    return scores.some(Boolean) ? this.money(scores[seat] ?? 0) : "";
  }

  insured(amount: number): string {
    return `${this.say("table.insured")}: ${this.money(amount)}`;
  }

  name(seat: number): string {
    return this.told.names[seat] ?? "";
  }

  /** One quiet line about what others do. */
  meanwhile({ phase, offer, passing }: View): string {
    if (offer && phase === "answer") return this.#offer(offer);
    if (offer && phase === "offer" && offer.from !== this.told.seat) return this.#building(offer);
    return passing ? this.say("table.passing", { count: passing.count }) : "";
  }

  /** Who offers me something. */
  offered({ from, counter }: Offer): string {
    return this.say(counter ? "table.countered" : "table.offered", { name: this.name(from) });
  }

  /** “Bruno gives”, “You give”, or what I get. */
  gives(seat: number, second: boolean): string {
    if (seat === this.told.seat) return this.say("table.gives.you");
    return second && this.told.seat !== null ? this.say("table.you-get") : this.say("table.gives", { name: this.name(seat) });
  }

  /** Who gets the cards that I pass on, and how many are still to be picked. */
  passing(toPick: number, receiver: number): string {
    const name = this.name(receiver);
    return toPick > 0 ? this.say("table.pick-to-pass", { count: toPick, name }) : this.say("table.passes-to", { name });
  }

  /** “You offer Bruno: …” */
  #offer({ from, to, give, give_firm, want, want_firm }: Offer): string {
    const sides = { give: this.#side(give, give_firm), want: this.#side(want, want_firm) };
    const form = want.length + want_firm.length === 0 ? "-gift" : give.length + give_firm.length === 0 ? "-wish" : "";
    return plain(parts({ key: `log.offer${form}`, data: { seat: { seat: from }, rival: { seat: to }, ...sides } }, this.told));
  }

  #side(hand: string[], firm: string[]): string {
    const cards = [...hand, ...firm].map((card) => this.card(card));
    return cards.length > 0 ? listed(cards) : this.say("table.nothing");
  }

  #building({ from, to }: Offer): string {
    const form = to === this.told.seat ? ".to-you" : "";
    return this.say(`table.offer-building${form}`, { from: this.name(from), to: this.name(to) });
  }
}
