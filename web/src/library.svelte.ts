/** The games that can be played here, as the server tells. */

import { untrack } from "svelte";
import { fetchBots, fetchGames, type GameFacts } from "./api";

class Library {
  games = $state.raw<GameFacts[] | null>(null);
  /** Programs of the host's, by name: bots beside the levels. */
  bots = $state.raw<string[]>([]);
  failed = $state(false);

  /** Ask the server, unless it has told already. */
  async load(): Promise<void> {
    if (untrack(() => this.games)) return;
    this.failed = false;
    try {
      this.games = await fetchGames();
      this.bots = await fetchBots();
    } catch {
      this.failed = true;
    }
  }

  find(name: string): GameFacts | undefined {
    return this.games?.find((game) => game.name === name);
  }
}

export const library = new Library();
