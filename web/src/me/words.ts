/** What my own page says about who I am; it comes with that page. Refusals are in the catalogues of games. */

import { library } from "../library.svelte";
import { settings } from "../settings.svelte";
import { loadWords, ofGame, sayer } from "../words.svelte";
import english from "./words.en.json";
import spanish from "./words.es.json";

const WORDS = { en: english, es: spanish };

const anyGame = (): string => library.games?.[0]?.name ?? "";

export const tell = sayer(() => [WORDS[settings.language], ofGame(anyGame())]);

/** Have what the server refuses by in the reader's language. */
export function loadRefusals(): void {
  if (anyGame()) void loadWords(anyGame()).catch(() => {});
}
