/** What I can do, and what I have chosen for it: a card, whom to spare, what to insure or pass on. */

import { untrack } from "svelte";
import type { SurelyDone } from "../../protocol";
import type { TrackedCard } from "../../table/cards";
import type { Errand } from "./errand.svelte";
import { cardOf, insuredBy, insuring, isUse, minus, type Model, playing, targetOf } from "./view";

const ASKED_FIRST = new Set(["play stop", "discard bankruptcy", "trim bankruptcy"]);

export class Turn {
  /** Keys of cards that I will insure or pass on. */
  #picked: string[] = $state.raw([]);
  /** Seats that I will spare. */
  #spared: number[] = $state.raw([]);
  /** What the moves that are offered would surely do. */
  #surely: SurelyDone[] = $state.raw([]);
  /** A move that can't be mended, until it is confirmed. */
  asked: string | null = $state(null);

  /** Made while a component is set up. */
  constructor(
    private readonly table: Model,
    private readonly errand: Errand,
  ) {
    $effect(() => {
      void [this.#phase, table.choice];
      untrack(() => this.#letGo());
    });
    $effect(() => {
      const moves = this.#previewed;
      void this.table.preview(moves).then((surely) => (this.#surely = surely));
    });
  }

  readonly #phase = $derived.by(() => `${this.table.view.round} ${this.table.view.phase} ${this.table.acting}`);

  // My hand

  readonly hand = $derived.by(() => this.table.pile("hand"));
  readonly chosen = $derived.by(() => this.table.chosenOf(this.hand));
  /** All that can be done with the chosen card. */
  readonly uses = $derived.by(() => {
    const { chosen, table } = this;
    return chosen ? table.moves.filter((move) => isUse(move) && cardOf(move) === chosen.card) : [];
  });

  /** Whether a card does something now. */
  works({ card }: TrackedCard): boolean {
    return this.table.deciding && this.table.figures.working.includes(card);
  }

  isPicked({ key }: TrackedCard): boolean {
    return this.#picked.includes(key);
  }

  /** The moves with the chosen card that are buttons: those aimed at a rival are done there, insurances on the firm. */
  readonly offered = $derived.by(() => this.uses.filter((move) => targetOf(move) === null && insuredBy(move).length === 0));

  /** If the chosen card can't be played now: a move whose refusal says why. */
  readonly barred = $derived.by(() => {
    const { chosen, table } = this;
    if (!chosen || table.view.phase !== "action" || this.uses.some((move) => move.startsWith("play "))) return null;
    return table.deciding ? playing(chosen.card, table.others[0]!) : null;
  });

  choose(card: TrackedCard): void {
    if (this.table.view.phase === "passing") this.#pickToPass(card);
    else this.table.choose(card.key);
  }

  // A rival

  /** What choosing a rival does with the chosen card. */
  aimedAt(seat: number): string | undefined {
    return this.uses.find((use) => targetOf(use) === seat);
  }

  get aims(): boolean {
    return this.uses.some((use) => targetOf(use) !== null);
  }

  // Insuring

  /** The cash of my firm that the chosen card can insure with what is picked. */
  readonly #insurances = $derived.by(() => this.uses.map(insuredBy).filter((cash) => cash.length > 0));

  get insures(): boolean {
    return this.#insurances.length > 0;
  }

  readonly #loose = $derived.by(() => this.table.pile(`loose ${this.table.viewpoint}`));
  readonly #covered = $derived.by(() => this.#loose.filter((card) => this.isPicked(card)).map(({ card }) => card));

  /** Whether a card on my firm can be picked, or let go. */
  canInsure(card: TrackedCard): boolean {
    const cash = [...this.#covered, card.card];
    return this.isPicked(card) || this.#insurances.some((insurance) => minus(cash, insurance).length === 0);
  }

  insure(card: TrackedCard): void {
    if (this.canInsure(card)) this.#toggle(card.key);
  }

  /** The insurance of what is picked; if only one can be, that one. */
  readonly insurance = $derived.by(() => {
    const { chosen } = this;
    if (!chosen) return null;
    const [only, ...others] = this.#insurances;
    const cash = this.#covered.length > 0 ? this.#covered : only && others.length === 0 ? only : [];
    const move = insuring(chosen.card, cash);
    return this.table.legal.has(move) ? move : null;
  });

  // Passing on

  /** How many cards are still to be picked; 0: all are. */
  get toPick(): number {
    return this.table.figures.to_pass - this.#picked.length;
  }

  get picked(): TrackedCard[] {
    return this.hand.filter((card) => this.isPicked(card));
  }

  passOn(): void {
    this.errand.run(this.picked.map(({ card }) => `pass ${card}`));
  }

  #pickToPass(card: TrackedCard): void {
    if (!this.table.legal.has(`pass ${card.card}`)) return;
    const full = this.toPick === 0 && !this.isPicked(card);
    this.#picked = full ? [...this.#picked.slice(1), card.key] : this.#picked;
    if (!full) this.#toggle(card.key);
  }

  // Sparing

  /** Whether a card is being taken from others. */
  get taking(): boolean {
    return this.table.legal.has("take");
  }

  /** Those from whom something is taken, whether I spare them or not. */
  readonly victims = $derived.by(() => {
    const { taken } = this.table.figures;
    return new Map(this.taking ? taken.flatMap((card, seat) => (card ? [[seat, card] as const] : [])) : []);
  });

  isSpared(seat: number): boolean {
    return this.#spared.includes(seat) || this.table.view.spared.includes(seat);
  }

  spare(seat: number): void {
    if (!this.table.legal.has(`spare p${seat}`)) return;
    this.#spared = this.#spared.includes(seat) ? this.#spared.filter((each) => each !== seat) : [...this.#spared, seat];
  }

  take(): void {
    const spared = this.#spared.toSorted((one, other) => one - other);
    this.errand.run([...spared.map((seat) => `spare p${seat}`), "take"]);
  }

  // Doing it

  /** Play a move; one that can't be mended is asked for first. */
  play(move: string): void {
    this.asked = ASKED_FIRST.has(move) && this.asked !== move && this.table.canAct ? move : null;
    if (!this.asked) this.table.play(move);
  }

  /** What a move would surely do, beside what it says itself. */
  surely(move: string): SurelyDone["sentences"] | null {
    return this.#surely.find((done) => done.move === move)?.sentences.slice(1) ?? null;
  }

  readonly #previewed = $derived.by(() => {
    return this.uses.filter((move) => insuredBy(move).length === 0);
  });

  #letGo(): void {
    this.#picked = [];
    this.#spared = [];
  }

  #toggle(key: string): void {
    this.#picked = this.#picked.includes(key) ? this.#picked.filter((each) => each !== key) : [...this.#picked, key];
  }
}
