/** Rules as refusals name them. */

import type { Say } from "../words.svelte";

/** What a link to a rule says: a ruling by its name, `K3`. */
export function ruleName(rule: string, say: Say): string {
  return /^[A-Z]\d+$/.test(rule) ? say("rules.rule", { rule }) : say("rules.read");
}

/** A sentence without the ruling that it names at its end, `[K3]`: there is a link to that instead. */
export function withoutRule(sentence: string): string {
  return sentence.replace(/\s*\[[A-Z]\d+\]$/, "");
}
