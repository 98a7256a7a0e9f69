/** Where readers begin. */

import { tick } from "svelte";

/** To the heading of the screen, once it is drawn. */
export async function toHeading(): Promise<void> {
  await tick();
  document.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true });
}
