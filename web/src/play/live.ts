/** The table that is being watched, as a source. */

import type { Sentence } from "../events";
import type { Advised } from "../protocol";
import type { Session } from "../session.svelte";
import type { LiveTable, Table } from "../table.svelte";
import type { Deed, Hands, Moment, Rest, Source } from "./source";

export class LiveSource implements Source {
  readonly hands: Hands;

  /** Made when the table has been shown. */
  constructor(
    private readonly live: LiveTable,
    session: Session,
  ) {
    this.hands = {
      carryOut: (deed: Deed) => session.command({ ...deed, table: live.id }),
      decline: (table: string) => session.command({ type: "stand", table }),
      askHint: () => session.askHint(),
      askChances: () => session.askChances(),
      askBeliefs: () => session.askBeliefs(),
      goOn: (number: number) => session.goOn(live.id, number),
      pace: (pace: string) => session.pace(live.id, pace),
      preview: (moves) => session.preview(live.id, moves),
    };
  }

  get now(): Table {
    return this.live.now!;
  }

  get seen(): number {
    return this.live.seen;
  }

  get spectators(): number {
    return this.live.spectators;
  }

  get hint(): string | null {
    return this.live.hint;
  }

  get rest(): Rest | null {
    return this.live.rest;
  }

  get advice(): Sentence[] {
    return this.live.advice;
  }

  get searching(): boolean {
    return this.live.searching;
  }

  get advised(): Advised[] {
    return this.live.advised;
  }

  get chances(): number[] | null {
    return this.live.chances;
  }

  get chance(): number | undefined {
    return this.live.chance;
  }

  get beliefs(): Record<string, Record<string, number>> | null {
    return this.live.beliefs;
  }

  follow(tell: (moment: Moment) => void): () => void {
    tell({ table: this.now, lines: this.live.lines });
    return this.live.follow(tell);
  }
}
