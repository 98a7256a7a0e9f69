/** Which moment of a table is shown. Moments come as fast as they happen; they are shown one after the other, each when
 * the one before has come to rest and has stayed long enough, and nobody holds the table still.
 */

import type { LogLine } from "../protocol";
import type { Moment, Source } from "./source";

/** More moments than this that wait are the past: only the last of them is shown. */
const MOST_WAITING = 60;

/** Carries out a change of what is shown; if things travel, the promise is kept when they have arrived. */
export type Change = (update: () => void) => Promise<void> | void;

/** For how many milliseconds new lines stay, at least, before the next are shown. */
export type Stay = (lines: LogLine[]) => number;

export class Playhead {
  #shown: Moment = $state.raw()!;
  #waiting: Moment[] = $state.raw([]);
  #holds = 0;
  #changes = 0; // how many were begun
  #resting = true;
  #sought = 0;
  #skipping = $state(false);
  /** The last row whose news I have seen. */
  acknowledged = $state(0);
  /** The stage puts motion around it. */
  change: Change = (update) => update();
  stay: Stay = () => 0;

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

  /** How many moments are still to be shown. */
  get behind(): number {
    return this.#waiting.length;
  }

  /** Everything is shown at once until it is my turn, or the game is over. */
  get skipping(): boolean {
    return this.#skipping;
  }

  skip(): void {
    this.#skipping = true;
    const last = this.#waiting.at(-1);
    this.#waiting = [];
    this.#show(last ?? this.#shown);
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
    const waits = this.#holds > 0 || (!this.#resting && !this.#skipping);
    if (this.#shown && isMine(moment)) this.#waiting = [];
    else if (this.#shown && waits) {
      this.#waiting = [...this.#waiting, moment];
      return;
    }
    this.#show(moment);
  }

  #next(): void {
    if (!this.#resting || this.#holds > 0) return;
    const [next, ...rest] = this.#waiting.length > MOST_WAITING ? this.#waiting.slice(-1) : this.#waiting;
    if (!next) return;
    this.#waiting = rest;
    this.#show(next);
  }

  #show(moment: Moment): void {
    const before = this.#shown;
    const arrived = this.change(() => {
      this.#shown = moment;
    });
    if (isMyTurn(moment)) this.#skipping = false;
    const stay = before && !this.#skipping ? this.stay(freshLines(moment, before)) : 0;
    const change = (this.#changes += 1);
    this.#resting = !arrived && stay === 0;
    if (this.#resting) return;
    void Promise.all([arrived, pause(stay)]).then(() => {
      if (change !== this.#changes) return; // another change has taken over
      this.#resting = true;
      this.#next();
    });
  }
}

function freshLines({ lines }: Moment, before: Moment): LogLine[] {
  return lines.filter(({ number }) => number > before.table.number);
}

function pause(milliseconds: number): Promise<void> | void {
  if (milliseconds > 0) return new Promise((done) => setTimeout(done, milliseconds));
}

/** What is mine to see at once: my move, or one taken back. */
function isMine({ table, lines }: Moment): boolean {
  const last = lines.at(-1);
  return last !== undefined && last.kind !== "chat" && last.seat !== null && last.seat === table.seat;
}

function isMyTurn({ table }: Moment): boolean {
  return table.legal?.length > 0 || Boolean(table.result);
}
