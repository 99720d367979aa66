// Asking a server's search, which is told of what was said a moment after the viewers.
import { join } from "node:path";
import type { RunningServer } from "@patchbay/testing/server-process";
import { DatabaseSync } from "@photostructure/sqlite";

export interface Hit {
  session: string;
  seq: number;
  kind: string;
  branch: string;
  name: string;
  snippet: { text: string; match: boolean }[];
}

export async function search(server: RunningServer, query: Record<string, string>): Promise<Hit[]> {
  const { status, body, text } = await server.call("GET", `/api/search?${new URLSearchParams(query)}`);
  if (status !== 200) throw new Error(text);
  return (body as { hits: Hit[] }).hits;
}

/** Asks until it is so: the search is told a moment after the viewers. */
export async function eventually<T>(ask: () => Promise<T>, isSo: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (isSo(answer)) return answer;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** As if the sessions were older than the search. */
export function forgetSearch(home: string): void {
  const db = new DatabaseSync(join(home, ".patchbay/patchbay.db"));
  db.exec(
    "insert into said_words (said_words) values ('delete-all'); delete from said; delete from said_upto",
  );
  db.close();
}
