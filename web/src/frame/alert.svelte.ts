/** That I am waited for is told where I am: in the tab's title, its icon, and by a sound; and what happens is heard. */

import { untrack } from "svelte";
import { noticeTurn } from "../clock/notices.svelte";
import { afterFrame } from "../table/motion";
import type { Event } from "../events";
import type { LogLine } from "../protocol";
import type { Table } from "../table.svelte";
import { sound, type Sound } from "../sound";

interface Waiting {
  title: () => string;
  table: () => Table;
  /** What I am waited for, in words: my turn, the start, another game; null: nothing. */
  call: () => string | null;
}

interface Watched {
  lines: () => LogLine[];
  table: () => Table;
  /** What is heard when something is laid down. */
  laid: () => Sound;
}

const MOST_HEARD = 3; // lines at once: more are the past, not news
const SOON = 100; // milliseconds, after which the tab follows: the browser's part of that would delay the table
const LONG_WAIT = 4000; // milliseconds, after which a call is announced by a sound

/** Call while a component is being set up. */
export function callMe({ title, table, call }: Waiting): void {
  const called = $derived(call());
  let waitedSince = Date.now();

  $effect(() => {
    const named = `${called ? `● ${called} – ` : ""}${title()} – Kibitz`;
    const icon = called ? "/favicon-turn.svg" : "/favicon.svg";
    const timer = setTimeout(() => ((document.title = named), showIcon(icon)), SOON);
    return () => clearTimeout(timer);
  });
  $effect(() => () => showIcon("/favicon.svg"));

  $effect(() => {
    if (!called) waitedSince = Date.now();
    else {
      if (document.hidden || Date.now() - waitedSince > LONG_WAIT) sound("turn");
      noticeTurn(title(), called, untrack(table).table);
    }
  });
}

/** Call while a component is being set up. */
export function soundMoves({ lines, table, laid }: Watched): void {
  let heard = lines().at(-1)?.number ?? 0;

  $effect(() => {
    const fresh = lines().filter(({ number }) => number > heard);
    heard = lines().at(-1)?.number ?? heard;
    if (fresh.length === 0 || fresh.length > MOST_HEARD) return;
    const name = soundOf(fresh, table(), laid());
    afterFrame(() => sound(name));
  });
}

function soundOf(fresh: LogLine[], { result, seat }: Table, laid: Sound): Sound {
  if (result && seat !== null && result.winners.includes(seat)) return "win";
  const events = fresh.flatMap((line) => line.events as Event[]);
  if (events.some((event) => event.event === "take" && event.source !== null)) return "steal";
  return events.some(isIncome) ? "coin" : laid;
}

function isIncome(event: Event): boolean {
  return event.event === "gain" || (event.event === "money" && event.amount > 0);
}

function showIcon(address: string): void {
  document.querySelector<HTMLLinkElement>("link[rel=icon]")!.href = address;
}
