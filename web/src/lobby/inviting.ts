/** Where others are sent who are to come to a table. */

import { CODE_LENGTH } from "../protocol";
import { regularPath, tablePath } from "../router.svelte";
import type { Table } from "../table.svelte";

/** Its address, for a regular table the one that stays; and what can be typed instead. */
export function inviting({ table, regular, rated }: Pick<Table, "table" | "regular" | "rated">): { path: string; code: string; rated: boolean } {
  return { path: regular ? regularPath(regular.name) : tablePath(table), code: table.slice(0, CODE_LENGTH), rated };
}
