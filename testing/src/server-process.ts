// A real Patchbay server as a disposable resource: the built program, on a free port, with a home and
// a working directory of its own. Disposing it ends it with SIGTERM and checks that it left nobody behind.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod/mini";
import { processesWith } from "./processes.ts";
import { homePrefix } from "./test-run.ts";
import { waitUntil } from "./wait-until.ts";

export const repository = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** A misbehaving worker of testing/workers, as a command for a worker profile. */
export const fixtureWorker = (name: string, ...args: string[]): string[] => [
  process.execPath,
  join(repository, "testing/workers", `${name}.mjs`),
  ...args,
];

/** Node's own, as `npm start` has them. */
const startFlags = z
  .object({ scripts: z.object({ start: z.string() }) })
  .parse(JSON.parse(readFileSync(join(repository, "package.json"), "utf8")))
  .scripts.start.split(" ")
  .filter((word) => word.startsWith("--"));

export interface ServerOptions {
  /** The content of patchbay.config.json. */
  config?: object;
  /** Beyond PATH and HOME. */
  env?: Record<string, string>;
  args?: string[];
  /** What comes before the flags: `daemon`, say. */
  command?: string[];
  /** Node's own arguments: a script to load first, say. */
  nodeArgs?: string[];
  /** A program that runs the server in its place, with its arguments: `prlimit`, say. */
  wrapper?: string[];
  /** The user's home to make; a fresh temporary one unless given. */
  home?: string;
  /** Fills the server's own home before it starts. */
  prepare?(home: string): Promise<void>;
}

/** A test that runs out of time disposes nothing; its servers end with the program that started them. */
const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGTERM");
});

type Exit = { code: number | null; signal: NodeJS.Signals | null };

export interface RunningServer extends AsyncDisposable {
  url: string;
  /** An address that logs a browser in, once and within a minute: a fresh one with every call. */
  loginUrl(): Promise<string>;
  /** The one that the server printed when it was last started. */
  readonly printedLoginUrl: string;
  token: string;
  /** The user's home of this server; its own home is in it. */
  home: string;
  /** The directory it was started in, and so the default one of a session. */
  cwd: string;
  readonly process: ChildProcess;
  /** What it logged so far, restarts included. */
  stderr(): string;
  /** Resolves when it has logged this; what happened and the log of it come by different ways. */
  logged(words: string): Promise<void>;
  /** A call with the token; answers the status and the parsed body. */
  call(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: unknown; text: string }>;
  readonly exited: Promise<Exit>;
  /** kill -9; resolves when it is gone. */
  kill(): Promise<void>;
  /** Starts it again, once it is gone, on the same home and port. */
  start(): Promise<void>;
}

export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const home = options.home ?? realpathSync(mkdtempSync(homePrefix()));
  const cwd = join(home, "project");
  mkdirSync(cwd);
  mkdirSync(join(home, ".patchbay"));
  if (options.config !== undefined) {
    writeFileSync(join(home, ".patchbay", "patchbay.config.json"), JSON.stringify(options.config));
  }
  await options.prepare?.(join(home, ".patchbay"));
  let current = await launch(options, home, cwd, "0");
  let logged = "";
  const { url } = current;
  const token = readToken(options, home);
  const server: RunningServer = {
    url,
    token,
    get printedLoginUrl() {
      return current.loginUrl;
    },
    async loginUrl() {
      const { status, body, text } = await server.call("POST", "/api/login/codes");
      if (status !== 201) throw new Error(`no login link: ${status} ${text}`);
      return z.parse(z.object({ login_url: z.string() }), body).login_url;
    },
    home,
    cwd,
    get process() {
      return current.child;
    },
    get exited() {
      return current.exited;
    },
    stderr: () => logged + current.stderr(),
    async logged(words) {
      await waitUntil(() => (logged + current.stderr()).includes(words));
    },
    async kill() {
      current.child.kill("SIGKILL");
      await current.exited;
    },
    async start() {
      logged += current.stderr();
      current = await launch(options, home, cwd, new URL(url).port);
    },
    async call(method, path, body) {
      const response = await fetch(new URL(path, url), {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      const json = response.headers.get("content-type")?.includes("application/json");
      return { status: response.status, body: json ? JSON.parse(text) : undefined, text };
    },
    async [Symbol.asyncDispose]() {
      current.child.kill("SIGTERM");
      const { code } = await current.exited;
      const left = processesWith("HOME", home);
      for (const pid of left) process.kill(pid, "SIGKILL");
      rmSync(home, { recursive: true, force: true });
      if (code === 0 && left.length > 0) throw new Error(`${left.length} processes outlived their server`);
    },
  };
  return server;
}

/** Where programs find it: in the environment, or in the server's own home. */
function readToken({ env = {}, args = [] }: ServerOptions, home: string): string {
  const named = args.includes("--home") ? args[args.indexOf("--home") + 1] : env["PATCHBAY_HOME"];
  const path = join(named ?? join(home, ".patchbay"), "token");
  return env["PATCHBAY_TOKEN"] ?? readFileSync(path, "utf8").trim();
}

interface Launched {
  child: ChildProcess;
  exited: Promise<Exit>;
  url: string;
  loginUrl: string;
  stderr(): string;
}

async function launch(options: ServerOptions, home: string, cwd: string, port: string): Promise<Launched> {
  const [program, ...args] = [
    ...(options.wrapper ?? []),
    process.execPath,
    ...startFlags,
    ...(options.nodeArgs ?? []),
    join(repository, "dist/server/main.js"),
    ...(options.command ?? []),
    ...["--port", port],
    ...(options.args ?? []),
  ];
  const child = spawn(program ?? "", args, {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", HOME: home, CI: "1", ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const exited = new Promise<Exit>((resolve) => {
    child.once("exit", (code, signal) => {
      running.delete(child);
      resolve({ code, signal });
    });
  });
  const { url, login_url: loginUrl } = await listening(child, exited, () => stderr);
  return { child, exited, url, loginUrl, stderr: () => stderr };
}

function listening(
  child: ChildProcess,
  exited: Promise<unknown>,
  stderr: () => string,
): Promise<{ url: string; login_url: string }> {
  return new Promise((resolve, reject) => {
    let stdout = "";
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
      const line = stdout.split("\n").find((candidate) => candidate.startsWith('{"type":"listening"'));
      if (line !== undefined && stdout.includes("\n")) resolve(JSON.parse(line));
    });
    void exited.then(() => reject(new Error(`the server did not start: ${stderr()}`)));
  });
}
