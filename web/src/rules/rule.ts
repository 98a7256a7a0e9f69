/** Rules as refusals name them. */

import type { Say } from "../words.svelte";

/** What a link to a rule says: a ruling by its name, `K3`, or the rulebook's chapter. */
export function ruleName(rule: string, say: Say): string {
  if (/^[A-Z]\d+$/.test(rule)) return say("rules.rule", { rule });
  const chapter = chapterOf(rule, say);
  return chapter ? say("rules.chapter", { chapter }) : say("rules.read");
}

/** The heading of the rulebook's chapter that a rule is in; empty: it names none. */
export function chapterOf(rule: string, say: Say): string {
  return say.template(`chapter.${rule}`) ?? "";
}

/** A sentence without the ruling that it names at its end, `[K3]`: there is a link to that instead. */
export function withoutRule(sentence: string): string {
  return sentence.replace(/\s*\[[A-Z]\d+\]$/, "");
}
