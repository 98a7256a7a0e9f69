/** Who I am, whether the server hears me, and the table I look at: the page's side of the one connection. */

import { socketAddress } from "./api";
import { Connection, Refusal, type Answer, type Order, type Status } from "./connection";
import { notify, refusalText } from "./notices.svelte";
import { PROTOCOL, type DailyResults, type Done, type Failed, type FromServer, type IdentityTold, type Leaders, type Nudged, type PastGame, type Preparing, type Previewed, type PublicTable, type RegularTable, type Statistics, type Summary, type TableView, type TurnFeeds, type Welcome } from "./protocol";
import { read, settings, write } from "./settings.svelte";
import { holderToken } from "./sharing/sharing";
import { sound } from "./sound";
import { LiveTable } from "./table.svelte";
import { say, sayIn } from "./words.svelte";

const TOKEN = "kibitz.token";

export class Session {
  status: Status = $state("connecting");
  name = $state("");
  /** My tables, the latest first; null until the server has told. */
  tables = $state.raw<Summary[] | null>(null);
  /** The tables that wait for players; null until the server has told. */
  waiting = $state.raw<PublicTable[] | null>(null);
  /** The games I have finished, the latest first; null until the server has told. */
  results = $state.raw<PastGame[] | null>(null);
  /** What I did in my games of a kind: the one that was last asked for. */
  statistics = $state.raw<Statistics | null>(null);
  /** How a day's deal went for everybody: the last one that was asked for. */
  daily = $state.raw<DailyResults | null>(null);
  /** The regular table that was last asked for, and the name of one that isn't there. */
  regular = $state.raw<RegularTable | null>(null);
  missing = $state("");
  /** How I can sign in elsewhere, and how I am rated; null until the server has told. */
  identity = $state.raw<IdentityTold | null>(null);
  /** Who plays a game best; null until the server has told. */
  leaders = $state.raw<Leaders | null>(null);
  /** Where other programs find my turns; null until the server has told. */
  feeds = $state.raw<TurnFeeds | null>(null);
  /** A game whose rules are being compiled. */
  preparing = $state.raw<Preparing | null>(null);
  /** What whoever hosts the house tells everybody; empty: nothing. */
  notice = $state("");
  table = $state.raw<LiveTable | null>(null);

  readonly #connection = new Connection(socketAddress(), {
    hello: () => ({
      type: "hello",
      protocol: PROTOCOL,
      token: holderToken() ?? read<string>(localStorage, TOKEN),
      language: settings.language,
      figures: true,
      rounds: true,
    }),
    welcome: (message) => this.#welcome(message),
    message: (message) => this.#take(message),
    status: (status) => (this.status = status),
  });

  start(): void {
    this.#connection.open();
  }

  retry(): void {
    this.#connection.reconnect();
  }

  /** Have a command carried out, exactly once; rejects with a Refusal. */
  command(order: Order): Promise<Done> {
    return this.#connection.command(order);
  }

  /** Ask for something about who I am; nothing of it is kept in the browser. */
  ask(order: Order): Promise<Answer> {
    return this.#connection.ask(order);
  }

  /** Be the guest of this token from now on; done when the server has welcomed it. */
  become(token: string): Promise<void> {
    write(localStorage, TOKEN, token);
    this.identity = this.results = this.tables = null;
    const welcomed = new Promise<void>((done) => (this.#onWelcome = done));
    this.#connection.again();
    return welcomed;
  }

  #onWelcome: () => void = () => {};

  /** Nothing is kept of me any more: begin as somebody new. */
  forget(): void {
    localStorage.clear();
    sessionStorage.clear();
    location.assign("/");
  }

  /** What proves who I am, for what is downloaded. */
  get token(): string | null {
    return read<string>(localStorage, TOKEN);
  }

  async rename(name: string): Promise<void> {
    await this.command({ type: "rename", name });
    this.name = name;
  }

  listTables(): void {
    this.#connection.send({ type: "my-tables" });
  }

  listWaiting(): void {
    this.#connection.send({ type: "public-tables" });
  }

  askResults(): void {
    this.#connection.send({ type: "my-results" });
  }

  askStatistics(game: string): void {
    this.#connection.send({ type: "my-statistics", game });
  }

  askDaily(game: string, day: string): void {
    this.#connection.send({ type: "ask-daily", game, day });
  }

  askRegular(name: string): void {
    this.#regularAsked = name;
    this.#connection.send({ type: "ask-regular", name });
  }

  #regularAsked = "";

  askIdentity(): void {
    this.#connection.send({ type: "my-identity" });
  }

  askFeeds(): void {
    this.#connection.send({ type: "my-turns" });
  }

  askLeaders(game: string, players: number): void {
    this.leaders = null;
    this.#connection.send({ type: "leaderboard", game, players });
  }

  /** Look at a table from now on; returns how to stop. */
  look(id: string): () => void {
    const watch = (): void => this.#connection.send({ type: "watch", table: id });
    const table = new LiveTable(id, watch);
    this.table = table;
    watch();
    return () => {
      this.#connection.send({ type: "unwatch", table: id });
      if (this.table === table) this.table = null;
    };
  }

  /** A table as it was after a row: what the moment was like, without its lines. */
  recall(table: string, number: number): Promise<TableView> {
    return new Promise((done) => {
      this.#recalls = [...this.#recalls, { table, number, done }];
      this.#connection.send({ type: "recall", table, number });
    });
  }

  #recalls: { table: string; number: number; done: (moment: TableView) => void }[] = [];

  #recalled(moment: TableView): void {
    const isIt = ({ table, number }: { table: string; number: number }): boolean =>
      table === moment.table && number === moment.number;
    for (const { done } of this.#recalls.filter(isIt)) done(moment);
    this.#recalls = this.#recalls.filter((each) => !isIt(each));
  }

  goOn(table: string, number: number): void {
    this.#connection.send({ type: "continue", table, number });
  }

  pace(table: string, pace: string): void {
    this.#connection.send({ type: "pace", table, pace });
  }

  /** What moves of mine at a table would surely do, as far as the server could tell. */
  preview(table: string, moves: string[]): Promise<Previewed> {
    return new Promise((done) => {
      this.#previews = [...this.#previews, { table, moves: moves.join(), done }];
      this.#connection.send({ type: "preview", table, moves });
    });
  }

  #previews: { table: string; moves: string; done: (previewed: Previewed) => void }[] = [];

  #previewed(previewed: Previewed): void {
    const moves = previewed.previews.map(({ move }) => move).join();
    const isIt = (asked: { table: string; moves: string }): boolean => asked.table === previewed.table && asked.moves === moves;
    for (const { done } of this.#previews.filter(isIt)) done(previewed);
    this.#previews = this.#previews.filter((each) => !isIt(each));
  }

  askHint(): void {
    if (!this.table) return;
    this.#connection.send({ type: "hint", table: this.table.id });
    this.table.asked = this.table.now?.number;
  }

  askChances(): void {
    if (this.table) this.#connection.send({ type: "chances", table: this.table.id });
  }

  askBeliefs(): void {
    if (this.table) this.#connection.send({ type: "beliefs", table: this.table.id });
  }

  #welcome({ token, name }: Welcome): void {
    if (holderToken() === null) write(localStorage, TOKEN, token);
    this.name = name;
    this.preparing = null; // who is asked again tells again
    this.#onWelcome();
    this.listTables();
    if (this.waiting) this.listWaiting();
    if (this.table) {
      this.table.asked = undefined; // it was lost
      this.#connection.send({ type: "watch", table: this.table.id });
    }
    for (const { table, number } of this.#recalls) this.#connection.send({ type: "recall", table, number });
  }

  #take(message: FromServer): void {
    switch (message.type) {
      case "tables":
        this.tables = message.tables;
        return;
      case "public":
        this.waiting = message.tables;
        return;
      case "results":
        this.results = message.games;
        return;
      case "statistics":
        this.statistics = message;
        return;
      case "daily-results":
        this.daily = message;
        return;
      case "regular-told":
        this.regular = message;
        return;
      case "identity":
        this.identity = message;
        return;
      case "leaders":
        this.leaders = message;
        return;
      case "turns":
        this.feeds = message;
        return;
      case "renamed":
        this.name = message.name;
        return;
      case "notice":
        this.notice = message.text;
        return;
      case "preparing":
        this.preparing = message.done < message.total ? message : null;
        return;
      case "reported":
        return notify(say("chat.to-host", { ...message, said: message.preset ? say(`chat.${message.preset}`) : message.said }));
      case "nudged":
        return this.#nudge(message);
      case "recalled":
        return this.#recalled(message.moment);
      case "previewed":
        return this.#previewed(message);
      case "failed":
        if (message.code !== "no-such-regular") return this.#tell(message);
        this.missing = this.#regularAsked; // which its page says
        return;
      case "table":
      case "presence":
      case "resting":
      case "gone":
      case "hinted":
      case "chance":
      case "believed":
        if (message.table === this.table?.id) this.table.take(message);
    }
  }

  /** The others wait for me: I am told where I am. */
  #nudge({ table, name }: Nudged): void {
    if (table !== this.table?.id) return;
    notify(say("waited.you", { name }));
    sound("turn");
  }

  /** Something that isn't a command went wrong. */
  #tell({ code, reason, data }: Failed): void {
    if (this.table) this.table.asked = undefined;
    const say = sayIn(this.table?.now?.game ?? "");
    if (this.status !== "refused" && this.status !== "banned") notify(refusalText(new Refusal(code, reason, "", data), say), true);
  }
}

export const session = new Session();
