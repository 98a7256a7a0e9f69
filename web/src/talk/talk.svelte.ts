/** Talk at tables: phrases and reactions, which each reads in one's own language, and who isn't listened to. */

import type { LogLine } from "../protocol";

export const PHRASES = ["hello", "well-played", "oops", "hurry", "thanks", "good-game"];
/** What one may say to a move without words. */
export const REACTIONS = ["clap", "laugh", "wow", "ouch"];

/** Those I don't listen to at this table, by the name they speak under. */
let muted: string[] = $state.raw([]);

export const isMuted = ({ name }: LogLine): boolean => muted.includes(name);

export function mute({ name }: LogLine): void {
  muted = [...new Set([...muted, name])];
}

export function listenToAll(): void {
  muted = [];
}

export const mutedOnes = (): string[] => muted;

/** The row of the last move, which a reaction is about. */
export function lastMove(lines: LogLine[]): number | null {
  return lines.findLast(({ kind }) => kind === "move")?.number ?? null;
}
