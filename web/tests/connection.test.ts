import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Connection, Refusal, type Status } from "../src/connection";
import type { Done, FromServer, Welcome } from "../src/protocol";
import { ScriptedServer } from "./server";

const WELCOME = { type: "welcome", token: "secret", name: "Ann" } as Welcome;
const CHAT = { type: "chat", table: "T", text: "hello" } as const;

let server: ScriptedServer;

beforeEach(async () => {
  sessionStorage.clear();
  server = new ScriptedServer();
  await server.listen();
});

afterEach(() => server.fail());

class Page {
  readonly statuses: Status[] = [];
  readonly messages: FromServer[] = [];
  readonly connection = new Connection(server.address, {
    hello: () => ({ type: "hello", protocol: 1, token: null, language: "en" }),
    welcome: () => {},
    message: (message) => this.messages.push(message),
    status: (status) => this.statuses.push(status),
  });
}

/** Wait until something holds; a busy machine is slow, not wrong. */
const soon = (holds: () => void): Promise<void> => vi.waitFor(holds, { timeout: 30_000, interval: 5 });

/** A page that is connected and welcome. */
async function online(): Promise<Page> {
  const page = new Page();
  page.connection.open();
  await server.hears("hello", 1);
  server.say(WELCOME);
  await soon(() => expect(page.statuses).toContain("online"));
  return page;
}

/** The connection is lost, and comes back. */
async function interrupt(page: Page): Promise<void> {
  await server.fail();
  await soon(() => expect(page.statuses.at(-1)).toBe("offline"));
  await server.listen();
  page.connection.reconnect();
  await server.hears("hello", 2);
  server.say(WELCOME);
  await soon(() => expect(page.statuses.at(-1)).toBe("online"));
}

const done = (id: string): Done => ({ type: "done", id, number: 7, table: "T" }) as Done;

test("a command is answered", async () => {
  const { connection } = await online();
  const answer = connection.command(CHAT);
  const [sent] = await server.hears("chat", 1);
  server.say(done(sent!.id));
  expect((await answer).number).toBe(7);
});

test("a refusal says why", async () => {
  const { connection } = await online();
  const answer = connection.command(CHAT);
  const [sent] = await server.hears("chat", 1);
  server.say({ type: "refused", id: sent!.id, code: "too-long", reason: "Too long.", rule: "", data: { most: 3 } });
  const refusal = await answer.catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(Refusal);
  expect(refusal).toMatchObject({ code: "too-long", data: { most: 3 }, message: "Too long." });
});

test("what isn't answered is sent again with the same id when the connection is back", async () => {
  const page = await online();
  const answer = page.connection.command(CHAT);
  await server.hears("chat", 1);
  await interrupt(page);
  const [first, second] = await server.hears("chat", 2);
  expect(second).toEqual(first);
  server.say(done(second!.id));
  expect((await answer).number).toBe(7);
});

test("what is answered is not sent again", async () => {
  const page = await online();
  const answer = page.connection.command(CHAT);
  const [sent] = await server.hears("chat", 1);
  server.say(done(sent!.id));
  await answer;
  await interrupt(page);
  page.connection.reconnect(); // online: it asks whether the server is there, after all else
  await server.hears("ping", 1);
  expect(await server.hears("chat", 1)).toHaveLength(1);
});

test("a command made while offline waits", async () => {
  const page = new Page();
  void page.connection.command(CHAT);
  page.connection.open();
  await server.hears("hello", 1);
  expect(server.heard).toHaveLength(1);
  server.say(WELCOME);
  await server.hears("chat", 1);
});

test("a command outlives a reload of the page", async () => {
  void (await online()).connection.command(CHAT);
  const [first] = await server.hears("chat", 1);
  const reloaded = new Page();
  reloaded.connection.open();
  await server.hears("hello", 2);
  server.say(WELCOME);
  const again = await server.hears("chat", 2);
  expect(again[1]).toEqual(first);
});

test("commands have ids of their own, in the order in which they were made", async () => {
  const { connection } = await online();
  for (const text of ["one", "two", "three"]) void connection.command({ ...CHAT, text });
  const sent = await server.hears("chat", 3);
  expect(sent.map(({ text }) => text)).toEqual(["one", "two", "three"]);
  expect(new Set(sent.map(({ id }) => id)).size).toBe(3);
});

test("a page of another protocol gives up and says so", async () => {
  const page = await online();
  server.say({ type: "failed", code: "other-protocol", reason: "Reload.", data: {} } as FromServer);
  await soon(() => expect(page.statuses.at(-1)).toBe("refused"));
});

test("other messages are passed on", async () => {
  const page = await online();
  const gone: FromServer = { type: "gone", table: "T", code: "gone" };
  server.say(gone);
  await soon(() => expect(page.messages).toEqual([gone]));
});
