/** Sentences in parts: a message of a catalogue with its values, each of a kind.
 *
 * Log, hints and results draw the parts (Words.svelte): a card small, a player by name. Screen readers and labels
 * get the same as plain text.
 */

import { HIDDEN } from "../cards/print";
import type { Card, Money, Seat, Sentence, Value } from "../events";
import { withoutRule } from "../rules/rule";
import type { Say } from "../words.svelte";
import { money } from "./money";

export type Values = Sentence["data"];
export type { Sentence, Value };

/** A piece of a sentence in words, and what it stands for if that is more than text. */
export interface Part {
  text: string;
  means?: Seat | Card | Money;
  /** What stands on a small card instead of its name. */
  mini?: string;
}

/** What words need to know of a table. */
export interface Told {
  say: Say;
  names: string[];
  /** The reader's seat. */
  seat: number | null;
}

/** A sentence in parts; of what I do or what is done to me in the second person, where the catalogue has that. */
export function parts({ key, data }: Sentence, to: Told): Part[] {
  return filled(withoutRule(to.say.template(key + person(data, to.seat), data) ?? to.say.template(key, data) ?? key), data, to);
}

function filled(template: string, data: Values, to: Told): Part[] {
  return template.split(HOLE).flatMap((piece, i) => {
    if (i % 2 === 0) return piece ? [{ text: piece }] : [];
    const value = data[piece];
    return value === undefined ? [{ text: `{${piece}}` }] : worded(value, to);
  });
}

/** The same beside the name of who acts: in the catalogue's short form (`–`: it isn't worth telling), or without the name
 * that begins it and the full stop; nothing, if another word begins it.
 */
export function short(sentence: Sentence, to: Told): Part[] {
  const { key, data } = sentence;
  const forms = [`${key}${person(data, to.seat)}.short`, `${key}.short`];
  const form = forms.find((each) => to.say.template(each, data) !== null);
  const template = form && to.say.template(form, data);
  if (template) return template === "–" ? [] : filled(template, data, to);
  const [first, ...after] = parts(sentence, to);
  if (!first?.means || !("seat" in first.means) || actorOf(sentence) !== first.means.seat) return [];
  return after
    .map((part, i) => (i === 0 && !part.means ? { ...part, text: part.text.trimStart() } : part))
    .map((part, i) => (i === after.length - 1 && !part.means ? { ...part, text: part.text.replace(/\.$/, "") } : part))
    .filter(({ text }) => text !== "");
}

/** Who acts in a sentence. */
export function actorOf({ data: { seat } }: Sentence): number | null {
  return typeof seat === "object" && "seat" in seat ? seat.seat : null;
}

/** Whether somebody else does something to a seat. */
export function isDoneTo({ data }: Sentence, seat: number | null): boolean {
  return person(data, seat) === ".to-you";
}

/** Whether it is about another player than who acts. */
export function isAboutAnother(sentence: Sentence): boolean {
  const actor = actorOf(sentence);
  return Object.values(sentence.data).some((value) => typeof value === "object" && "seat" in value && value.seat !== actor);
}

/** The same as text alone. */
export function plain(parts: Part[]): string {
  return parts.map(({ text }) => text).join("");
}

/** What a card is called: by the game's message `card.<code>`, or by its colour and value. */
export function cardName(card: string, say: Say): string {
  if (say.template(`card.${card}`) !== null) return say(`card.${card}`);
  const [letter = "", value] = [card.charAt(0), card.slice(1)];
  return say.template("card") === null ? card : say("card", { colour: say(`colour.${letter}`), value });
}

/** A move as it is written, with names for its seats and cards. */
export function notation(move: string, to: Told): Part[] {
  return move.split(" ").flatMap((word, i) => {
    const seat = /^p(\d)$/.exec(word);
    const value: Value = seat ? { seat: Number(seat[1]) } : to.say.template(`card.${word}`) === null ? word : { card: word };
    return [...(i > 0 ? [{ text: " " }] : []), ...worded(value, to)];
  });
}

const HOLE = /\{(\w+)\}/;

/** The form of a sentence in which I am the one who acts, or another whom it names. */
function person(data: Values, seat: number | null): "" | ".you" | ".to-you" {
  if (seat === null) return "";
  const isMe = (value: Value | undefined): boolean => typeof value === "object" && "seat" in value && value.seat === seat;
  if (isMe(data.seat)) return ".you";
  return Object.values(data).some(isMe) ? ".to-you" : "";
}

/** A value in words. */
export function worded(value: Value, to: Told): Part[] {
  if (typeof value === "string") return [{ text: value }];
  if (typeof value === "number") return [{ text: to.say.figure(value) }];
  if (Array.isArray(value)) return list(value, to);
  if ("key" in value) return parts(value, to);
  if ("seat" in value) return [{ text: to.names[value.seat] ?? "", means: value }];
  if ("card" in value) return [cardPart(value, to.say)];
  return [{ text: money(to.say, value.money), means: value }];
}

function cardPart(card: Card, say: Say): Part {
  const part: Part = { text: cardName(card.card, say), means: card };
  const mini = say.template(`mini.${card.card}`);
  return mini === null ? part : { ...part, mini };
}

/** What is listed, with commas; cards that I don't know are counted. */
function list(items: (Card | Sentence)[], to: Told): Part[] {
  const hidden = items.filter(isHidden).length;
  const counted: Sentence = { key: "cards.hidden", data: { count: hidden } };
  const shown = hidden > 1 ? [...items.filter((item) => !isHidden(item)), counted] : items;
  return shown.flatMap((item, i) => [...(i > 0 ? [{ text: ", " }] : []), ...worded(item, to)]);
}

function isHidden(item: Card | Sentence): boolean {
  return "card" in item && item.card === HIDDEN;
}
