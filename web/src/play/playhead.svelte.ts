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
  #unread: Moment | null = $state.raw(null);
  /** The stage puts motion around it. */
  change: Change = (update) => update();
  stay: Stay = () => 0;

  /** Shows what a source tells, from its first moment on; what is to be read first waits until that is done. */
  constructor(
    private readonly source: Source,
    private readonly isToBeRead: (lines: LogLine[]) => boolean = () => false,
  ) {
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
    this.#come(last ?? this.#shown);
  }

  /** What has happened and is to be read before it is shown: how a round ended. */
  get unread(): Moment | null {
    return this.#unread;
  }

  /** It has been read. */
  acknowledge(): void {
    const read = this.#unread;
    this.#unread = null;
    if (read && read !== this.#shown) this.#show(read);
    else this.#next();
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
    const waits = this.#holds > 0 || this.#unread !== null || (!this.#resting && !this.#skipping);
    if (this.#shown && isMine(moment)) {
      this.#waiting = [];
      this.#unread = null;
    } else if (this.#shown && waits) {
      this.#waiting = [...this.#waiting, moment];
      return;
    }
    this.#come(moment);
  }

  #next(): void {
    if (!this.#resting || this.#holds > 0 || this.#unread) return;
    const [next, ...rest] = this.#waiting.length > MOST_WAITING ? this.#waiting.slice(-1) : this.#waiting;
    if (!next) return;
    this.#waiting = rest;
    this.#come(next);
  }

  /** Show a moment, or have it read first; who comes in the middle of that sees both. */
  #come(moment: Moment): void {
    const before = this.#shown;
    if (this.isToBeRead(before ? freshLines(moment, before) : moment.lines.slice(-1))) this.#unread = moment;
    if (!before || !this.#unread) this.#show(moment);
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

/** What shows a source, or another one after it, as long as its screen is there. */
export function following(source: () => Source): () => Playhead {
  const playhead = $derived(new Playhead(source()));
  $effect(() => {
    const shown = playhead;
    return () => shown.stop();
  });
  return () => playhead;
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
