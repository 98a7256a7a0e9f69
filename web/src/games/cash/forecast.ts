/** What a card would do to the firms as they lie now: for reading, never for deciding what is legal. */

import { cardOf, dollars, type Firm, insuredBy, sum, targetOf, type View } from "./view";
import type { Wording } from "./wording";

const byWorth = (cards: string[]): string[] => cards.toSorted((one, other) => dollars(one) - dollars(other));
const lowest = (cards: string[]): string | undefined => byWorth(cards)[0];
const highest = (cards: string[]): string | undefined => byWorth(cards).at(-1);

/** Lines that say what a move would change. */
export function forecast(move: string, view: View, me: number, names: string[], wording: Wording): string[] {
  const firm = view.firms[me];
  if (!firm) return [];
  const card = cardOf(move);
  const others = view.firms.map((other, seat) => ({ other, name: names[seat] ?? "", seat })).filter(({ seat }) => seat !== me);
  const say = (key: string, data: Record<string, unknown> = {}): string => wording.say(`forecast.${key}`, data);
  const takes = (which: (cash: string[]) => string | undefined): string[] =>
    others.flatMap(({ other, name }) => {
      const cash = which(other.cash);
      return cash ? [say("take", { name, card: wording.card(cash) })] : [];
    });
  const collects = (cash: string, turns: number): string[] =>
    others.map(({ other, name }) =>
      other.cash.includes(cash)
        ? say("take", { name, card: wording.card(cash) })
        : say("loses-turns", { name, count: turns }),
    );
  const loses = (cash: string | undefined): string[] => (cash ? [say("lose", { card: wording.card(cash) })] : []);

  if (move.startsWith("play")) {
    const target = targetOf(move);
    if (target !== null) return [say("stands-still", { name: names[target] })];
    if (card.startsWith("cash")) return [say("tabled", { total: wording.money(sum(firm.cash) + dollars(card)) })];
    if (card.startsWith("cover")) return [say("safe", { total: wording.money(sum(insuredBy(move))) })];
    if (card === "settlement") return [...loses(lowest(firm.cash)), say("cleared")];
    return [];
  }
  if (!firm.license) return [say("nothing")];
  const cleared = firm.probe ? [say("cleared")] : [];
  switch (card) {
    case "dividend":
      return [...cleared, ...takes(lowest), say("extra")];
    case "premium":
      return [...cleared, ...takes(highest), say("extra")];
    case "broker":
      return firm.probe ? [say("nothing")] : collects("cash-25", 1);
    case "banker":
      return firm.probe ? [say("nothing")] : collects("cash-50", 2);
    case "crash":
      return [...loses(lowest(firm.cash)), say("bear", { count: 1 })];
    case "recession":
      return [...loses(highest(firm.cash)), say("bear", { count: 2 })];
    case "bankruptcy":
      return [say("bankrupt")];
    case "takeover":
      return targetOf(move) === null ? [say("nothing")] : [say("takeover", { name: names[targetOf(move) ?? 0] })];
    default:
      return clears(card, firm) ? [say("cleared")] : [say("nothing")];
  }
}

function clears(card: string, { probe }: Firm): boolean {
  return probe !== null && card.startsWith("clear") && probe.endsWith(card.slice("clear".length));
}
