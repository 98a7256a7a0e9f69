/** What the page hands to a game's table component. A table draws and words; it knows no rules.
 *
 * Elements with `data-flip` (and `data-flip-from`, `data-flip-to`: see animate.ts) travel from view to view by
 * themselves. `data-guide="2"` is what the guided tour's second step, the game's message `guide.2`, is about.
 */

import type { Line } from "../protocol";
import type { Table } from "../table.svelte";

export type { Line, Table };

export interface TableProps {
  table: Table;
  view: Record<string, unknown>;
  /** My legal moves now, in the game's notation; empty unless I decide. */
  legal: string[];
  /** My seat; null: I am looking on. */
  seat: number | null;
  /** A sentence of the game's, the core's or the page's catalogue, in the reader's language. */
  say: (key: string, data?: Record<string, unknown>) => string;
  /** The seats' names, in their order. */
  names: string[];
  play: (move: string) => void;
  /** Show why a move isn't possible: the sentence `refusal.<code>`. */
  refuse: (code: string, data?: Record<string, unknown>) => void;
  /** The move that a strong player would make, if I asked. */
  hint: string | null;
  /** A move is on its way. */
  busy: boolean;
  /** What happened last. */
  last: Line | null;
}
