/** A server of WebSockets that does as it is told: what was sent to it is kept, and connections can be cut. */

import type { AddressInfo } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";
import type { FromClient, FromServer } from "../src/protocol";

export class ScriptedServer {
  readonly heard: FromClient[] = [];
  #server: WebSocketServer | null = null;
  #socket: WebSocket | null = null;
  #port = 0;
  #news: (() => void)[] = [];

  async listen(): Promise<void> {
    const server = new WebSocketServer({ host: "127.0.0.1", port: this.#port });
    server.on("connection", (socket) => {
      this.#socket = socket;
      socket.on("message", (data) => {
        this.heard.push(JSON.parse(String(data)) as FromClient);
        this.#tell();
      });
    });
    this.#server = server;
    await new Promise((listening) => server.once("listening", listening));
    this.#port = (server.address() as AddressInfo).port;
  }

  get address(): string {
    return `ws://127.0.0.1:${this.#port}`;
  }

  say(message: FromServer): void {
    this.#socket?.send(JSON.stringify(message));
  }

  /** As when the cable is pulled out: the connection is gone, and nobody listens. */
  async fail(): Promise<void> {
    const server = this.#server;
    for (const socket of server?.clients ?? []) socket.terminate();
    if (server) await new Promise((closed) => server.close(closed));
  }

  /** All messages of a kind, when there are so many. */
  async hears<Kind extends FromClient["type"]>(kind: Kind, count: number): Promise<Extract<FromClient, { type: Kind }>[]> {
    const found = (): FromClient[] => this.heard.filter(({ type }) => type === kind);
    while (found().length < count) await new Promise<void>((news) => this.#news.push(news));
    return found() as Extract<FromClient, { type: Kind }>[];
  }

  #tell(): void {
    for (const news of this.#news.splice(0)) news();
  }
}
