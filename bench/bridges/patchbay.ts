// Patchbay as it is shipped, everything on: the built server with its log, ledger and viewers.
import { SessionInfo } from "@patchbay/protocol";
import { type RunningServer, startServer } from "@patchbay/testing/server-process";
import { TestViewer } from "@patchbay/testing/socket-client";
import { valueAt } from "../fields.ts";
import { worker } from "../native.ts";
import type { Links } from "../read.ts";
import type { Bridge } from "./bridge.ts";

export interface Patchbay extends Bridge {
  readonly server: RunningServer;
  readonly pid: number;
  /** New sessions each time, and the ones before are deleted: logs must not fill the disk, nor the
   * settling of one round's log slow down the next. */
  links(sessions: number): Promise<Links>;
  /** A new session, once it is idle. */
  create(profile?: string): Promise<string>;
  /** The links to sessions that exist. */
  linksTo(sessions: readonly string[], query?: string): Links;
}

/** The only settings that differ from the defaults: as many workers and viewers as the bench needs. */
const limits = { workers: 300, attaches_per_minute: 100_000 };

/** Spawns at the same time: enough to be quick, too few to starve one of them. */
const createdAtOnce = 8;

/** `config` is added to that. */
export async function patchbay(name = "Patchbay", config: object = {}): Promise<Patchbay> {
  const server = await startServer({
    config: { workers: { bench: { command: [worker] } }, limits, ...config },
  });
  const port = new URL(server.url).port;
  let created: string[] = [];

  async function create(profile = "bench"): Promise<string> {
    const { status, body, text } = await server.call("POST", "/api/sessions", { worker: profile });
    if (status !== 201) throw new Error(`no session: ${text}`);
    const session = SessionInfo.parse(valueAt(body, ["session"]));
    if (session.state === "idle") return session.id;
    await using viewer = new TestViewer(server.url, server.token, session.id);
    const { state, reason } = await viewer.state("idle", "failed", "stopped");
    if (state !== "idle") throw new Error(`a session is ${state}: ${reason ?? "no reason given"}`);
    return session.id;
  }

  /** Where a session begins is kept by three processes of git, which are no part of what is measured after it. */
  async function createAndRest(): Promise<string> {
    const id = await create();
    await server.call("GET", `/api/sessions/${id}/changes`); // waits for them
    return id;
  }

  const linksTo = (sessions: readonly string[], query = ""): Links => ({
    pid: server.process.pid,
    args: [`--port=${port}`, "--await-caught-up"],
    paths: sessions.map((id) => `/api/sessions/${id}/socket${query}`),
    token: server.token,
  });

  return {
    name,
    server,
    pid: server.process.pid ?? 0,
    slow: false,
    create,
    linksTo,
    async links(sessions) {
      for (const id of created) await server.call("DELETE", `/api/sessions/${id}`);
      created = [];
      while (created.length < sessions) {
        const batch = Math.min(createdAtOnce, sessions - created.length);
        created.push(...(await Promise.all(Array.from({ length: batch }, () => createAndRest()))));
      }
      return linksTo(created);
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
