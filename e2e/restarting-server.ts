// A server that can be killed and started again: same port, same home, so that a page that was open
// before finds the same sessions behind the same address.
import { type RunningServer, type ServerOptions, startServer } from "../testing/src/server-process.ts";

export interface RestartingServer
  extends Pick<RunningServer, "url" | "loginUrl" | "token" | "home" | "cwd" | "call">,
    AsyncDisposable {
  /** Of the process that runs now. */
  readonly pid: number;
  /** Ends it with SIGKILL: it gets no chance to save or to say goodbye. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

export async function startRestartingServer(options: ServerOptions): Promise<RestartingServer> {
  const first = await startServer(options);
  const { url, loginUrl, token, home, cwd } = first;
  const later: RunningServer[] = [];
  const current = (): RunningServer => later.at(-1) ?? first;
  return {
    url,
    loginUrl,
    token,
    home,
    cwd,
    get pid() {
      return current().process.pid ?? -1;
    },
    call: (method, path, body) => current().call(method, path, body),
    async kill() {
      current().process.kill("SIGKILL");
      await current().exited;
    },
    async start() {
      // Its config is in the home; the last --port given is the one that counts.
      later.push(
        await startServer({ env: { ...options.env, HOME: home }, args: ["--port", new URL(url).port] }),
      );
    },
    async [Symbol.asyncDispose]() {
      for (const server of later.toReversed()) await server[Symbol.asyncDispose]();
      await first[Symbol.asyncDispose]();
    },
  };
}
