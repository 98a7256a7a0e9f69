/** A table as a game's component draws it: what is shown, from where, what can be done, and what is chosen. */

import { type Shortcut, useKeys } from "../keyboard.svelte";
import type { Playhead } from "../play/playhead.svelte";
import type { LogLine, SeatInfo, SurelyDone, WishTold } from "../protocol";
import { type Cards, follow, NO_CARDS, type TrackedCard } from "../table/cards";
import { draggable } from "../table/drag";
import type { Say } from "../words.svelte";
import type { CommonView, Pack } from "./pack";

const REM = parseFloat(getComputedStyle(document.documentElement).fontSize);

/** Who sits before the table, and what they are told. */
export interface Company {
  /** A sentence of the game's, the core's or the page's catalogue, in the reader's language. */
  readonly say: Say;
  /** The seats' names, in their order, and who has them. */
  readonly names: string[];
  readonly seats: SeatInfo[];
  /** The move that a strong player would make, if I asked. */
  readonly hint: string | null;
  /** A move is on its way. */
  readonly busy: boolean;
  /** Whether moves can be made here at all. */
  readonly canPlay: boolean;
  /** Whether the keyboard goes on at the table when it is drawn. */
  readonly begins?: boolean;
  play(move: string): void;
  /** Say what something is, or why it can't be done; with the rule that tells more. */
  explain(text: string, rule: string): void;
  /** What moves of mine would surely do. */
  preview(moves: string[]): Promise<SurelyDone[]>;
  /** Tell who decides what I would trade; whether it was told. */
  wish(wish: WishTold): Promise<boolean>;
}

/** Who can only look. */
const ONLOOKER = {
  hint: null,
  busy: false,
  canPlay: false,
  play: () => {},
  explain: () => {},
  preview: async () => [],
  wish: async () => false,
} satisfies Partial<Company>;

/** Who looks at a table, and can do something at it, or nothing; each is asked for anew whenever it is needed. */
export function onlooker(say: () => Say, names: () => string[], seats: () => SeatInfo[], can: Partial<Company> = {}): Company {
  const told = { say: { get: say }, names: { get: names }, seats: { get: seats } };
  return Object.defineProperties<Partial<Company>>({ ...ONLOOKER }, { ...Object.getOwnPropertyDescriptors(can), ...told }) as Company;
}

/** What the primitives need of a table, whatever its game. */
export type AnyTable = Pick<TableModel, "say" | "name" | "seats" | "hint" | "acting" | "drag" | "explain"> & { readonly pack: Pick<Pack, "Face"> };

export class TableModel<View extends CommonView = CommonView, Figures = unknown> {
  #cards: Cards = $state.raw(NO_CARDS);
  #before: Cards = NO_CARDS;
  /** What I have chosen: a place's address. */
  choice: string | null = $state(null);
  /** The stage's width in pixels. (With container queries every card would be styled anew at every move.) */
  width = $state(0);

  constructor(
    private readonly playhead: Playhead,
    readonly pack: Pack<View, Figures>,
    private readonly company: Company,
  ) {
    this.follow();
  }

  /** Follow the cards to where they lie in what is shown now. */
  follow(): void {
    const { pack, view, viewpoint } = this;
    if (!pack.pilesOf) return;
    const deal = `${this.id} ${view.round}`;
    this.#before = this.#cards;
    this.#cards = follow(this.#cards, deal, pack.pilesOf(view, viewpoint), pack.goneBy?.(view, this.lines));
  }

  // What is shown

  get id(): string {
    return this.playhead.shown.table.table;
  }

  /** Whether all that was played openly is drawn, where the game's table shows less of it. */
  get whole(): boolean {
    return this.playhead.shown.table.whole === true || this.view.over;
  }

  get lines(): LogLine[] {
    return this.playhead.shown.lines;
  }

  get view(): View {
    return this.playhead.shown.table.view as unknown as View;
  }

  /** What follows from the view by the rules; the page works nothing out. */
  get figures(): Figures {
    return this.playhead.shown.table.figures as Figures;
  }

  /** What happened last. */
  readonly last = $derived.by(() => this.lines.findLast(({ kind }) => kind !== "chat") ?? null);

  get say(): Say {
    return this.company.say;
  }

  get names(): string[] {
    return this.company.names;
  }

  name(seat: number): string {
    return this.names[seat] ?? "";
  }

  /** Who has a seat, and whether they are here. */
  get seats(): SeatInfo[] {
    return this.company.seats;
  }

  /** The cards of a pile, each with a key of its own. */
  pile(name: string): TrackedCard[] {
    return this.#cards.piles[name] ?? [];
  }

  /** The keys of a pile's cards that have just come to it. */
  fresh(name: string): string[] {
    if (this.#before.deal !== this.#cards.deal) return [];
    return this.pile(name).map(({ key }) => key).filter((key) => !this.#before.piles[name]?.some((card) => card.key === key));
  }

  get gone(): TrackedCard[] {
    return this.#cards.gone;
  }

  // The room there is: the stage has a class of each of these names

  get narrow(): boolean {
    return this.width < 30 * REM;
  }

  get broad(): boolean {
    return this.width >= 37 * REM;
  }

  get wide(): boolean {
    return this.width >= 44 * REM;
  }

  // From where

  /** My seat; null: I am looking on. */
  get seat(): number | null {
    return this.playhead.shown.table.seat;
  }

  /** The seat from behind which the table is seen; who looks on stands behind the first. */
  get viewpoint(): number {
    return this.seat ?? 0;
  }

  get isMine(): boolean {
    return this.seat !== null;
  }

  /** The seat that decides; nobody once there is a result, which people may have agreed on. */
  get acting(): number | null {
    return this.playhead.shown.table.result ? null : this.view.turn;
  }

  /** The others, in turn, from the viewpoint's left to its right. */
  readonly others = $derived.by(() => {
    const { players } = this.view;
    return Array.from({ length: players - 1 }, (_, i) => (this.viewpoint + i + 1) % players);
  });

  /** A caption of mine, or of the seat from behind which I look on. */
  own(mine: string, other: string): string {
    return this.isMine ? this.say(mine) : this.say(other, { name: this.name(this.viewpoint) });
  }

  // What can be done

  /** My legal moves now, in the game's notation; empty unless I decide. */
  get moves(): string[] {
    return this.company.canPlay ? this.playhead.shown.table.legal : [];
  }

  readonly legal = $derived.by(() => new Set(this.moves));

  get deciding(): boolean {
    return this.moves.length > 0;
  }

  get canAct(): boolean {
    return this.isMine && this.company.canPlay && !this.view.over;
  }

  get hint(): string | null {
    return this.company.hint;
  }

  get busy(): boolean {
    return this.company.busy;
  }

  /** Play a move; what was chosen for it is let go. If it can't be made, the server says why. */
  play(move: string): void {
    if (this.busy || !this.canAct) return;
    this.choice = null;
    this.company.play(move);
  }

  /** Ask for a move that can't be made, to be told why not; what is chosen stays. */
  ask(move: string): void {
    if (!this.busy && this.canAct) this.company.play(move);
  }

  /** Say what a place is, or why nothing can be done there, with the rulebook's chapter that tells more. */
  explain(text: string, rule = ""): void {
    this.company.explain(text, rule);
  }

  /** What legal moves of mine would surely do, by what I know; nothing while I don't decide. */
  async preview(moves: string[]): Promise<SurelyDone[]> {
    return moves.length > 0 && this.canAct && this.deciding ? this.company.preview(moves) : [];
  }

  /** Tell who decides what I would trade: talk, and no move. */
  async wish(wish: WishTold): Promise<boolean> {
    return this.canAct && this.company.wish(wish);
  }

  /** Choose something; choosing it again lets it go. */
  choose(address: string): void {
    if (this.canAct) this.choice = this.choice === address ? null : address;
  }

  /** Of some cards, the chosen one. */
  chosenOf(cards: TrackedCard[]): TrackedCard | null {
    return cards.find(({ key }) => key === this.choice) ?? null;
  }

  /** Of some cards, those of these names; of equal ones, as many as are named. */
  found(cards: TrackedCard[], names: string[]): TrackedCard[] {
    const left = [...cards];
    return names.flatMap((name) => {
      const place = left.findIndex(({ card }) => card === name);
      return place < 0 ? [] : left.splice(place, 1);
    });
  }

  /** Let an element be dragged; nothing new is shown while it is held. */
  readonly drag = (drop: (place: string) => void) => draggable({ drop, hold: () => this.playhead.hold() });

  /** The table's own keys, with the arrows, and Escape while something is held: `$effect(() => table.listen(…))`. */
  listen(own: () => Shortcut[], letGo = (): void => void (this.choice = null), holds = (): boolean => this.choice !== null): () => void {
    if (!this.company.canPlay) return () => {};
    const arrows = { key: "← ↑ → ↓", label: this.say("table.key.arrows") };
    const escape = { key: "Escape", label: this.say("table.key.let-go"), run: letGo };
    return useKeys(() => [...own(), arrows, ...(holds() ? [escape] : [])]);
  }
}
