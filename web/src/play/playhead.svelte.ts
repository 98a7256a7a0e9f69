/** Which moment of a table is shown. Moments come as fast as they happen; they are shown one after the other, each when
 * the one before has come to rest and nobody holds the table still.
 */

import type { LogLine } from "../protocol";
import type { Moment, Source } from "./source";

/** More moments than this that wait are the past: only the last of them is shown. */
const MOST_WAITING = 4;

/** Carries out a change of what is shown; if things travel, the promise is kept when they have arrived. */
export type Change = (update: () => void) => Promise<void> | void;

export class Playhead {
  #shown: Moment = $state.raw()!;
  #waiting: Moment[] = [];
  #holds = 0;
  #changes = 0; // how many were begun
  #resting = true;
  #sought = 0;
  /** The last row whose news I have seen. */
  acknowledged = $state(0);
  /** The stage puts motion around it. */
  change: Change = (update) => update();

  /** Shows what a source tells, from its first moment on. */
  constructor(private readonly source: Source) {
    this.#stop = source.follow((moment) => this.#take(moment));
  }

  readonly #stop: () => void;

  /** Follow no longer. */
  stop(): void {
    this.#stop();
  }

  get shown(): Moment {
    return this.#shown;
  }

  /** What was told since my last move; all, if I made none or look on. */
  get news(): LogLine[] {
    const { table, lines } = this.#shown;
    const mine = ({ kind, seat }: LogLine): boolean => kind === "move" && seat === table.seat;
    return table.seat === null ? lines : lines.slice(lines.findLastIndex(mine) + 1);
  }

  /** All that is shown has been read. */
  acknowledge(): void {
    this.acknowledged = this.#shown.table.number;
  }

  /** Show the table as it was after a row, unless another was asked for meanwhile. */
  async seek(number: number): Promise<void> {
    const asked = (this.#sought += 1);
    const moment = await this.source.past?.at(number);
    if (!moment || asked !== this.#sought) return;
    this.#waiting = [];
    this.#show(moment);
  }

  /** Show nothing new for a while; returns how to go on. */
  hold(): () => void {
    this.#holds += 1;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#holds -= 1;
      queueMicrotask(() => this.#next());
    };
  }

  /** What I do myself is shown at once, and all before it. */
  #take(moment: Moment): void {
    if (this.#shown && isMine(moment)) this.#waiting = [];
    else if (this.#shown && (!this.#resting || this.#holds > 0)) {
      this.#waiting.push(moment);
      return;
    }
    this.#show(moment);
  }

  #next(): void {
    if (!this.#resting || this.#holds > 0) return;
    if (this.#waiting.length > MOST_WAITING) this.#waiting = this.#waiting.slice(-1);
    const moment = this.#waiting.shift();
    if (moment) this.#show(moment);
  }

  #show(moment: Moment): void {
    const rest = this.change(() => {
      this.#shown = moment;
    });
    const change = (this.#changes += 1);
    this.#resting = !rest;
    void rest?.then(() => {
      if (change !== this.#changes) return; // another change has taken over
      this.#resting = true;
      this.#next();
    });
  }
}

function isMine({ table, lines }: Moment): boolean {
  const last = lines.at(-1);
  return last !== undefined && last.seat !== null && last.seat === table.seat;
}
