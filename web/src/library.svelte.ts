/** The games: those that can be played here, as the server tells, and those to come. */

import { untrack } from "svelte";
import { fetchGames, type GameFacts } from "./api";

/** The five games in their order, with what is known before they can be played. */
export const SHELF = [
  { name: "kaching", players: [2, 2], minutes: 15 },
  { name: "kazink", players: [2, 4], minutes: 30 },
  { name: "cash", players: [2, 8], minutes: 60 },
  { name: "assets", players: [2, 6], minutes: 30 },
  { name: "match", players: [2, 6], minutes: 30 },
] as const;

class Library {
  games = $state.raw<GameFacts[] | null>(null);
  failed = $state(false);

  /** Ask the server, unless it has told already. */
  async load(): Promise<void> {
    if (untrack(() => this.games)) return;
    this.failed = false;
    try {
      this.games = await fetchGames();
    } catch {
      this.failed = true;
    }
  }

  find(name: string): GameFacts | undefined {
    return this.games?.find((game) => game.name === name);
  }
}

export const library = new Library();
