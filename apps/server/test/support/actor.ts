// A server whose workers are the fixtures of testing/workers, and sessions on it.
import { setTimeout as wait } from "node:timers/promises";
import { processesWith } from "@patchbay/testing/processes";
import { fixtureWorker, type RunningServer, startServer } from "@patchbay/testing/server-process";
import { TestViewer, type ViewerOptions } from "@patchbay/testing/socket-client";

const fixtures = [
  "actor",
  "exit-early",
  "garbage",
  "silent",
  "stubborn",
  "noisy",
  "late",
  "careful",
  "gather",
  "hostile",
];

/** The content of a config file with every fixture as a worker. */
export function actorConfig(config: object = {}): object {
  const workers = Object.fromEntries(
    fixtures.map((name) => [name, { command: fixtureWorker(name), env: ["SOME_API_KEY"] }]),
  );
  return {
    default_worker: "actor",
    workers: { ...workers, missing: { command: ["no-such-program"] }, broken: { command: ["./not-there"] } },
    ...config,
  };
}

export function startActor(config: object = {}, env: Record<string, string> = {}): Promise<RunningServer> {
  return startServer({ config: actorConfig(config), env });
}

/** The server that tests without special wishes share; it ends with the process that runs the tests. */
let shared: Promise<RunningServer> | undefined;

/**
 * A server that other tests have used, for tests that only need sessions of their own. Disposing it deletes all sessions and
 * checks that their workers are gone. A test that changes, kills or measures the server, or reads its ledger, starts its own.
 */
export async function useSharedActor(): Promise<RunningServer> {
  shared ??= startActor();
  const server = await shared;
  if (server.process.exitCode !== null || server.process.signalCode !== null) {
    shared = undefined; // a test has broken it; the next one need not suffer
    throw new Error(`the shared server has ended: ${server.stderr()}`);
  }
  return {
    ...server,
    get process() {
      return server.process;
    },
    async [Symbol.asyncDispose]() {
      await deleteSessions(server);
      const others = (): number[] =>
        processesWith("HOME", server.home).filter((pid) => pid !== server.process.pid);
      let left = others();
      // The server may still be asking a worker for its models; what was left behind stays longer than that.
      for (let tries = 0; tries < 100 && left.length > 0; tries++, left = others()) await wait(50);
      for (const pid of left) process.kill(pid, "SIGKILL");
      if (left.length > 0) throw new Error(`${left.length} processes outlived their sessions`);
    },
  };
}

async function deleteSessions(server: RunningServer): Promise<void> {
  const { body } = await server.call("GET", "/api/sessions");
  const { sessions } = body as { sessions: { id: string }[] };
  await Promise.all(sessions.map(({ id }) => server.call("DELETE", `/api/sessions/${id}`)));
}

export async function createSession(server: RunningServer, wish: object = {}): Promise<string> {
  const { status, body, text } = await server.call("POST", "/api/sessions", wish);
  if (status !== 201) throw new Error(`no session: ${status} ${text}`);
  return (body as { session: { id: string } }).session.id;
}

export async function attach(
  server: RunningServer,
  session: string,
  options?: ViewerOptions,
): Promise<TestViewer> {
  const viewer = new TestViewer(server.url, server.token, session, options);
  await viewer.caughtUp();
  return viewer;
}

/** A new session and a viewer of it. */
export async function openSession(server: RunningServer, wish: object = {}): Promise<TestViewer> {
  const viewer = await attach(server, await createSession(server, wish));
  await viewer.state("idle", "waiting", "failed"); // waiting: a directory may ask at once to be trusted
  return viewer;
}
