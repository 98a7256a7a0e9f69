/** Which puzzles were solved, and how many in a row, kept in this browser. */

import { read, write } from "../settings.svelte";
import type { Listed } from "./puzzles";

export interface Progress {
  /** By game, the ids of those that were solved without being shown. */
  solved: Record<string, string[]>;
  /** Solved at the first try, one after the other: now, and at most. */
  run: number;
  longest: number;
  /** The last day whose puzzle was solved, and how many days in a row that makes. */
  day: string;
  days: number;
  /** The grade to practise; 0: any. */
  grade: number;
}

export const NOTHING: Progress = { solved: {}, run: 0, longest: 0, day: "", days: 0, grade: 0 };
const KEY = "kibitz.puzzles";
const A_DAY = 24 * 60 * 60 * 1000;

export const kept = (): Progress => ({ ...NOTHING, ...read<Partial<Progress>>(localStorage, KEY) });
export const keep = (progress: Progress): void => write(localStorage, KEY, progress);

/** After an answer that ended a puzzle, or the first wrong one. */
export function answered(progress: Progress, game: string, id: string, right: boolean, first: boolean): Progress {
  const run = right ? progress.run + (first ? 1 : 0) : 0;
  const before = progress.solved[game] ?? [];
  const solved = right && !before.includes(id) ? { ...progress.solved, [game]: [...before, id] } : progress.solved;
  return { ...progress, solved, run, longest: Math.max(progress.longest, run) };
}

/** After the puzzle of a day was solved. */
export function solvedOn(progress: Progress, day: string): Progress {
  if (progress.day === day) return progress;
  return { ...progress, day, days: streakOn(progress, day) + 1 };
}

/** Days in a row up to a day, which may still be to come. */
export function streakOn({ day, days }: Progress, today: string): number {
  const between = (Date.parse(today) - Date.parse(day)) / A_DAY;
  return between === 0 || between === 1 ? days : 0;
}

/** The puzzle to go on with: the next of a grade (0, or there is none: of any) that wasn't solved; if all were, the next. */
export function nextOf(puzzles: Listed[], solved: string[], grade: number, after: string | null): Listed | undefined {
  const place = puzzles.findIndex(({ id }) => id === after) + 1;
  const all = [...puzzles.slice(place), ...puzzles.slice(0, place)];
  const graded = all.filter((puzzle) => puzzle.grade === grade);
  const inTurn = graded.length > 0 ? graded : all;
  return inTurn.find(({ id }) => !solved.includes(id) && id !== after) ?? inTurn[0];
}
