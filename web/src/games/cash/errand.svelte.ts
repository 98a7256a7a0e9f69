/** Moves that belong together, sent one after the other as each becomes legal. */

import type { Model } from "./view";

export class Errand {
  #steps: string[] = $state.raw([]);
  #stuck: () => void = () => {};

  /** Made while a component is set up. */
  constructor(private readonly table: Model) {
    $effect(() => this.#sendNext());
  }

  /** Whether something is still on its way. */
  get running(): boolean {
    return this.#steps.length > 0;
  }

  /** Send these moves; `stuck` if one of them can't be made. */
  run(steps: string[], stuck: () => void = () => {}): void {
    this.#stuck = stuck;
    this.#steps = steps;
  }

  /** A move that can't be made is sent all the same: the refusal says why. */
  #sendNext(): void {
    const { table } = this;
    const [next, ...rest] = this.#steps;
    if (next === undefined || table.busy || !table.deciding) return;
    const legal = table.legal.has(next);
    this.#steps = legal ? rest : [];
    if (!legal) this.#stuck();
    table.play(next);
  }
}
