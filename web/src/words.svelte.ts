/** Message catalogues: the page's own in the reader's language; a game's (with the core's), fetched when it is needed. */

import { untrack } from "svelte";
import { fetchWords } from "./api";
import { choose, settings, type Language } from "./settings.svelte";
import { money } from "./words/money";

/** A template with `{names}`, or `${names}` for what is written as money; one that counts has plural forms, chosen by `count`. */
type Message = string | Partial<Record<Intl.LDMLPluralRule, string>>;
export type Catalogue = Record<string, Message>;
export type Data = Record<string, unknown>;

/** Says what a catalogue has for a key; a key that it hasn't is said itself. */
export interface Say {
  (key: string, data?: Data): string;
  /** The message before its values are put in, in the plural form that its data asks for; null: there is none. */
  template(key: string, data?: Data): string | null;
  /** A number as the language writes it. */
  figure(value: number): string;
}

export const LANGUAGES: Record<Language, string> = { en: "English", es: "Español" };

/** Figures are written as in the rulebooks, which came from America: 1,000. */
const NUMBERS: Record<Language, Intl.NumberFormat> = {
  en: new Intl.NumberFormat("en"),
  es: new Intl.NumberFormat("es-MX"),
};

const PLURALS: Record<Language, Intl.PluralRules> = { en: new Intl.PluralRules("en"), es: new Intl.PluralRules("es") };

type Catalogues = Record<Language, () => Promise<{ default: Catalogue }>>;

/** What is said at home and at tables, */
const FIRST: Catalogues = {
  en: () => import("./words.en.json"),
  es: () => import("./words.es.json"),
};

/** and on screens that are fetched when somebody goes to them. */
const LATER: Catalogues = {
  en: () => import("./screens.en.json"),
  es: () => import("./screens.es.json"),
};

/** The page's own catalogues that are here, and which are wanted. */
const ofPage: Partial<Record<Language, Catalogue>> = {};
const wanted = [FIRST];
export const inPage = (): Catalogue => ofPage[settings.language] ?? {};

/** The catalogues of games by `language/game`. */
const ofGames: Record<string, Catalogue> = $state({});

/** A sentence of the page's own catalogue. */
export const say: Say = sayer(() => [inPage()]);

/** A game's sentences, and the page's. */
export function sayIn(game: string): Say {
  return sayer(() => [ofGame(game), inPage()]);
}

/** Whether there is such a sentence. */
export function canSay(key: string, game?: string): boolean {
  return key in inPage() || (game !== undefined && key in ofGame(game));
}

/** What a bot's level is called; a program of the host's has a name of its own. */
export function levelName(level: string, form = ""): string {
  const key = `level.${level}${form}`;
  return canSay(key) ? say(key) : level;
}

/** Fetch a game's sentences in the reader's language, unless they are here. */
export async function loadWords(game: string): Promise<void> {
  const language = settings.language;
  const key = `${language}/${game}`;
  if (!untrack(() => ofGames[key])) ofGames[key] = await fetchWords(game, language);
}

/** Have the page's sentences in a language. */
export async function loadPageWords(language: Language): Promise<void> {
  const catalogues = await Promise.all(wanted.map((each) => each[language]()));
  ofPage[language] = Object.assign({}, ...catalogues.map((each) => each.default));
}

/** Have those of screens that come later, too. */
export function loadScreenWords(): Promise<void> {
  if (!wanted.includes(LATER)) wanted.push(LATER);
  return (ofScreens ??= loadPageWords(settings.language));
}

let ofScreens: Promise<void> | null = null;

export async function chooseLanguage(language: Language): Promise<void> {
  await loadPageWords(language);
  choose({ language });
}

/** Names, or whatever is listed, as the language lists things. */
export function listed(items: string[]): string {
  return new Intl.ListFormat(settings.language, { type: "conjunction" }).format(items);
}

/** The same at the beginning of a sentence. */
export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A number as the language writes it. */
export function figure(value: number): string {
  return NUMBERS[settings.language].format(value).replace("-", "−");
}

/** How long ago that was: “3 days ago”. */
export function ago(seconds: number): string {
  const format = new Intl.RelativeTimeFormat(settings.language, { numeric: "auto" });
  const passed = Math.round(seconds - Date.now() / 1000);
  const [unit, size] = UNITS.find(([, size]) => -passed >= size) ?? ["second", 1];
  return unit === "second" ? format.format(0, "second") : format.format(Math.trunc(passed / size), unit);
}

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

/** In the reader's language; while that is being fetched, in whichever is here. */
export function ofGame(game: string): Catalogue {
  const languages = [settings.language, ...(Object.keys(LANGUAGES) as Language[])];
  return languages.map((language) => ofGames[`${language}/${game}`]).find(Boolean) ?? {};
}

/** Who speaks from the first of some catalogues that has a message. */
export function sayer(catalogues: () => Catalogue[]): Say {
  const template = (key: string, data: Data = {}): string | null => {
    const message = catalogues().find((catalogue) => key in catalogue)?.[key];
    return message === undefined ? null : pluralised(message, data);
  };
  const speak = (key: string, data: Data = {}): string => {
    const found = template(key, data);
    return found === null ? key : filled(found, data, said);
  };
  const said: Say = Object.assign(speak, { template, figure });
  return said;
}

function pluralised(message: Message, data: Data): string {
  if (typeof message === "string") return message;
  const form = PLURALS[settings.language].select(Number(data.count));
  return message[form] ?? message.other ?? "";
}

function filled(template: string, data: Data, say: Say): string {
  return template.replace(/(\$?)\{(\w+)\}/g, (hole, dollar: string, name: string) => {
    const value = data[name];
    return dollar && typeof value === "number" ? money(say, value) : name in data ? dollar + text(value) : hole;
  });
}

function text(value: unknown): string {
  return typeof value === "number" ? figure(value) : String(value);
}
