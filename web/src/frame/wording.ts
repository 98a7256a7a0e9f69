/** A table's log and people in words. */

import type { LogLine, SeatInfo } from "../protocol";
import type { Say } from "../words.svelte";
import { actorOf, isAboutAnother, isDoneTo, type Part, parts, type Sentence, short, type Told } from "../words/sentences";

/** What the seats are called; an open one by its number. */
export function namesOf(seats: SeatInfo[], say: Say): string[] {
  return seats.map(({ name }, index) => name || say("seat.number", { number: index + 1 }));
}

export function isTalk(line: LogLine): boolean {
  return line.kind === "chat";
}

/** What was said. */
export function said(line: LogLine, say: Say): string {
  return line.preset ? say(`chat.${line.preset}`) : line.text;
}

/** A sentence of a line, and what it is in words. */
export interface Worded {
  sentence: Sentence;
  parts: Part[];
  short: Part[];
  /** Something that somebody else does to me. */
  toMe: boolean;
}

/** What one player did without another in between, something of the table's own, or what somebody said. */
export interface Entry {
  /** Different for each, and the same as long as the log only grows. */
  key: string;
  kind: string;
  /** Who acts; null: nobody, or several. */
  actor: number | null;
  /** I made a move that this tells of. */
  mine: boolean;
  sentences: Worded[];
  /** Where several players did alike, who. */
  alike: number[];
  line: LogLine;
}

/** Puts a table's log into words, each line once: a line stays with who made it, whoever has the seat now. */
export class LogInWords {
  readonly #worded = new WeakMap<LogLine, Worded[]>();

  constructor(private readonly to: Told) {}

  entries(lines: LogLine[]): Entry[] {
    const entries: Entry[] = [];
    const tellers = this.#tellers(lines);
    lines.forEach((line, i) => this.#add(entries, line, tellers[i]!));
    return entries;
  }

  #add(entries: Entry[], line: LogLine, to: Told): void {
    const { kind, number } = line;
    const mine = kind === "move" && line.seat !== null && line.seat === to.seat;
    if (isTalk(line)) entries.push({ key: `${number}`, kind, actor: line.seat, mine, sentences: [], alike: [], line });
    this.#words(line, to).forEach((worded, i) => {
      const actor = actorOf(worded.sentence);
      const last = entries.at(-1);
      if (last && this.#fold(last, worded, to)) return;
      const byMe = mine && actor === to.seat;
      if (last && kind === "move" && last.kind === kind && actor !== null && last.actor === actor) {
        last.sentences.push(worded);
        last.mine ||= byMe; // another's move may have begun it: I drew a card
      } else entries.push({ key: `${number}/${i}`, kind, actor, mine: byMe, sentences: [worded], alike: [], line });
    });
  }

  #words(line: LogLine, to: Told): Worded[] {
    const known = this.#worded.get(line);
    if (known) return known;
    const worded = (line.sentences as unknown as Sentence[]).map((sentence) => {
      const brief = short(sentence, to);
      const befallsMe = actorOf(sentence) === to.seat && !isAboutAnother(sentence) && line.seat !== to.seat && line.kind === "move";
      const toMe = isDoneTo(sentence, to.seat) || befallsMe;
      return { sentence, parts: parts(sentence, to), short: brief, toMe: toMe && to.seat !== null && brief.length > 0 };
    });
    this.#worded.set(line, worded);
    return worded;
  }

  /** What several players did alike is told once, where the catalogue has words for that. */
  #fold(last: Entry, { sentence }: Worded, to: Told): boolean {
    const [only, more] = last.sentences;
    const actor = actorOf(sentence);
    if (!only || more || only.sentence.key !== sentence.key || actor === null || actor === to.seat || last.mine) return false;
    const all = { key: `${sentence.key}.many`, data: { count: last.alike.length } };
    if (to.say.template(all.key) === null) return false;
    last.alike = [...new Set([...(last.actor === null ? last.alike : [last.actor]), actor])];
    if (last.alike.length === 1) return true; // the same player once more
    all.data.count = last.alike.length;
    last.actor = null;
    last.sentences = [{ ...only, parts: parts(all, to), short: [] }];
    return true;
  }

  /** For each line, what its players were called then, and whether I was one of them. */
  #tellers(lines: LogLine[]): Told[] {
    let to = this.to;
    const mine = this.to.seat;
    const told = lines.toReversed().map((line) => {
      const then = to;
      const before = sitterBefore(line);
      if (before && line.seat !== null) {
        const seat = line.seat === mine ? (before.person ? mine : null) : to.seat;
        to = { ...to, names: to.names.with(line.seat, before.name), seat };
      }
      return then;
    });
    return named(lines, told.toReversed());
  }
}

/** The same with the names that the log itself tells; older logs don't. */
function named(lines: LogLine[], tellers: Told[]): Told[] {
  let called: string[] = [];
  return lines.map((line, i) => {
    if (line.called.length > 0) ({ called } = line);
    const to = tellers[i]!;
    return called.length > 0 ? { ...to, names: to.names.map((name, seat) => called[seat] || name) } : to;
  });
}

/** Who had the seat before a line that tells of a bot that took it over, or gave it back. */
function sitterBefore(line: LogLine): { name: string; person: boolean } | null {
  const [sentence] = line.sentences as unknown as Sentence[];
  if ((line.kind !== "seat" && line.kind !== "resign") || typeof sentence?.data.bot !== "string" || !line.name) return null;
  if (sentence.key === "table.return") return { name: sentence.data.bot, person: false };
  return sentence.key.endsWith(".bot") || sentence.key === "table.replace.absent" ? { name: line.name, person: true } : null;
}

/** Sentences after which all that was told before is no news any more. */
const FRESH_STARTS = ["log.round", "table.undo"];

/** What the others did in this round since my last move; all, if I look on or have made none. */
export function news(entries: Entry[]): Entry[] {
  return entries.slice(entries.findLastIndex(({ mine, sentences: [first] }) => mine || (first && FRESH_STARTS.includes(first.sentence.key))) + 1);
}

/** What somebody else did to me, sentence by sentence. */
export function doneToMe(entries: Entry[]): Worded[] {
  return entries.flatMap(({ sentences }) => sentences.filter(({ toMe }) => toMe));
}
