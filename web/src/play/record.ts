/** A recorded game as a source: its moments are there from the beginning, one after each move. */

import type { LogLine } from "../protocol";
import type { Table } from "../table.svelte";
import type { Moment, Past, Source } from "./source";

export class RecordSource implements Source, Past {
  readonly hint = null;
  readonly advice = [];
  readonly hands = null;
  readonly past = this;
  readonly seen = 0;
  readonly rest = null;

  constructor(
    private readonly moments: Table[],
    readonly start: number,
  ) {}

  get now(): Table {
    return this.moments.at(-1)!;
  }

  get steps(): number[] {
    return this.moments.map(({ number }) => number);
  }

  follow(tell: (moment: Moment) => void): () => void {
    tell(this.#moment(this.start));
    return () => {};
  }

  at(number: number): Promise<Moment> {
    return Promise.resolve(this.#moment(number));
  }

  #moment(number: number): Moment {
    const last = Math.min(number, this.moments.length - 1);
    const lines: LogLine[] = this.moments.slice(0, last + 1).flatMap((table) => table.lines);
    return { table: this.moments[last]!, lines };
  }
}
