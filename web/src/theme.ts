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
  for (const side of ["light", "dark"] as const) colourTheFrame(side, theme);
}

/** The browser's own frame around the page has one of two colours, which index.html gives: the theme's. */
function colourTheFrame(side: "light" | "dark", theme: Theme): void {
  const meta = document.querySelector<HTMLMetaElement>(`meta[name=theme-color][data-theme=${side}]`);
  if (meta) meta.media = theme === "auto" ? `(prefers-color-scheme: ${side})` : theme === side ? "all" : "not all";
}
