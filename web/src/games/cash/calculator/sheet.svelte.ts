/** A score sheet that is being filled in: it lives in this browser, and the server counts it. */

import { scoreSheet, Unreachable, type Value } from "../../../api";
import { Refusal } from "../../../connection";
import { read, write } from "../../../settings.svelte";

const KEY = "kibitz.score.cash";
const PAST = "kibitz.score.cash.past";
const FORM = 1; // of what is kept; another one is forgotten
const RETRY = 3000; // milliseconds
const MOST_UNDONE = 200;
export const FEWEST = 2;
export const MOST = 8;

/** How many cards of each kind a player has in a round, by their place on the sheet: `tabled.cash-25`, `crash`. */
export type Entries = Record<string, number>;

/** Everything on the sheet, and where it is being filled in. */
export interface Game {
  form: number;
  names: string[];
  rounds: Entries[][];
  options: Record<string, Value>;
  round: number;
  player: number;
}

interface ScoredRound {
  players: { steps: Record<string, number>; total: number }[];
  totals: number[];
  /** What is more than our box has; a real one may hold others. */
  warnings: { code: string; data: Record<string, unknown> }[];
}

/** What the server makes of it. */
export interface Score {
  rounds: ScoredRound[];
  winners: number[];
}

/** Why the sheet can't be, and which entry is to blame, if it is one. */
export interface Problem {
  refusal: Refusal;
  round: number;
  player: number | null;
  field: string;
}

export class Sheet {
  game: Game = $state.raw(kept() ?? fresh());
  score: Score | null = $state.raw(null);
  /** What can't be; the rest is counted without it. */
  problems: Problem[] = $state.raw([]);
  unreachable = $state(false);
  #past: Game[] = $state.raw(past());
  #typing = "";
  #counting = false;
  #again = false;

  get canUndo(): boolean {
    return this.#past.length > 0;
  }

  get entries(): Entries {
    return this.game.rounds[this.game.round]?.[this.game.player] ?? {};
  }

  /** Change the sheet so that it can be undone; keys typed into one field, named by `typing`, are undone together. */
  change(edit: (game: Game) => void, typing = ""): void {
    if (!typing || typing !== this.#typing) this.#past = [...this.#past, this.game].slice(-MOST_UNDONE);
    this.#typing = typing;
    const game = structuredClone(this.game);
    edit(game);
    this.#take(game);
  }

  undo(): void {
    const before = this.#past.at(-1);
    if (!before) return;
    this.#past = this.#past.slice(0, -1);
    this.#typing = "";
    this.#take(before);
  }

  enter(field: string, count: number, typed: boolean): void {
    const { round, player } = this.game;
    this.change((game) => (game.rounds[round]![player]![field] = count), typed ? `${round}/${player}/${field}` : "");
  }

  /** Go to another place of the sheet. */
  look(round: number, player: number): void {
    this.#typing = "";
    this.game = { ...this.game, round, player };
    write(localStorage, KEY, this.game);
  }

  addPlayer(): void {
    this.change((game) => {
      game.names.push("");
      for (const round of game.rounds) round.push({});
    });
  }

  removePlayer(player: number): void {
    this.change((game) => {
      game.names.splice(player, 1);
      for (const round of game.rounds) round.splice(player, 1);
      game.player = Math.min(game.player, game.names.length - 1);
    });
  }

  addRound(): void {
    this.change((game) => {
      game.rounds.push(emptyRound(game.names.length));
      game.round = game.rounds.length - 1;
      game.player = 0;
    });
  }

  /** There is always one to fill in. */
  deleteRound(round: number): void {
    this.change((game) => {
      game.rounds.splice(round, 1);
      if (game.rounds.length === 0) game.rounds.push(emptyRound(game.names.length));
      game.round = Math.min(game.round - Number(round < game.round), game.rounds.length - 1);
      game.player = 0;
    });
  }

  /** The same players begin anew. */
  restart(): void {
    this.change((game) => {
      game.rounds = [emptyRound(game.names.length)];
      game.round = game.player = 0;
    });
  }

  /** Have it counted; while that is done, changes wait for one more time. */
  async count(): Promise<void> {
    this.#again = true;
    if (this.#counting) return;
    this.#counting = true;
    while (this.#again) {
      this.#again = false;
      await this.#ask();
    }
    this.#counting = false;
  }

  #take(game: Game): void {
    this.game = game;
    write(localStorage, KEY, game);
    write(localStorage, PAST, this.#past);
    void this.count();
  }

  async #ask(): Promise<void> {
    try {
      const { score, problems } = await counted(this.game);
      this.score = score;
      this.problems = problems;
      this.unreachable = false;
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      this.score = null;
      this.unreachable = true;
      setTimeout(() => void this.count(), RETRY);
    }
  }
}

/** The score of a sheet. An entry that can't be is left out, so that it hides nothing else. */
async function counted(game: Game, problems: Problem[] = []): Promise<{ score: Score | null; problems: Problem[] }> {
  try {
    return { score: await scoreSheet<Score>("cash", written(game)), problems };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const problem = placed(error);
    const all = [...problems, problem];
    const rest = structuredClone(game);
    const entries = problem.player === null ? undefined : rest.rounds[problem.round]?.[problem.player];
    if (!entries || !(problem.field in entries)) return { score: null, problems: all };
    delete entries[problem.field];
    return counted(rest, all);
  }
}

function fresh(): Game {
  const names = Array.from({ length: FEWEST }, () => "");
  return { form: FORM, names, rounds: [emptyRound(FEWEST)], options: {}, round: 0, player: 0 };
}

function kept(): Game | null {
  const game = read<Game>(localStorage, KEY);
  return game?.form === FORM ? game : null;
}

function past(): Game[] {
  const games = read<Game[]>(localStorage, PAST) ?? [];
  return games.filter(({ form }) => form === FORM);
}

function emptyRound(players: number): Entries[] {
  return Array.from({ length: players }, () => ({}));
}

/** The sheet as the server reads it: what is 0 is left out. */
function written({ rounds, options: { target, ...options } }: Game): unknown {
  const sheets = rounds.map((players) => ({ players: players.map(line), ...options }));
  return { rounds: sheets, ...(target === undefined ? {} : { target }) };
}

function line(entries: Entries): Record<string, unknown> {
  const written: Record<string, unknown> = {};
  for (const [field, count] of Object.entries(entries)) {
    if (count === 0) continue;
    const [part = "", card] = field.split(".");
    written[part] = card ? { ...(written[part] as object | undefined), [card]: count } : count;
  }
  return written;
}

/** Where the sheet is wrong, from the server's words for it: `rounds[0].players[1].hand.cash-25`. */
function placed(refusal: Refusal): Problem {
  const [, round = "0", player, field = ""] =
    /^rounds\[(\d+)\](?:\.players\[(\d+)\]\.(.+))?/.exec(String(refusal.data.where)) ?? [];
  const card = field === "insured" ? `insured.${String(refusal.data.card)}` : field;
  return { refusal, round: Number(round), player: player === undefined ? null : Number(player), field: card };
}
