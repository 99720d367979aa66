// A real Patchbay server as a disposable resource: the built program, on a free port, with a home and
// a working directory of its own. Disposing it ends it with SIGTERM and checks that it went quietly.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const repository = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** A misbehaving worker of testing/workers, as a command for a worker profile. */
export const fixtureWorker = (name: string, ...args: string[]): string[] => [
  process.execPath,
  join(repository, "testing/workers", `${name}.mjs`),
  ...args,
];

export interface ServerOptions {
  /** The content of patchbay.config.json. */
  config?: object;
  /** Beyond PATH and HOME. */
  env?: Record<string, string>;
  args?: string[];
}

export interface RunningServer extends AsyncDisposable {
  url: string;
  loginUrl: string;
  token: string;
  /** The user's home of this server; its own home is in it. */
  home: string;
  /** The directory it was started in, and so the default one of a session. */
  cwd: string;
  process: ChildProcess;
  /** What it logged so far. */
  stderr(): string;
  /** A call with the token; answers the status and the parsed body. */
  call(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: unknown; text: string }>;
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "patchbay-test-")));
  const cwd = join(home, "project");
  mkdirSync(cwd);
  mkdirSync(join(home, ".patchbay"));
  if (options.config !== undefined) {
    writeFileSync(join(home, ".patchbay", "patchbay.config.json"), JSON.stringify(options.config));
  }
  const child = spawn(
    process.execPath,
    [join(repository, "dist/server/main.js"), "--port", "0", ...(options.args ?? [])],
    {
      cwd,
      env: { PATH: process.env["PATH"] ?? "", HOME: home, CI: "1", ...options.env },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once("close", (code, signal) => resolve({ code, signal }));
  });
  const { url, login_url: loginUrl } = await listening(child, exited, () => stderr);
  const token = new URL(loginUrl).searchParams.get("token") ?? "";
  return {
    url,
    loginUrl,
    token,
    home,
    cwd,
    process: child,
    stderr: () => stderr,
    exited,
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
      child.kill("SIGTERM");
      await exited;
      rmSync(home, { recursive: true, force: true });
    },
  };
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
