/** Rules as refusals name them. */

/** A sentence without the ruling that it names at its end, `[K3]`: there is a link to that instead. */
export function withoutRule(sentence: string): string {
  return sentence.replace(/\s*\[[A-Z]\d+\]$/, "");
}
