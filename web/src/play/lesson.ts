/** A lesson as a source: its moments are there from the beginning, and shown as the learner comes to them. */

import type { Lesson } from "../api";
import type { LogLine } from "../protocol";
import type { Table } from "../table.svelte";
import type { Moment, Past, Source } from "./source";

export class LessonSource implements Source, Past {
  readonly hint = null;
  readonly rest = null;
  readonly advice = [];
  readonly hands = null;
  readonly past = this;
  readonly seen = 0;
  #tell: (moment: Moment) => void = () => {};
  /** The moment that was told last. */
  #at: number;

  constructor(
    private readonly lesson: Lesson,
    readonly start: number,
  ) {
    this.#at = start;
  }

  get now(): Table {
    return this.lesson.moments[this.#at]!;
  }

  get steps(): number[] {
    return this.lesson.steps.map(({ first }) => first);
  }

  follow(tell: (moment: Moment) => void): () => void {
    this.#tell = tell;
    tell(this.#moment(this.start));
    return () => {};
  }

  /** Tell what happens up to a moment, one after the other. */
  goOn(to: number): void {
    while (this.#at < to) this.#tell(this.#moment((this.#at += 1)));
  }

  at(number: number): Promise<Moment> {
    this.#at = number;
    return Promise.resolve(this.#moment(number));
  }

  #moment(number: number): Moment {
    const table = this.lesson.moments[number]!;
    const told = (other: Table): LogLine[] => (other.table === table.table ? other.lines : []);
    return { table, lines: this.lesson.moments.slice(0, number + 1).flatMap(told) };
  }
}
