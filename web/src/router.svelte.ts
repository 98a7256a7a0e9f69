/** Which screen the address means, and going from one to another. */

import { isGuarded } from "./ui/layers";

export type Route =
  | { screen: "home" }
  | { screen: "me" }
  | { screen: "statistics"; game: string }
  | { screen: "leaders" }
  | { screen: "host" }
  | { screen: "daily"; game: string | null }
  | { screen: "regular"; name: string }
  | { screen: "new"; game: string }
  | { screen: "table"; table: string }
  | { screen: "rules"; game: string }
  | { screen: "score"; game: string }
  | { screen: "learn"; game: string; step: number | null }
  | { screen: "review"; table: string | null }
  | { screen: "puzzles"; game: string | null; id: string | null }
  | { screen: "nowhere" };

let shown = location.pathname;
let current: Route = $state.raw(read(shown));

/** What is shown now. */
export function route(): Route {
  return current;
}

/** Go to a screen; `instead`: Back leads to the one before this. */
export function go(path: string, instead = false): void {
  if (instead || isGuarded()) history.replaceState({}, "", path);
  else if (path !== location.pathname) history.pushState({}, "", path);
  follow();
}

/** A game that is over, looked at again; without a table, one from a file. */
export const reviewPath = (table: string | null): string => (table === null ? "/review" : `/review/${table}`);
/** A table that people come back to. */
export const regularPath = (name: string): string => `/r/${name}`;

/** The deals of the day, one of them in view. */
export const dailyPath = (game?: string): string => (game ? `/daily/${game}` : "/daily");
/** What I did in my games of a kind. */
export const statisticsPath = (game: string): string => `/me/${game}`;
/** All puzzles; a game's next (`daily`: the one of the day); one of them. */
export const puzzlesPath = (game?: string, id?: string): string => ["/puzzles", game, id].filter(Boolean).join("/");
export const newPath = (game: string): string => `/new/${game}`;
export const tablePath = (table: string): string => `/t/${table}`;
export const rulesPath = (game: string): string => `/rules/${game}`;
export const scorePath = (game: string): string => `/score/${game}`;

/** A step of a game's lesson, from 1; without one, where one left off. */
export const learnPath = (game: string, step?: number): string => `/learn/${game}${step ? `/${step}` : ""}`;

/** Follow the address bar, and plain clicks on links within the page. */
export function startRouter(): void {
  addEventListener("popstate", () => location.pathname !== shown && follow());
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || event.defaultPrevented || !isPlain(event) || !isWithin(link)) return;
    event.preventDefault();
    go(link.pathname);
  });
}

function follow(): void {
  shown = location.pathname;
  current = read(shown);
  scrollTo(0, 0);
}

function read(path: string): Route {
  const [first = "", second = "", ...rest] = path.split("/").slice(1).map(decodeURIComponent);
  if (first === "learn" && second && rest.length < 2) return { screen: "learn", game: second, step: wholeFrom1(rest[0]) };
  if (first === "puzzles" && rest.length < 2) return { screen: "puzzles", game: second || null, id: rest[0] || null };
  if (rest.length > 0) return { screen: "nowhere" };
  if (first === "") return { screen: "home" };
  if (first === "me") return second ? { screen: "statistics", game: second } : { screen: "me" };
  if (first === "leaders" && !second) return { screen: "leaders" };
  if (first === "host" && !second) return { screen: "host" };
  if (first === "r" && second) return { screen: "regular", name: second };
  if (first === "daily") return { screen: "daily", game: second || null };
  if (first === "review") return { screen: "review", table: second || null };
  if (first === "t" && second) return { screen: "table", table: second };
  if (first === "new" && second) return { screen: "new", game: second };
  if (first === "rules" && second) return { screen: "rules", game: second };
  if (first === "score" && second) return { screen: "score", game: second };
  return { screen: "nowhere" };
}

function wholeFrom1(text = ""): number | null {
  return /^[1-9]\d*$/.test(text) ? Number(text) : null;
}

function isPlain(event: MouseEvent): boolean {
  return event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
}

function isWithin(link: HTMLAnchorElement): boolean {
  const elsewhere = link.origin !== location.origin || link.target !== "" || link.hasAttribute("download");
  return !elsewhere && link.hash === "" && read(link.pathname).screen !== "nowhere";
}
