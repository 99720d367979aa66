// A server whose workers are the fixtures of testing/workers, and sessions on it.
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
