/** Light, dark, or what the system says. The colours are in tokens.css. */

import { choose, type Theme } from "./settings.svelte";

const NEXT: Record<Theme, Theme> = { auto: "light", light: "dark", dark: "auto" };

export function nextTheme(theme: Theme): Theme {
  return NEXT[theme];
}

export function chooseTheme(theme: Theme): void {
  choose({ theme });
  showTheme(theme);
}

export function showTheme(theme: Theme): void {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
