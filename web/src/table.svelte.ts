/** The table that is being watched, kept up to date by the server's messages. */

import type { Gone, Hinted, Line, Presence, Seat, Table as Shown } from "./protocol";

/** A table with all that it is made of: what was shown first, and the updates since. */
export type Table = Required<Shown>;

type Change = (update: () => void) => void;

export class LiveTable {
  /** As the server last showed it; null until then. */
  now = $state.raw<Table | null>(null);
  lines = $state.raw<Line[]>([]);
  gone = $state(false);
  /** When its seats came, for counting on from their numbers of seconds. */
  seen = $state(0);
  #hinted = $state.raw<Hinted | null>(null);

  /** How a change of what is shown is carried out: the frame puts motion around it. */
  change: Change = (update) => update();

  constructor(
    readonly id: string,
    private readonly watch: () => void,
  ) {}

  /** The hinted move, as long as it belongs to what is shown. */
  get hint(): string | null {
    return this.#hinted && this.#hinted.number === this.now?.number ? this.#hinted.move : null;
  }

  take(message: Shown | Presence | Gone | Hinted): void {
    switch (message.type) {
      case "table":
        return this.#show(message);
      case "presence":
        return this.#seat(message.seats);
      case "gone":
        this.gone = true;
        return;
      case "hinted":
        this.#hinted = message;
    }
  }

  #show(message: Shown): void {
    const { since } = message;
    if (since !== null && since > (this.now?.number ?? -1)) return this.watch(); // rows are missing: show me all
    const kept = since === null ? [] : this.lines.filter(({ number }) => number <= since);
    this.change(() => {
      this.now = { ...this.now, ...message } as Table;
      this.lines = [...kept, ...message.lines];
      if (message.seats) this.seen = Date.now();
    });
  }

  #seat(seats: Seat[]): void {
    if (this.now) this.now = { ...this.now, seats };
    this.seen = Date.now();
  }
}
