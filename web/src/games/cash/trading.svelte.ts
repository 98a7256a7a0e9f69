/** Trading: an offer is put together at my desk, and sent step by step when it is proposed. */

import { untrack } from "svelte";
import { fitted, keep, kept } from "./drafts";
import type { Errand } from "./errand.svelte";
import { CARDS, emptyOffer, isEmpty, isGift, type List, minus, type Model, type Offer, offerOf, reversed, stepsOf, wishOf, without } from "./view";

/** What ends a turn of somebody else, and with it what was wished in it. */
const ENDS_TURN = /^(done|trim |play stop)/;

export class Trading {
  /** The offer on my desk; it stays when it was declined. */
  draft: Offer | null = $state.raw(null);
  /** Whether the desk is open. */
  opened = $state(false);
  /** Whether I am asked if I want to give something for nothing. */
  asking = $state(false);
  /** What I proposed, until it is answered. */
  #proposed: Offer | null = null;
  /** Whether my last offer was declined. */
  declined = $state(false);
  /** Whether the desk was opened for a wish. */
  #forWish = $state(false);
  /** The row of the last wish that I have dealt with. */
  #heard = $state(0);

  /** Made while a component is set up. */
  constructor(
    private readonly table: Model,
    private readonly errand: Errand,
  ) {
    const found = untrack(() => kept(table.id, table.view));
    this.draft = found.draft;
    this.opened = untrack(() => found.opened && this.can);
    $effect(() => keep(table.id, table.view, { draft: this.draft, opened: this.opened }));
    $effect(() => this.#hearAnswer());
    $effect(() => {
      if (this.answering) this.opened = false; // first see what I am offered
    });
  }

  /** The seats that can be offered something now. */
  readonly partners = $derived.by(() => {
    const { table } = this;
    if (this.answering && table.legal.has("counter")) return [table.view.offer!.from];
    if (this.building) return [table.view.offer!.to];
    if (this.wishing !== null) return [this.wishing];
    return table.moves.filter((move) => move.startsWith("trade ")).map((move) => Number(move.slice("trade p".length)));
  });

  /** Whose turn it is, if that is another person, who can be told what I would trade. */
  readonly wishing = $derived.by(() => {
    const { table } = this;
    const { acting, view, seat } = table;
    const listens = acting !== null && acting !== seat && table.seats[acting]?.kind === "guest";
    return table.canAct && listens && view.phase === "action" && view.options.trading ? acting : null;
  });

  /** What somebody would trade with me, told in this turn of mine. */
  readonly wish = $derived.by(() => {
    const { lines, deciding, seat, view } = this.table;
    if (!deciding || view.phase !== "action") return null;
    const begun = lines.findLastIndex(({ kind, seat: mover, text = "" }) => kind === "move" && mover !== seat && ENDS_TURN.test(text));
    const told = lines.slice(begun + 1).findLast(({ wish, number }) => wish?.to === seat && number > this.#heard);
    return told?.wish ? { number: told.number, offer: offerOf(told.seat ?? 0, told.wish) } : null;
  });

  /** Make it an offer of mine, or let it be. */
  hear(makeOffer: boolean): void {
    const { wish } = this;
    if (!wish) return;
    this.#heard = wish.number;
    if (makeOffer) this.open(reversed(wish.offer));
  }

  /** Whether an offer can be put together now. */
  get can(): boolean {
    return this.partners.length > 0;
  }

  /** The offer on the open desk. */
  get shown(): Offer | null {
    const meant = this.#forWish || this.wishing === null; // a desk that was left open isn't one for wishes
    return this.opened && meant && (this.can || this.waiting) ? this.draft : null;
  }

  /** An offer that I have begun lies half built. */
  get building(): boolean {
    const { view, seat } = this.table;
    return view.phase === "offer" && view.turn === seat && !this.errand.running && !this.table.busy;
  }

  /** Whether an offer was made to me. */
  readonly answering = $derived.by(() => {
    const { view, seat } = this.table;
    return view.phase === "answer" && view.turn === seat;
  });

  /** Whether my offer is on its way, or being thought about. */
  get waiting(): boolean {
    const { view, seat } = this.table;
    return this.errand.running || (view.offer?.from === seat && view.phase !== "action" && !this.building);
  }

  /** Open the desk with this offer, or with what lies there. */
  open(offer: Offer | null = this.draft ?? this.table.view.offer): void {
    const { table, partners } = this;
    const [first] = partners;
    if (first === undefined) return;
    table.choice = null;
    this.declined = false;
    this.#forWish = this.wishing !== null;
    const to = offer && partners.includes(offer.to) ? offer.to : first;
    this.draft = fitted({ ...(offer ?? emptyOffer(table.viewpoint, to)), from: table.viewpoint, to }, table);
    this.opened = true;
  }

  /** Open the desk with the reverse of what I am offered. Nothing is sent before it is proposed. */
  counter(): void {
    const { offer } = this.table.view;
    if (offer) this.open(reversed(offer));
  }

  close(): void {
    this.opened = false;
    this.asking = false;
    if (this.building) this.table.play("drop");
  }

  clear(): void {
    const { draft } = this;
    if (draft) this.draft = emptyOffer(draft.from, draft.to);
  }

  /** Offer it to somebody else: what I would get from the other firm is another matter. */
  choosePartner(to: number): void {
    if (this.draft) this.draft = fitted({ ...this.draft, to, want_firm: [] }, this.table);
  }

  put(list: List, card: string): void {
    const { draft } = this;
    if (draft && this.room(list) && this.left(list).includes(card)) this.draft = { ...draft, [list]: [...draft[list], card] };
  }

  takeOut(list: List, card: string): void {
    if (this.draft) this.draft = { ...this.draft, [list]: without(this.draft[list], card) };
  }

  /** Whether a side has room for one more card. */
  room(list: List): boolean {
    const { draft, table } = this;
    const side = list.startsWith("give") ? (["give", "give_firm"] as const) : (["want", "want_firm"] as const);
    return draft !== null && side.reduce((count, each) => count + draft[each].length, 0) < table.figures.side;
  }

  /** The cards that can still be put on a list; any can be asked for from a hand. */
  left(list: List): string[] {
    const { draft, table } = this;
    if (!draft) return [];
    const trade = table.figures.trades[draft.to];
    const there = {
      give: table.view.hands[table.viewpoint] ?? [],
      give_firm: trade?.give ?? [],
      want_firm: trade?.want ?? [],
    };
    return list === "want" ? CARDS : minus(there[list], draft[list]);
  }

  /** Send the offer; a gift only when it is confirmed. */
  propose(): void {
    const { draft, errand } = this;
    if (!draft || isEmpty(draft) || this.waiting) return;
    if (this.wishing !== null) {
      void this.#tell(draft);
      return;
    }
    this.asking = isGift(draft) && !this.asking;
    if (this.asking) return;
    const begin = this.answering ? ["counter"] : [...(this.building ? ["drop"] : []), `trade p${draft.to}`];
    this.#proposed = draft;
    this.declined = false;
    errand.run([...begin, ...stepsOf(draft)], () => (this.#proposed = null));
  }

  async #tell(draft: Offer): Promise<void> {
    if (!(await this.table.wish(wishOf(draft)))) return;
    this.draft = null;
    this.opened = false;
  }

  /** An accepted offer leaves an empty desk; any other stays there for the next try, open while it is my turn. */
  #hearAnswer(): void {
    const answer = this.table.last?.kind === "move" ? this.table.last.text : "";
    if (this.waiting || !this.#proposed || !["accept", "decline"].includes(answer)) return;
    this.#proposed = null;
    this.declined = answer === "decline";
    if (!this.declined) this.draft = null;
    if (!this.declined || !this.table.deciding) this.opened = false;
  }
}
