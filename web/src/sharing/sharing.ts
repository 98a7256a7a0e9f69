/** Several people at one device: each seat is a guest of its own, and the page knows one of them at a time.
 *
 * Handing over loads the page anew, so that nothing of whoever had it before is in its memory.
 */

import { socketAddress } from "../api";
import { freshId, Refusal } from "../connection";
import { PROTOCOL, type FromServer, type SeatInfo } from "../protocol";
import { read, settings, write } from "../settings.svelte";

/** Somebody at this device; whose it is has the page's own token. */
export interface Sharer {
  name: string;
  token: string | null;
}

interface Holder {
  table: string;
  seat: number;
  /** Nothing is shown until that one says so. */
  covered: boolean;
}

const HOLDER = "kibitz.holder";
const sharersKey = (table: string): string => `kibitz.sharers.${table}`;

/** Who shares this device at a table, seat by seat; null: nobody does. */
export function sharersAt(table: string): Sharer[] | null {
  return read<Sharer[]>(localStorage, sharersKey(table));
}

/** The same seats: who shares this device is here, whoever holds it. */
export function withSharers(table: string, seats: SeatInfo[]): SeatInfo[] {
  const sharers = sharersAt(table);
  return seats.map((seat, place) => (sharers?.[place] ? { ...seat, here: true } : seat));
}

function holder(): Holder | null {
  return read<Holder>(sessionStorage, HOLDER);
}

/** The token of whoever holds the device; null: its owner does. */
export function holderToken(): string | null {
  const held = holder();
  if (!held || location.pathname !== `/t/${held.table}`) return null;
  return sharersAt(held.table)?.[held.seat]?.token ?? null;
}

/** Who is to lift the curtain; null: there is none. */
export function awaitedAt(table: string): Sharer | null {
  const held = holder();
  return held?.covered && held.table === table ? (sharersAt(table)?.[held.seat] ?? null) : null;
}

export function liftCurtain(): void {
  const held = holder();
  if (held) write(sessionStorage, HOLDER, { ...held, covered: false });
}

/** Give the device to whoever has that seat: the page begins anew. */
export function handOver(table: string, seat: number): void {
  write(sessionStorage, HOLDER, { table, seat, covered: true } satisfies Holder);
  location.reload();
}

/** The device is its owner's again, wherever that one goes. */
export function takeDeviceBack(): void {
  if (!holder()) return;
  sessionStorage.removeItem(HOLDER);
  location.reload();
}

/** Have others sit down at a new table, in the order of its seats; the owner has the first. */
export async function share(table: string, names: string[]): Promise<void> {
  const sharers: Sharer[] = [{ name: names[0] ?? "", token: null }];
  for (const [index, name] of names.entries()) if (index > 0) sharers.push({ name, token: await seated(table, index, name) });
  write(localStorage, sharersKey(table), sharers);
}

/** A new guest takes a seat; resolves with the guest's token. */
function seated(table: string, seat: number, name: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(socketAddress());
    const send = (message: object): void => socket.send(JSON.stringify(message));
    let token = "";
    socket.onopen = () => send({ type: "hello", protocol: PROTOCOL, token: null, language: settings.language, name });
    socket.onerror = () => reject(new Refusal("store-failed", "", "", {}));
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(data as string) as FromServer;
      if (message.type === "welcome") {
        ({ token } = message);
        send({ type: "sit", id: freshId(), table, seat });
      } else if (message.type === "done") {
        socket.close();
        resolve(token);
      } else if (message.type === "refused" || message.type === "failed") {
        socket.close();
        reject(new Refusal(message.code, message.reason, "", message.data));
      }
    };
  });
}
