/** What the host's desk shows, and how the server is asked: the secret goes in a header, never in an address. */

export interface Node {
  node: string;
  version: string;
  seconds: number;
  connections: number;
  tables: number;
  rows_a_second: number;
  errors: number;
  free_bytes: number | null;
  draining: boolean;
}

export interface Person {
  guest: string | null;
  name: string;
}

export interface OpenTable {
  table: string;
  game: string;
  begun: boolean;
  time: number;
  seats: Person[];
  spectators: Person[];
}

/** What somebody at a table finds that `by` shouldn't have said. */
export interface Report {
  time: number;
  table: string;
  name: string;
  by: string;
  said: string;
  preset: string | null;
}

export interface Desk {
  nodes: Node[];
  store_bytes: number;
  tables_open: OpenTable[];
  reports: Report[];
  notice: string;
  bans: { guest: string; name: string; time: number }[];
}

/** Why there is no desk to be shown: `wrong`, `none`, `slow` or `away`. */
export class NoDesk extends Error {
  constructor(
    readonly why: string,
    readonly seconds = 0,
  ) {
    super(why);
  }
}

export const look = (secret: string): Promise<Desk> => asked("/host.json", secret);

/** Do something; returns what the desk shows then. */
export const act = (secret: string, name: string, order: Record<string, string>): Promise<Desk> =>
  asked(`/host/${name}`, secret, { method: "POST", body: JSON.stringify(order) });

async function asked(address: string, secret: string, how: RequestInit = {}): Promise<Desk> {
  const headers = { Authorization: `Bearer ${secret}` };
  const answer = await fetch(address, { ...how, headers }).catch(() => null);
  if (answer?.status === 401) throw new NoDesk("wrong");
  if (answer?.status === 404) throw new NoDesk("none");
  if (answer?.status === 429) throw new NoDesk("slow", Number(answer.headers.get("Retry-After")));
  if (answer?.status === 400) throw new Error(((await answer.json()) as { reason: string }).reason);
  if (!answer?.ok) throw new NoDesk("away");
  return (await answer.json()) as Desk;
}
