/** The games that have a pack of their own, and a score calculator. Each is loaded when it is first needed. */

import type { Component } from "svelte";
import type { Deal } from "../shuffle/deal";
import { canSay, figure, sayIn } from "../words.svelte";
import { points } from "../words/money";
import type { Pack } from "./pack";

type Loader = () => Promise<{ pack: unknown }>;

const PACKS: Record<string, Loader> = {
  kaching: () => import("./kaching/pack"),
  kazink: () => import("./kazink/pack"),
  cash: () => import("./cash/pack"),
  assets: () => import("./assets/pack"),
  match: () => import("./match/pack"),
};

/** A game's pack, or the plain one that draws any game. */
export async function packOf(game: string): Promise<Pack> {
  const load = PACKS[game] ?? (() => import("./default/pack"));
  return (await load()).pack as Pack;
}

/** Games whose scores are only for comparing: their places tell more. */
const ONLY_COMPARED = new Set(["kazink"]);

/** A score as its game counts it; a bare figure until the game's words are here. */
export function scoreText(game: string, score: number): string {
  return canSay("points", game) ? points(sayIn(game), score) : figure(score);
}

/** Whether a game's score says something by itself. */
export const showsScores = (game: string): boolean => !ONLY_COMPARED.has(game);

/** How games are dealt, to be checked when they are over. */
const DEALS: Record<string, () => Promise<{ deal: Deal }>> = {
  kaching: () => import("./kaching/deal"),
  kazink: () => import("./kazink/deal"),
  cash: () => import("./cash/deal"),
  assets: () => import("./assets/deal"),
  match: () => import("./match/deal"),
};

/** How a game is dealt; null: only the engine knows. */
export async function dealOf(game: string): Promise<Deal | null> {
  return (await DEALS[game]?.())?.deal ?? null;
}

/** The calculators, for games with real cards. */
export const calculators: Record<string, () => Promise<{ default: Component }>> = {
  cash: () => import("./cash/calculator/Calculator.svelte"),
};
