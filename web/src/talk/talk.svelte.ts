/** Talk at tables: phrases and reactions, which each reads in one's own language, and who isn't listened to. */

import { SvelteSet } from "svelte/reactivity";
import type { LogLine } from "../protocol";

export const PHRASES = ["hello", "well-played", "oops", "hurry", "thanks", "good-game"];
/** What one may say to a move without words. */
export const REACTIONS = ["clap", "laugh", "wow", "ouch"];

/** Those I don't listen to at this table, by the name they speak under. */
const muted = new SvelteSet<string>();

export const isMuted = ({ name }: LogLine): boolean => muted.has(name);

export function mute({ name }: LogLine): void {
  muted.add(name);
}

export function listenToAll(): void {
  muted.clear();
}

export const mutedOnes = (): string[] => [...muted];

/** The row of the last move, which a reaction is about. */
export function lastMove(lines: LogLine[]): number | null {
  return lines.findLast(({ kind }) => kind === "move")?.number ?? null;
}
