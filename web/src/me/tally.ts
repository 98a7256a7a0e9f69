/** What my finished games come to. */

import type { PastGame } from "../protocol";

/** Without a winner, a game was ended by agreement. */
export type Outcome = "won" | "lost" | "undecided";

export function outcomeOf({ winners, seat, left }: PastGame): Outcome {
  if (winners.length === 0) return "undecided";
  return winners.includes(seat) && !left ? "won" : "lost";
}

export interface Tally {
  played: number;
  won: number;
  /** Games won one after the other: now, and at most. */
  streak: number;
  longest: number;
}

/** Of games with the latest first. */
export function tallyOf(games: PastGame[]): Tally {
  const outcomes = games.map(outcomeOf).filter((outcome) => outcome !== "undecided");
  const runs = outcomes.join(" ").split("lost").map((run) => run.trim().split(" ").filter(Boolean).length);
  return {
    played: games.length,
    won: outcomes.filter((outcome) => outcome === "won").length,
    streak: runs[0] ?? 0,
    longest: Math.max(0, ...runs),
  };
}

/** How far values reach below zero, and how far in all. */
export function spanOf(values: number[]): { below: number; whole: number } {
  const below = -Math.min(0, ...values);
  return { below, whole: below + Math.max(0, ...values) || 1 };
}

export interface Rival {
  who: string;
  name: string;
  mine: number;
  theirs: number;
}

/** How often I won against each person, and they against me, those I played most first. */
export function rivalsOf(games: PastGame[]): Rival[] {
  const rivals = new Map<string, Rival>();
  for (const game of games) {
    game.people.forEach((who, seat) => {
      if (!who || seat === game.seat) return;
      const rival = rivals.get(who) ?? { who, name: game.names[seat] ?? "", mine: 0, theirs: 0 };
      const [iWon, theyWon] = [outcomeOf(game) === "won", game.winners.includes(seat)];
      if (iWon && !theyWon) rival.mine += 1;
      if (theyWon && !iWon) rival.theirs += 1;
      rivals.set(who, rival);
    });
  }
  return [...rivals.values()].sort((a, b) => b.mine + b.theirs - a.mine - a.theirs);
}

/** The games of each kind, the most played first. */
export function byGame(games: PastGame[]): [string, PastGame[]][] {
  const found = new Map<string, PastGame[]>();
  for (const game of games) found.set(game.game, [...(found.get(game.game) ?? []), game]);
  return [...found].sort(([, a], [, b]) => b.length - a.length);
}
