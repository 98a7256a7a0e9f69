/** One WebSocket that comes back by itself.
 *
 * A command keeps the id it was made with until the server has answered it, through lost connections and
 * reloads of the page; sent again, it gets the same answer and is never carried out twice.
 */

import { withForgotten } from "./forgotten";
import type { DeviceCode, Done, FromClient, FromServer, Hello, Refused, SignedIn, Welcome } from "./protocol";
import { read, write } from "./settings.svelte";

export type Status = "connecting" | "online" | "offline" | "refused" | "banned";
export type Command = Extract<FromClient, { id: string }>;
/** A command that has no id yet. */
export type Order = Command extends infer Each ? (Each extends Command ? Omit<Each, "id"> : never) : never;

export interface Listener {
  hello: () => Hello;
  welcome: (message: Welcome) => void;
  message: (message: FromServer) => void;
  status: (status: Status) => void;
}

export type Answer = Done | DeviceCode | SignedIn;

interface Waiting {
  done: (answer: Answer) => void;
  refused: (refusal: Refusal) => void;
}

/** Failures after which there is no use in trying again, and what they leave. */
const FINAL: Record<string, Status> = { "other-protocol": "refused", banned: "banned" };
const UNANSWERED = "kibitz.unanswered";
const FIRST_DELAY = 400;
const LONGEST_DELAY = 15_000;
const QUIET = 20_000; // after so much silence, ask whether the server is still there
const PATIENCE = 8_000; // for its answer

/** The server didn't carry out a command; nothing has changed. */
export class Refusal extends Error {
  constructor(
    readonly code: string,
    reason: string,
    readonly rule = "",
    readonly data: Record<string, unknown> = {},
  ) {
    super(reason);
  }
}

export class Connection {
  #socket: WebSocket | null = null;
  #online = false;
  #refused = false;
  #attempts = 0;
  #retry = 0;
  #heartbeat = 0;
  readonly #unanswered: Map<string, Command>;
  readonly #waiting = new Map<string, Waiting>();

  constructor(
    private readonly address: string,
    private readonly listener: Listener,
  ) {
    const kept = read<Command[]>(sessionStorage, UNANSWERED) ?? [];
    this.#unanswered = new Map(kept.map((command) => [command.id, command]));
  }

  open(): void {
    addEventListener("online", () => this.reconnect());
    addEventListener("offline", () => this.#lose());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.reconnect();
    });
    this.#connect();
  }

  /** Try again now, rather than when the next attempt is due. */
  reconnect(): void {
    if (this.#online) this.#ask();
    else if (!this.#refused && this.#socket?.readyState !== WebSocket.CONNECTING) this.#connect();
  }

  /** Send a message that changes nothing; without a connection it is dropped. */
  send(message: Exclude<FromClient, Command>): void {
    if (this.#online) this.#put(message);
  }

  /** Have a command carried out, exactly once, now or when the connection is back. */
  command(order: Order): Promise<Done> {
    const command = { ...order, id: freshId() } as Command;
    this.#unanswered.set(command.id, command);
    this.#keep();
    if (this.#online) this.#put(command);
    return new Promise((done, refused) => this.#waiting.set(command.id, { done: (answer) => done(answer as Done), refused }));
  }

  /** Ask for something that isn't kept for later, since it may hold a secret: now, or not at all. */
  ask(order: Order): Promise<Answer> {
    const command = { ...order, id: freshId() } as Command;
    if (!this.#online) return Promise.reject(lost());
    this.#put(command);
    return new Promise((done, refused) => this.#waiting.set(command.id, { done, refused }));
  }

  /** Say hello anew: as somebody else, or with another token. */
  again(): void {
    this.#lose();
    this.#connect();
  }

  #connect(): void {
    clearTimeout(this.#retry);
    this.#socket?.close();
    const socket = new WebSocket(this.address);
    this.#socket = socket;
    socket.onopen = () => this.#put(this.listener.hello());
    socket.onmessage = (event) => {
      if (socket === this.#socket) this.#receive(JSON.parse(withForgotten(String(event.data))) as FromServer);
    };
    socket.onclose = () => {
      if (socket === this.#socket) this.#lose();
    };
    this.#expectWithin(PATIENCE);
  }

  #lose(): void {
    clearTimeout(this.#heartbeat);
    clearTimeout(this.#retry);
    this.#online = false;
    for (const [id, { refused }] of this.#waiting) {
      if (this.#unanswered.has(id)) continue;
      this.#waiting.delete(id);
      refused(lost());
    }
    if (this.#refused) return;
    this.listener.status("offline");
    const delay = Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** this.#attempts++);
    this.#retry = window.setTimeout(() => this.#connect(), delay * (0.5 + Math.random()));
  }

  #receive(message: FromServer): void {
    this.#heard();
    switch (message.type) {
      case "welcome":
        return this.#begin(message);
      case "device-code":
      case "signed-in":
      case "done":
        return this.#answer(message.id)?.done(message);
      case "refused":
        return this.#answer(message.id)?.refused(refusal(message));
      case "failed":
        this.#end(FINAL[message.code]);
        return this.listener.message(message);
      default:
        return this.listener.message(message);
    }
  }

  #end(status: Status | undefined): void {
    this.#refused = status !== undefined;
    if (status) this.listener.status(status);
  }

  #begin(message: Welcome): void {
    this.#online = true;
    this.#attempts = 0;
    this.listener.status("online");
    this.listener.welcome(message);
    for (const command of this.#unanswered.values()) this.#put(command);
  }

  #answer(id: string): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    this.#unanswered.delete(id);
    this.#keep();
    return waiting;
  }

  #keep(): void {
    write(sessionStorage, UNANSWERED, [...this.#unanswered.values()]);
  }

  #put(message: FromClient): void {
    this.#socket?.send(JSON.stringify(message));
  }

  /** Something was heard: no need to ask for a while. */
  #heard(): void {
    clearTimeout(this.#heartbeat);
    this.#heartbeat = window.setTimeout(() => this.#ask(), QUIET);
  }

  /** A phone that slept, or a changed network, leaves sockets that look open and are dead. */
  #ask(): void {
    this.#put({ type: "ping" });
    this.#expectWithin(PATIENCE);
  }

  #expectWithin(milliseconds: number): void {
    clearTimeout(this.#heartbeat);
    this.#heartbeat = window.setTimeout(() => this.#lose(), milliseconds);
  }
}

const lost = (): Refusal => new Refusal("offline", "There is no connection now. Try again in a moment.");

function refusal({ code, reason, rule, data }: Refused): Refusal {
  return new Refusal(code, reason, rule, data);
}

/** An id that nobody else makes. (`randomUUID` is missing where the page isn't served securely: at home.) */
export function freshId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
