/** What the server tells of a recorded game: its moments from any seat, and a review that is found in the background. */

import { recordAddress, Unreachable } from "../api";
import { Refusal } from "../connection";
import type { Sentence } from "../events";
import { withForgotten } from "../forgotten";
import type { ReasonTold } from "../protocol";
import type { Table } from "../table.svelte";

/** From where a game is looked at: a seat, everything open, or as a spectator. */
export type Viewpoint = number | "open" | "";

export interface ReviewMoment {
  number: number;
  seat: number | null;
  move: string | null;
  told: Sentence[];
  /** By seat: the chance to win now; what the choice and what was drawn changed of it. */
  chances: number[];
  play: number[];
  luck: number[];
}

export interface ReviewDecision {
  /** How many moves had been made before. */
  number: number;
  seat: number;
  move: string;
  told: Sentence[];
  best: string;
  best_told: Sentence[];
  loss: number;
  error: number;
  /** What speaks for the better move; empty, as the next, unless it is one of the costliest. */
  reasons: ReasonTold[];
  /** How the better move could have gone on. */
  line: Table[];
}

interface Share {
  value: number;
  error: number;
}

export interface Reckoning {
  before: Share;
  luck: Share;
  own: Share;
  others: Share;
  result: number;
}

export interface Steal {
  number: number;
  seat: number;
  source: number;
  cards: string[];
  worth: number;
}

export interface Review {
  game: string;
  players: number;
  names: string[];
  moments: ReviewMoment[];
  decisions: ReviewDecision[];
  costliest: number[][];
  reckonings: Reckoning[];
  steals: Steal[];
  over: boolean;
}

export interface Progress {
  review: string;
  done: number;
  total: number;
}

const WORKING = 202;
const REFUSED = [400, 404, 429];
const POLL = 700;

export async function fetchRecord(table: string): Promise<string> {
  return (await answered(fetch(recordAddress(table)))).text();
}

export async function fetchMoments(record: string, at: Viewpoint): Promise<Table[]> {
  const told = await posted(`/api/record/moments?at=${at}`, record);
  return JSON.parse(withForgotten(await told.text())) as Table[];
}

/** A review of a record; `tell` hears how far it is. Who stops asking (the signal) has the server stop, too. */
export async function fetchReview(record: string, tell: (progress: Progress) => void, signal: AbortSignal): Promise<Review> {
  let response = await posted("/api/record/review", record, signal);
  while (response.status === WORKING) {
    const progress = (await response.json()) as Progress;
    tell(progress);
    await new Promise((done) => setTimeout(done, POLL));
    signal.throwIfAborted();
    response = await answered(fetch(`/api/reviews/${progress.review}`, { signal }));
  }
  return (await response.json()) as Review;
}

export const posted = (address: string, body: string, signal?: AbortSignal): Promise<Response> =>
  answered(fetch(address, { method: "POST", headers: { "Content-Type": "application/json" }, body, signal: signal ?? null }));

/** An answer, or what the server has against it. */
async function answered(asked: Promise<Response>): Promise<Response> {
  const response = await asked.catch((error: unknown) => {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Unreachable();
  });
  if (response.ok) return response;
  if (!REFUSED.includes(response.status)) throw new Unreachable();
  const { code, reason, data } = (await response.json()) as { code: string; reason: string; data?: Record<string, unknown> };
  throw new Refusal(code, reason, "", data ?? {});
}

/** A chance in whole percents, which no line parts from their sign. */
export const percent = (chance: number): string => `${Math.round(100 * chance)}\u00a0%`;

/** A part of a result, with its sign unless it is nothing. */
export function points(share: number): string {
  const whole = Math.round(100 * share);
  return `${whole > 0 ? "+" : ""}${whole}`.replace("-", "−");
}

/** The error of an estimate, never told smaller than it is. */
export const within = (error: number): string => `± ${Math.ceil(100 * error)}`;
