/** What the reader chose, kept in this browser. */

import type { Pace } from "./play/pace";

export type Language = "en" | "es";
export type Theme = "auto" | "light" | "dark";

export interface Settings {
  language: Language;
  theme: Theme;
  sound: boolean;
  /** How loud sounds are, from 0 to 1. */
  volume: number;
  /** How fast what the others do is shown. */
  pace: Pace;
  /** Whether everybody's chance to win stands beside the table, where the table allows it. */
  chances: boolean;
  /** Whether single letters do something, such as `h` for a hint. */
  shortcuts: boolean;
  /** Whether what others say is hidden. */
  muted: boolean;
  /** Whether the browser tells of my turn while the tab is in the background; null: I wasn't asked yet. */
  notices: boolean | null;
}

const KEY = "kibitz.settings";

export const settings: Settings = $state({ ...defaults(), ...kept() });

export function choose(changes: Partial<Settings>): void {
  Object.assign(settings, changes);
  write(localStorage, KEY, $state.snapshot(settings));
}

function defaults(): Settings {
  const language = navigator.language.startsWith("es") ? "es" : "en";
  return { language, theme: "auto", sound: true, volume: 0.6, pace: "normal", shortcuts: true, chances: false, muted: false, notices: null };
}

function kept(): Partial<Settings> {
  return read<Partial<Settings>>(localStorage, KEY) ?? {};
}

/** What is stored under a key; null if there is nothing, or nothing that can be read. */
export function read<Value>(storage: Storage, key: string): Value | null {
  try {
    return JSON.parse(storage.getItem(key) ?? "null") as Value | null;
  } catch {
    return null;
  }
}

/** Store a value; a browser that keeps nothing (private windows, full storage) just forgets it. */
export function write(storage: Storage, key: string, value: unknown): void {
  try {
    storage.setItem(key, JSON.stringify(value));
  } catch {
    // Nothing is lost but the memory of it.
  }
}
