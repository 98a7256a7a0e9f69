/** Trading: an offer is put together here, and sent step by step when it is proposed. */

import { untrack } from "svelte";
import type { TableModel } from "../model.svelte";
import { fitted, keep, kept } from "./drafts";
import { emptyOffer, isEmpty, isGift, minus, MOST_CARDS, type Offer, reversed, stepsOf, type View } from "./view";

export class Trading {
  /** The offer on my desk. */
  draft: Offer | null = $state.raw(null);
  /** A counter-offer, for my next turn. */
  #later: Offer | null = $state.raw(null);
  /** The moves that are still to be sent. */
  #steps: string[] = $state.raw([]);
  /** What the steps build. */
  #proposed: Offer | null = null;
  /** Whether I am asked if I want to give something for nothing. */
  asking = $state(false);

  /** Made while a component is set up. */
  constructor(private readonly table: TableModel<View>) {
    const found = untrack(() => kept(table.id, table.view));
    this.draft = untrack(() => this.#restored(found.draft));
    this.#later = found.later;
    $effect(() => keep(table.id, table.view, { draft: this.draft, later: this.#later }));
    $effect(() => this.#sendNext());
  }

  /** The seats that can be offered something now. */
  readonly partners = $derived.by(() =>
    this.table.moves.filter((move) => move.startsWith("trade ")).map((move) => Number(move.slice("trade p".length))),
  );

  /** The counter-offer that can be made now. */
  readonly countering = $derived.by(() => this.#restored(this.#later));

  /** Whether an offer is on its way. */
  get sending(): boolean {
    return this.#steps.length > 0 || (this.table.view.phase === "offer" && this.table.busy);
  }

  /** An offer to look at: proposed, or left half built. */
  readonly shown = $derived.by(() => {
    const { view, seat } = this.table;
    const half = view.phase === "offer" && view.turn === seat && !this.sending && !this.draft;
    return view.phase === "answer" || half ? view.offer : null;
  });

  get answering(): boolean {
    return this.table.view.phase === "answer" && this.shown?.to === this.table.seat;
  }

  open(): void {
    const [first] = this.partners;
    this.table.choice = null;
    if (first !== undefined) this.draft = this.countering ?? emptyOffer(this.table.viewpoint, first);
    this.#later = null;
  }

  /** Put a card of my hand on my side. */
  give(card: string): void {
    const { draft, table } = this;
    if (!draft || draft.give.length + draft.give_firm.length >= MOST_CARDS) return;
    const left = minus(table.view.hands[table.viewpoint] ?? [], draft.give);
    if (left.includes(card)) this.draft = { ...draft, give: [...draft.give, card] };
  }

  /** Send the offer; a gift only when it is confirmed. */
  propose(): void {
    const { draft, table } = this;
    if (!draft || isEmpty(draft)) return;
    this.asking = isGift(draft) && !this.asking;
    if (this.asking) return;
    this.#steps = [...(table.legal.has("drop") ? ["drop"] : []), ...stepsOf(draft)];
    this.#proposed = draft;
    this.draft = null;
  }

  drop(): void {
    this.draft = null;
    if (this.table.legal.has("drop")) this.table.play("drop");
  }

  /** Decline, and have the reverse ready for when it is my turn. */
  counter(offer: Offer): void {
    this.#later = reversed(offer);
    this.table.play("decline");
  }

  #sendNext(): void {
    const { table } = this;
    const [next, ...rest] = this.#steps;
    if (next === undefined || table.busy || !table.deciding) return;
    this.#steps = table.legal.has(next) ? rest : [];
    if (!table.legal.has(next)) this.draft = this.#proposed; // the refusal is told, and the offer can be mended
    table.play(next);
  }

  /** An offer as it can be made now, if it can. */
  #restored(offer: Offer | null): Offer | null {
    return offer && this.partners.includes(offer.to) ? fitted(offer, this.table.view) : null;
  }
}
