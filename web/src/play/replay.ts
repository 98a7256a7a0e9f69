/** A finished game looked at again, from where I sat: its moments are asked for one by one. */

import type { LogLine } from "../protocol";
import type { Session } from "../session.svelte";
import type { LiveTable, Table } from "../table.svelte";
import type { Moment, Past, Source } from "./source";

export class ReplaySource implements Source, Past {
  readonly hint = null;
  readonly rest = null;
  readonly advice = [];
  readonly hands = null;
  readonly past = this;

  /** Made when the table has been shown; it begins with this row. */
  constructor(
    private readonly live: LiveTable,
    private readonly session: Session,
    readonly start: number,
  ) {}

  get now(): Table {
    return this.live.now!;
  }

  get seen(): number {
    return this.live.seen;
  }

  /** The rows that changed the game, its deal among them. */
  get steps(): number[] {
    const changes = ({ kind, events }: LogLine): boolean => kind === "move" || kind === "undo" || events.length > 0;
    return this.live.lines.filter(changes).map(({ number }) => number);
  }

  follow(tell: (moment: Moment) => void): () => void {
    tell({ table: this.now, lines: this.live.lines });
    return () => {};
  }

  async at(number: number): Promise<Moment> {
    const then = await this.session.recall(this.live.id, number);
    const lines = this.live.lines.filter((line) => line.number <= number);
    return { table: { ...this.now, ...then }, lines };
  }
}
