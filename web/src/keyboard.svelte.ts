/** The keys that do something on this screen. `?` shows them all. */

import { untrack } from "svelte";
import { settings } from "./settings.svelte";

export interface Shortcut {
  /** As `KeyboardEvent.key` names it. */
  key: string;
  /** What it does, in words; empty: it isn't listed. */
  label: string;
  /** Left out: the key is handled elsewhere and only listed. */
  run?: () => void;
}

let groups: (() => Shortcut[])[] = $state.raw([]);

/** The shortcuts of everything that is on the screen now. */
export function shortcuts(): Shortcut[] {
  return groups.flatMap((group) => group());
}

/** Add keys for as long as the calling component is shown: `$effect(() => useKeys(() => [...]))`. */
export function useKeys(group: () => Shortcut[]): () => void {
  groups = [...untrack(() => groups), group];
  return () => {
    groups = groups.filter((other) => other !== group);
  };
}

/** For as long as something can be closed by Escape: `$effect(() => closedByEscape(close))`. */
export function closedByEscape(close: () => void): () => void {
  return useKeys(() => [{ key: "Escape", label: "", run: close }]);
}

export function startKeyboard(): void {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
    if (isLetter(event.key) && (!settings.shortcuts || document.querySelector("dialog:modal"))) return;
    const shortcut = shortcutOf(event.key);
    if (!shortcut) return;
    event.preventDefault();
    shortcut.run?.();
  });
}

/** Escape closes what lies topmost, which came last: a dialog closes itself. */
function shortcutOf(pressed: string): Shortcut | undefined {
  const meant = shortcuts().filter(({ key, run }) => run && key === pressed);
  if (pressed !== "Escape") return meant[0];
  return document.querySelector("dialog:modal") ? undefined : meant.at(-1);
}

/** Whether a key means something where it was pressed. (A slider does nothing with the space bar.) */
function isTyping({ target, key }: KeyboardEvent): boolean {
  const [others, pressed] = key === " " ? [", [type=range]", ", button, summary"] : ["", ""];
  return target instanceof Element && target.matches(`input:not([type=radio], [type=checkbox]${others}), textarea, select${pressed}`);
}

function isLetter(key: string): boolean {
  return key.length === 1 && key !== "?";
}
