/** Where a table comes from: live from the server, a finished game looked at again, or a lesson. Several people at one
 * device (each seat a guest of its own) would be a source like these. Below, nothing knows which.
 */

import type { Order } from "../connection";
import type { Sentence } from "../events";
import type { Advised, Done, LogLine, Previewed } from "../protocol";
import type { Table } from "../table.svelte";

/** The table as it was after one of its rows. */
export interface Moment {
  /** With the view and the legal moves of that moment; `number` is the row. */
  table: Table;
  /** All that had been told by then. */
  lines: LogLine[];
}

/** What can be asked for at a table, which the source names itself. */
export type Deed = Order extends infer Each ? (Each extends { table: string } ? Omit<Each, "table"> : never) : never;

/** After a round: the seats of those who still read how it ended. */
export interface Rest {
  number: number;
  seats: number[];
  /** When it is over at the latest, in milliseconds; null: whenever they go on. */
  until: number | null;
}

/** What one may do at a table, and not only see. */
export interface Hands {
  /** Have it carried out, exactly once; rejects with a Refusal. */
  carryOut(deed: Deed): Promise<Done>;
  /** I won't play at that table, where it goes on. */
  decline(table: string): Promise<Done>;
  askHint(): void;
  /** How likely each of us wins, as far as I can know. */
  askChances(): void;
  /** Which cards are likely where I can't see them. */
  askBeliefs(): void;
  /** I have read how the round ended whose last row this is. */
  goOn(number: number): void;
  /** Have the bots play at a pace: normal or fast. */
  pace(pace: string): void;
  /** What moves of mine would surely do. */
  preview(moves: string[]): Promise<Previewed>;
}

/** What was before. */
export interface Past {
  /** The rows that can be gone to, and the one to begin with. */
  readonly steps: number[];
  readonly start: number;
  /** The table as it was after a row. */
  at(number: number): Promise<Moment>;
}

export interface Source {
  /** The table as it is now, who is here among it; what is shown of the game may be behind. */
  readonly now: Table;
  /** When its seats came, in milliseconds, for counting on from their numbers of seconds. */
  readonly seen: number;
  /** How many look on. */
  readonly spectators?: number;
  /** The hinted move, as long as it belongs to the present. */
  readonly hint: string | null;
  /** The same in words, where it has any. */
  readonly advice: Sentence[];
  /** Whom the bots wait for after a round. */
  readonly rest: Rest | null;
  /** Whether they are being searched. */
  readonly searching?: boolean;
  /** The best moves with their chances and reasons, if I asked. */
  readonly advised?: Advised[];
  /** How likely each seat wins, if I asked. */
  readonly chances?: number[] | null;
  /** Mine, as a hint told it at the same moment. */
  readonly chance?: number;
  /** How many of which cards are to be expected at places of the view, if I asked. */
  readonly beliefs?: Record<string, Record<string, number>> | null;
  /** Null: this can only be looked at. */
  readonly hands: Hands | null;
  /** Be told every moment, beginning with the one to show first. Returns how to stop. */
  follow(tell: (moment: Moment) => void): () => void;
  /** The past, where one can go there. */
  readonly past?: Past;
}
