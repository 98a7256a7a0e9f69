/** The table that is being watched, kept up to date by the server's messages. */

import type { Sentence } from "./events";
import type { Rest } from "./play/source";
import type { Advised, Believed, Chances, Gone, Hinted, LogLine, Presence, Resting, SeatInfo, TableView } from "./protocol";
import { withSharers } from "./sharing/sharing";

/** A table with all that it is made of: what was shown first, and the updates since. */
export type Table = Required<TableView>;

type Told = (moment: { table: Table; lines: LogLine[] }) => void;

export class LiveTable {
  /** As the server last showed it; null until then. */
  now = $state.raw<Table | null>(null);
  lines = $state.raw<LogLine[]>([]);
  /** Why there is nothing to show: `gone` or `table-damaged`; empty if there is. */
  gone = $state("");
  /** When its seats came, for counting on from their numbers of seconds. */
  seen = $state(0);
  /** Whom the bots wait for after a round. */
  rest = $state.raw<Rest | null>(null);
  /** How many look on. */
  spectators = $state(0);
  #hinted = $state.raw<Hinted | null>(null);
  /** The moment for which I asked for a hint. */
  asked = $state.raw<number | undefined>();

  #chances = $state.raw<Chances | null>(null);
  #believed = $state.raw<Believed | null>(null);
  readonly #told = new Set<Told>();

  constructor(
    readonly id: string,
    private readonly watch: () => void,
  ) {}

  /** Whether a hint is being searched for what is shown. */
  get searching(): boolean {
    return this.asked === this.now?.number && !this.#current;
  }

  /** The hinted move, as long as it belongs to what is shown. */
  get hint(): string | null {
    return this.#current?.move ?? null;
  }

  /** The same in words; empty: it has none. */
  get advice(): Sentence[] {
    return (this.#current?.sentences ?? []) as unknown as Sentence[];
  }

  /** The best moves with their chances and reasons, the best first. */
  get advised(): Advised[] {
    return this.#current?.advice ?? [];
  }

  get #current(): Hinted | null {
    return this.#hinted?.number === this.now?.number ? this.#hinted : null;
  }

  /** How likely each seat wins, as I was told last. */
  get chances(): number[] | null {
    return this.#chances?.chances ?? null;
  }

  /** How likely I win with the best move, if I was hinted at it at that moment. */
  get chance(): number | undefined {
    return this.#hinted?.number === this.#chances?.number ? this.#hinted?.advice[0]?.chance : undefined;
  }

  /** How many of which cards I may expect where I can't see them, as long as that belongs to what is shown. */
  get beliefs(): Believed["beliefs"] | null {
    return this.#believed?.number === this.now?.number ? (this.#believed?.beliefs ?? null) : null;
  }

  /** Be told of every change of the game or its log; returns how to stop. */
  follow(tell: Told): () => void {
    this.#told.add(tell);
    return () => this.#told.delete(tell);
  }

  take(message: TableView | Presence | Resting | Gone | Hinted | Chances | Believed): void {
    switch (message.type) {
      case "table":
        return this.#show(message);
      case "presence":
        this.spectators = message.spectators;
        return this.#seat(message.seats);
      case "resting":
        this.rest = { ...message, until: message.seconds === null ? null : Date.now() + 1000 * message.seconds };
        return;
      case "gone":
        this.gone = message.code;
        return;
      case "chance":
        this.#chances = message;
        return;
      case "believed":
        this.#believed = message;
        return;
      case "hinted":
        this.#hinted = message;
    }
  }

  #show(message: TableView): void {
    const { since } = message;
    if (since !== null && since > (this.now?.number ?? -1)) return this.watch(); // rows are missing: show me all
    const kept = since === null ? [] : this.lines.filter(({ number }) => number <= since);
    this.now = { ...this.now, ...message } as Table;
    this.lines = [...kept, ...message.lines];
    if (message.seats) this.#seat(message.seats);
    for (const tell of this.#told) tell({ table: this.now, lines: this.lines });
  }

  #seat(seats: SeatInfo[]): void {
    if (this.now) this.now = { ...this.now, seats: withSharers(this.id, seats) };
    this.seen = Date.now();
  }
}
