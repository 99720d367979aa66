// Patchbay as it is shipped, everything on: the built server with its log, ledger and viewers.
import { Session } from "@patchbay/protocol";
import { type RunningServer, startServer } from "@patchbay/testing/server-process";
import { TestViewer } from "@patchbay/testing/socket-client";
import { valueAt } from "../fields.ts";
import { worker } from "../native.ts";
import type { Links } from "../read.ts";
import type { Bridge } from "./bridge.ts";

export interface Patchbay extends Bridge {
  readonly server: RunningServer;
  readonly pid: number;
  /** A new session, once it is idle. */
  create(profile?: string): Promise<string>;
  /** The links to sessions that exist. */
  linksTo(sessions: readonly string[], query?: string): Links;
}

export async function patchbay(): Promise<Patchbay> {
  const server = await startServer({ config: { workers: { bench: { command: [worker] } } } });
  const port = new URL(server.url).port;
  const created: string[] = [];

  async function create(profile = "bench"): Promise<string> {
    const { status, body, text } = await server.call("POST", "/api/sessions", { worker: profile });
    if (status !== 201) throw new Error(`no session: ${text}`);
    const session = Session.parse(valueAt(body, ["session"]));
    if (session.state === "idle") return session.id;
    await using viewer = new TestViewer(server.url, server.token, session.id);
    await viewer.state("idle");
    return session.id;
  }

  const linksTo = (sessions: readonly string[], query = ""): Links => ({
    pid: server.process.pid,
    args: [`--port=${port}`, "--await-caught-up"],
    paths: sessions.map((id) => `/api/sessions/${id}/socket${query}`),
    token: server.token,
  });

  return {
    name: "Patchbay",
    server,
    pid: server.process.pid ?? 0,
    slow: false,
    create,
    linksTo,
    async links(sessions) {
      while (created.length < sessions) created.push(await create());
      return linksTo(created.slice(0, sessions));
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
