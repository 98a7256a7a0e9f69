/** What the page says, and why something about me was refused: that is in the catalogues of games. */

import { library } from "../library.svelte";
import { inPage, loadWords, ofGame, sayer } from "../words.svelte";

const anyGame = (): string => library.games?.[0]?.name ?? "";

export const tell = sayer(() => [inPage(), ofGame(anyGame())]);

/** Have what the server refuses by in the reader's language. */
export function loadRefusals(): void {
  if (anyGame()) void loadWords(anyGame()).catch(() => {});
}
