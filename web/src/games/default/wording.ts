/** What the plain table says itself; what things are called comes from the game's catalogue, if it has words for it. */

import { HIDDEN } from "../../cards/print";
import { settings } from "../../settings.svelte";
import { capitalised } from "../../words.svelte";
import type { Copies, Plain } from "./things";
import english from "./words.en.json";
import spanish from "./words.es.json";

type Data = Record<string, unknown>;
type Say = (key: string, data?: Data) => string;

const WORDS: Record<string, Record<string, string>> = { en: english, es: spanish };

export class Wording {
  constructor(
    private readonly game: Say,
    readonly names: string[],
  ) {}

  say(key: string, data: Data = {}): string {
    const message = WORDS[settings.language]?.[key] ?? key;
    return message.replace(/\{(\w+)\}/g, (hole, name: string) => (name in data ? String(data[name]) : hole));
  }

  /** A key of the view: the game's words for it (`view.hands`), or usual ones, or the key made readable. */
  label(name: string): string {
    const key = `view.${name}`;
    const words = [this.game(key), this.say(key)].find((words) => words !== key);
    return words ?? capitalised(name.replace(/[_-]/g, " "));
  }

  card({ card, count }: Copies): string {
    const name = card === HIDDEN ? this.say("hidden") : card;
    return count > 1 ? this.say("copies", { card: name, count }) : name;
  }

  value(value: Plain): string {
    if (value === null) return this.say("empty");
    if (typeof value === "boolean") return this.say(value ? "yes" : "no");
    return typeof value === "number" ? value.toLocaleString(settings.language) : value;
  }
}
