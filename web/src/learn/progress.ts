/** How far the lessons were followed, kept in this browser. */

import { read, write } from "../settings.svelte";

const KEY = "kibitz.lessons";

/** The step to go on with, from 1. */
export function stepKept(game: string): number {
  return kept()[game] ?? 1;
}

export function keepStep(game: string, step: number): void {
  write(localStorage, KEY, { ...kept(), [game]: step });
}

function kept(): Record<string, number> {
  return read<Record<string, number>>(localStorage, KEY) ?? {};
}
