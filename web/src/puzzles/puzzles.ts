/** Puzzles as the server tells them: a moment of a game, and what comes of a move; the answer comes with the right one. */

import { fetchPuzzleList } from "../api";
import type { ReasonTold } from "../protocol";
import { posted } from "../review/study";
import type { Table } from "../table.svelte";
import type { Sentence } from "../words/sentences";

export interface Listed {
  id: string;
  grade: number;
}

export interface PuzzleList {
  daily: { date: string; game: string; id: string };
  games: Record<string, Listed[]>;
}

export interface Puzzle {
  id: string;
  grade: number;
  /** With all that led to it, as its seat was told. */
  table: Table;
}

export interface Tried {
  right: boolean;
  move: string;
  sentences: Sentence[];
  /** To win; null: it wasn't worth a look. */
  chance: number | null;
  best_chance: number;
  /** What speaks for the best move; of a wrong one, what goes wrong then. */
  reasons: ReasonTold[];
  /** The table before, and after each move with which it could go on. */
  line: Table[];
}

export const GRADES = [1, 2, 3] as const;

let list: Promise<PuzzleList> | null = null;

/** Asked once a visit; again when that failed. */
export function listPuzzles(): Promise<PuzzleList> {
  list ??= fetchPuzzleList().catch((error: unknown) => {
    list = null;
    throw error;
  });
  return list;
}

const addressOf = (game: string, id: string): string => `/api/games/${encodeURIComponent(game)}/puzzles/${encodeURIComponent(id)}`;

export async function fetchPuzzle(game: string, id: string): Promise<Puzzle> {
  return (await (await posted(addressOf(game, id), "")).json()) as Puzzle;
}

/** What comes of a move; without one, of the best. */
export async function tryMove(game: string, id: string, move: string | null): Promise<Tried> {
  const asked = move === null ? "" : `?move=${encodeURIComponent(move)}`;
  return (await (await posted(`${addressOf(game, id)}/answer${asked}`, "")).json()) as Tried;
}
