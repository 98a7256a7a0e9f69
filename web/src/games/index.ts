/** Which components draw a game's table, and its score calculator. Each is loaded when it is first needed. */

import type { Component } from "svelte";
import type { TableProps } from "./props";

type Loader = () => Promise<{ default: Component<TableProps> }>;

export const tables: Record<string, Loader> = {
  kaching: () => import("./kaching/Table.svelte"),
  kazink: () => import("./kazink/Table.svelte"),
  cash: () => import("./cash/Table.svelte"),
  assets: () => import("./assets/Table.svelte"),
  match: () => import("./match/Table.svelte"),
};

/** A game's own table, or the plain one that draws any game. */
export function tableFor(game: string): Loader {
  return tables[game] ?? (() => import("./default/Table.svelte"));
}

/** The calculators, for games with real cards. */
export const calculators: Record<string, () => Promise<{ default: Component }>> = {
  cash: () => import("./cash/calculator/Calculator.svelte"),
};
