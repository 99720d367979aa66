// A real Patchbay server as a disposable resource: the built program, on a free port, with its own home and working directory.
// Disposing it sends SIGTERM and checks that no process of it is left.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod/mini";
import { commandOf, processesWith } from "./processes.ts";
import { homePrefix } from "./test-run.ts";
import { waitUntil } from "./wait-until.ts";

export const repository = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** A misbehaving worker of testing/workers, as a command for a worker profile. */
export const fixtureWorker = (name: string, ...args: string[]): string[] => [
  process.execPath,
  join(repository, "testing/workers", `${name}.mjs`),
  ...args,
];

/** The arguments of Node in `npm start`. */
const startFlags = z
  .object({ scripts: z.object({ start: z.string() }) })
  .parse(JSON.parse(readFileSync(join(repository, "package.json"), "utf8")))
  .scripts.start.split(" ")
  .filter((word) => word.startsWith("--"));

export interface ServerOptions {
  /** The content of patchbay.config.json. No worker is started ahead unless it says so: few tests have a second session. */
  config?: object;
  /** Variables besides PATH and HOME. */
  env?: Record<string, string>;
  args?: string[];
  /** Arguments before the flags, such as `daemon`. */
  command?: string[];
  /** Arguments of Node, such as a script to load first. */
  nodeArgs?: string[];
  /** A program that starts the server, with its arguments, such as `prlimit`. */
  wrapper?: string[];
  /** The user's home to create. Absent: a new temporary one. */
  home?: string;
  /** Fills the server's own home before it starts. */
  prepare?(home: string): Promise<void>;
}

/** A timed-out test disposes nothing, so its servers end with this process. */
const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGTERM");
});

type Exit = { code: number | null; signal: NodeJS.Signals | null };

export interface RunningServer extends AsyncDisposable {
  url: string;
  /** A new login link with every call. It works once and for one minute. */
  loginUrl(): Promise<string>;
  /** The login link that the server printed at its last start. */
  readonly printedLoginUrl: string;
  token: string;
  /** The user's home, which contains the server's home. */
  home: string;
  /** The directory in which it was started: the default directory of a session. */
  cwd: string;
  readonly process: ChildProcess;
  /** The log so far, including earlier starts. */
  stderr(): string;
  /** Resolves when the log contains this. A log line may arrive after its event. */
  logged(text: string): Promise<void>;
  /** A call with the token. Resolves with the status and the parsed body. */
  call(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: unknown; text: string }>;
  readonly exited: Promise<Exit>;
  /** kill -9; resolves when the process has ended. */
  kill(): Promise<void>;
  /** Starts it again on the same home and port, after its end. */
  start(): Promise<void>;
}

export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const home = options.home ?? realpathSync(mkdtempSync(homePrefix()));
  const cwd = join(home, "project");
  mkdirSync(cwd);
  mkdirSync(join(home, ".patchbay"));
  const { limits, ...config }: { limits?: object } = options.config ?? {};
  writeFileSync(
    join(home, ".patchbay", "patchbay.config.json"),
    JSON.stringify({ ...config, limits: { worker_pool: 0, ...limits } }),
  );
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
    async logged(text) {
      await waitUntil(() => (logged + current.stderr()).includes(text));
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
      const commands = left.map(commandOf);
      for (const pid of left) process.kill(pid, "SIGKILL");
      rmSync(home, { recursive: true, force: true });
      if (code === 0 && left.length > 0)
        throw new Error(`${left.length} processes outlived their server: ${commands.join("; ")}`);
    },
  };
  return server;
}

/** The token: from the environment, or from the server's home. */
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
