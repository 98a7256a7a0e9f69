/** What I can do, and what I have chosen for it: a card and a space, or from where to where chips are shifted. */

import type { TrackedCard } from "../../table/cards";
import { DOUBLE_UP, type Model, placing, type Shift, targetOf } from "./view";

export class Turn {
  /** The card that is pointed at. */
  considered: TrackedCard | null = $state.raw(null);
  /** Where chips are shifted to, until it is said how many. */
  #goal: string | null = $state(null);

  constructor(private readonly table: Model) {}

  get #phase(): string {
    return this.table.view.phase;
  }

  get #shifts(): Shift[] {
    return this.table.figures.shifts;
  }

  shiftOf(move: string | null): Shift | undefined {
    return this.#shifts.find((shift) => shift.move === move);
  }

  // What can be chosen, and is

  readonly hand = $derived.by(() => this.table.pile("hand"));
  readonly #spaces = $derived.by(() => this.table.figures.spaces.map(({ name }) => name));
  readonly chosen = $derived.by(() => (this.#phase === "turn" ? this.table.chosenOf(this.hand) : null));
  /** The space that is chosen. */
  readonly place = $derived.by(() => this.#spaces.find((space) => space === this.table.choice && this.#canStart(space)) ?? null);
  readonly lit = $derived.by(() => new Set(this.#spaces.filter((space) => this.#isLit(space))));

  /** The space that a hint is about. */
  get hinted(): string | null {
    const { hint } = this.table;
    return hint === null ? null : (this.shiftOf(hint)?.start ?? targetOf(hint));
  }

  /** Whether something can begin with this space: a chip placed on it, or shifted from it. */
  #canStart(space: string): boolean {
    if (this.#phase === "shift") return this.#shifts.some(({ start }) => start === space);
    return this.#phase === "turn" && this.hand.some(({ card }) => this.table.legal.has(placing(card, space)));
  }

  #isLit(space: string): boolean {
    switch (this.#phase) {
      case "turn": {
        const card = this.chosen ?? this.considered;
        return card !== null && this.table.legal.has(placing(card.card, space));
      }
      case "shift":
        return this.place === null ? this.#canStart(space) : this.#shiftsTo(this.place, space).length > 0;
      default:
        return this.table.legal.has(placing("place", space));
    }
  }

  /** Whether a card can be played, on the chosen space if there is one. */
  isPlayable({ card }: TrackedCard): boolean {
    const { legal, moves } = this.table;
    if (this.#phase !== "turn") return false;
    if (this.place !== null) return legal.has(placing(card, this.place));
    return moves.some((move) => move === card || move.startsWith(`${card} `) || move.endsWith(` ${card}`));
  }

  /** Other things to do with the chosen card, or in this phase: so many chips are shifted, or none. */
  readonly actions = $derived.by(() => {
    const card = this.chosen?.card;
    const named = card ? [card, `swap ${card}`, `discard ${card}`] : [];
    const shifted = this.place === null ? [] : this.#shiftsTo(this.place, this.#goal).map(({ move }) => move);
    return (this.#phase === "shift" ? [...shifted, "stay"] : named).filter((move) => this.table.legal.has(move));
  });

  #shiftsTo(from: string, to: string | null): Shift[] {
    return this.#shifts.filter(({ start, goal }) => start === from && goal === to);
  }

  // What I do

  chooseSpace(space: string): void {
    if (this.#phase === "shift") this.#shift(space);
    else if (this.#phase === "place") this.table.play(placing("place", space));
    else if (this.chosen) this.table.play(placing(this.chosen.card, space));
    else this.table.choose(space);
  }

  #shift(space: string): void {
    const possible = this.place === null ? [] : this.#shiftsTo(this.place, space);
    this.#goal = possible.length > 1 ? space : null;
    if (possible.length === 0) this.table.choose(space);
    else if (possible.length === 1) this.table.play(possible[0]!.move);
  }

  /** Choose a card, or play it on the chosen space. The double-up is played by choosing it twice. */
  chooseCard(card: TrackedCard): void {
    if (this.place !== null && this.#phase === "turn" && card.card !== DOUBLE_UP) this.table.play(placing(card.card, this.place));
    else if (card === this.chosen && this.table.legal.has(card.card)) this.table.play(card.card);
    else this.table.choose(card.key);
  }

  dropCard({ card }: TrackedCard, target: string): void {
    if (card === DOUBLE_UP) this.table.play(card);
    else if (target === "discard") this.table.play(this.table.legal.has(`swap ${card}`) ? `swap ${card}` : `discard ${card}`);
    else this.table.play(placing(card, target));
  }
}
