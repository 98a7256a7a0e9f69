/** What the server tells over plain HTTP. */

import { Refusal } from "./connection";
import type { Value as Piece } from "./events";
import type { Refused } from "./protocol";
import type { PuzzleList } from "./puzzles/puzzles";
import type { Language } from "./settings.svelte";
import type { Table } from "./table.svelte";
import type { Catalogue } from "./words.svelte";

export type Value = string | number | boolean | null;

/** What an option accepts: one value, or a range of whole numbers. */
export type Choice = { value: Value } | { from: number; to: number };

export interface OptionFacts {
  name: string;
  default: Value;
  choices: Choice[];
  /** Whether its numbers are seats, given as for the most players. */
  seats: boolean;
  /** It acts only when another option has one of these values. */
  only_with: { option: string; values: Value[] } | null;
}

export interface GameFacts {
  name: string;
  title: string;
  /** The numbers of players it can be played with. */
  players: number[];
  /** With so many it is best: what a new table begins with. */
  best_with: number;
  minutes: number;
  /** First words of moves that are only steps of a turn. */
  steps: string[];
  tagline: Record<Language, string>;
  /** Whether it counts the score of a game with real cards. */
  calculator: boolean;
  /** Whether there are a lesson and puzzles of it. */
  lesson: boolean;
  puzzles: boolean;
  options: OptionFacts[];
}

/** A step of a lesson: something to read, and perhaps to do. */
export interface LessonStep {
  chapter: number;
  /** What is said, in pieces: text, and what it names. */
  say: Piece[];
  /** The places that it is about; before a move: what to press, in this order. */
  about: string[];
  /** What is to be done; null: it is only to be read. */
  move: string | null;
  /** The moments it begins and ends with. */
  first: number;
  last: number;
}

/** A lesson as the rules have played it. */
export interface Lesson {
  chapters: string[];
  steps: LessonStep[];
  /** The table at every moment, with the line that is new in it. */
  moments: Table[];
}

/** How the server can be reached. */
export interface HostFacts {
  /** Whether only this machine can reach it. */
  local: boolean;
  /** The address to invite others to. */
  url: string;
}

/** The server couldn't be asked, or had no answer. */
export class Unreachable extends Error {}

export const fetchGames = (): Promise<GameFacts[]> => json("/api/games");
/** The names of programs of the host's that can be given a seat. */
export const fetchBots = (): Promise<string[]> => json("/api/bots");
export const fetchPuzzleList = (): Promise<PuzzleList> => json("/api/puzzles.json");
export const fetchHost = (): Promise<HostFacts> => json("/api/host");
export const fetchWords = (game: string, language: Language): Promise<Catalogue> =>
  json(`/api/games/${game}/words.${language}.json`);
export const fetchRulebook = async (game: string, language: Language): Promise<string> =>
  (await got(`/api/games/${game}/rulebook.${language}.html`)).text();
export const fetchLesson = (game: string, language: Language): Promise<Lesson> =>
  json(`/api/games/${game}/lesson.${language}.json`);
/** A moment of a real game; null while the server prepares it. */
export async function fetchPosition(game: string): Promise<Table | null> {
  const response = await got(`/api/games/${game}/position.json`);
  return response.status === NOT_YET ? null : ((await response.json()) as Table);
}
/** Why a move can't be made at a step of a lesson; null if it can. */
export async function fetchLessonRefusal(game: string, step: number, move: string): Promise<Refusal | null> {
  const told = await json<Refused | null>(`/api/games/${game}/lesson/${step}/refusal?move=${encodeURIComponent(move)}`);
  return told && new Refusal(told.code, told.reason, told.rule, told.data);
}
/** What a score sheet of a game with real cards comes to; rejects with a Refusal if it can't be. */
export async function scoreSheet<Answer>(game: string, sheet: unknown): Promise<Answer> {
  const address = `/api/games/${game}/score`;
  const headers = { "Content-Type": "application/json" };
  const response = await fetch(address, { method: "POST", headers, body: JSON.stringify(sheet) }).catch(() => null);
  if (response?.status === BAD_SHEET) throw refusal((await response.json()) as BadSheet);
  if (!response?.ok) throw new Unreachable(address);
  return (await response.json()) as Answer;
}

interface BadSheet {
  code: string;
  reason: string;
  data: Record<string, unknown>;
}

const BAD_SHEET = 400;
const NOT_YET = 204;
const refusal = ({ code, reason, data }: BadSheet): Refusal => new Refusal(code, reason, "", data);

/** The record of a game that is over, as a file. */
export const recordAddress = (table: string): string => `/api/tables/${table}/record`;
export const qrAddress = (path: string): string => `/api/qr.svg?path=${encodeURIComponent(path)}`;

export function socketAddress(): string {
  return `${location.origin.replace(/^http/, "ws")}/ws`;
}

async function json<Answer>(address: string): Promise<Answer> {
  return (await (await got(address)).json()) as Answer;
}

async function got(address: string): Promise<Response> {
  const response = await fetch(address).catch(() => null);
  if (!response?.ok) throw new Unreachable(address);
  return response;
}
