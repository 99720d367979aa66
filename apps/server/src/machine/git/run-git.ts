// The one place that starts git. It runs only with a git directory of the server's own (OwnRepository), an environment and
// settings made here, for a bounded time and with bounded output. The files of a session's directory are only data to it:
// git sees no config, hook, filter, remote or program of that directory.
import { type ChildProcess, spawn } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { Readable } from "node:stream";
import { errorCode } from "../../diagnostics/error-code.ts";
import { OwnRepository } from "./own-repository.ts";

interface GitOptions {
  /** The server's PATH: git is searched there, once. */
  path: string | undefined;
  /** The time limit of one process. */
  limitMs: number;
  /** Added to the environment, so that the next start finds processes that a killed server left behind. */
  mark?: Readonly<Record<string, string>>;
}

export interface GitCall {
  workTree?: string;
  /** Defaults to the repository's own; must be below its directory. */
  index?: string;
  /** For commands without a work tree; must be below the repository's directory. */
  cwd?: string;
  input?: Buffer | AsyncIterable<Buffer>;
  maxBytes?: number;
  /** Shorter than the default limit. */
  limitMs?: number;
  /** Writing files takes longer than reading them: four times the default limit. */
  writesFiles?: boolean;
  /** Exit codes that count as success. */
  codes?: readonly number[];
}

export class GitError extends Error {
  /** The output was larger than `maxBytes`. */
  readonly outputTooLarge: boolean;
  /** Git did not finish within the limit. */
  readonly timedOut: boolean;

  constructor(message: string, { outputTooLarge = false, timedOut = false } = {}) {
    super(message);
    this.name = "GitError";
    this.outputTooLarge = outputTooLarge;
    this.timedOut = timedOut;
  }
}

/** Lists of a repository of some 100,000 files. */
const usualBytes = 8 * 1024 * 1024;
/** Only its last line is used. */
const maxErrorBytes = 16 * 1024;
const maxErrorLength = 300;

const settings = {
  "core.hooksPath": "/dev/null",
  "core.fsmonitor": "false",
  "core.untrackedCache": "false",
  "core.splitIndex": "false",
  "core.attributesFile": "/dev/null",
  "core.excludesFile": "/dev/null",
  "core.quotePath": "false",
  "core.commitGraph": "false",
  "core.sshCommand": "false",
  "core.askPass": "false",
  "core.pager": "cat",
  "core.editor": "false",
  "credential.helper": "",
  "protocol.allow": "never",
  "submodule.recurse": "false",
  "fetch.recurseSubmodules": "false",
  "gc.auto": "0",
  "maintenance.auto": "false",
};
const settingArguments = Object.entries(settings).flatMap(([key, value]) => ["-c", `${key}=${value}`]);

const environment = {
  PATH: "/usr/bin:/bin",
  HOME: "/nonexistent",
  LC_ALL: "C",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_ATTR_NOSYSTEM: "1",
  GIT_ALLOW_PROTOCOL: "",
  GIT_NO_LAZY_FETCH: "1",
  GIT_NO_REPLACE_OBJECTS: "1",
  GIT_TERMINAL_PROMPT: "0",
  GIT_OPTIONAL_LOCKS: "0",
};

export class Git {
  readonly #program: string | undefined;
  readonly #options: GitOptions;
  readonly #running = new Set<ChildProcess>();
  #closed = false;

  constructor(options: GitOptions) {
    this.#options = options;
    this.#program = findProgram("git", options.path ?? "/usr/bin:/bin");
  }

  /** Resolves with git's output. Rejects with a GitError, whose message is for a person. */
  run(repository: OwnRepository, args: readonly string[], call: GitCall = {}): Promise<Buffer> {
    if (!OwnRepository.isPrepared(repository))
      return Promise.reject(new Error("git needs a repository of ours"));
    if (this.#program === undefined)
      return Promise.reject(new GitError("git is not installed on the server's machine"));
    if (this.#closed) return Promise.reject(new GitError("the server is shutting down"));
    const usualMs = this.#options.limitMs;
    const limitMs = call.writesFiles === true ? usualMs * 4 : Math.min(usualMs, call.limitMs ?? usualMs);
    const child = spawn(this.#program, [...settingArguments, ...args], {
      cwd: call.cwd ?? repository.directory,
      env: { ...environment, ...this.#options.mark, ...gitPaths(repository, call) },
      stdio: [call.input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
      detached: true, // a process group of its own, which is killed as a whole
    });
    this.#running.add(child);
    return collect(child, { ...call, limitMs }).finally(() => {
      this.#running.delete(child);
      endGroup(child);
    });
  }

  /** Kills running processes and refuses new ones. */
  close(): void {
    this.#closed = true;
    for (const child of this.#running) endGroup(child);
  }
}

const gitPaths = (repository: OwnRepository, { index, workTree }: GitCall) => ({
  GIT_DIR: repository.directory,
  GIT_INDEX_FILE: index ?? repository.index,
  ...(workTree === undefined ? {} : { GIT_WORK_TREE: workTree }),
});

function collect(child: ChildProcess, call: GitCall & { limitMs: number }): Promise<Buffer> {
  const { maxBytes = usualBytes, limitMs, codes = [0] } = call;
  return new Promise((resolve, reject) => {
    const output: Buffer[] = [];
    let bytes = 0;
    let errorOutput = Buffer.alloc(0);
    // The first cause wins: errors of a killed process do not matter.
    let cause: Error | undefined;
    const end = (error: Error): void => {
      cause ??= error;
      endGroup(child);
    };
    const timer = setTimeout(
      () => end(new GitError(`git did not finish within ${limitMs / 1000} s`, { timedOut: true })),
      limitMs,
    );
    child.stdout?.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxBytes) return end(new GitError("there is too much to show", { outputTooLarge: true }));
      output.push(chunk);
    });
    child.stderr?.on("data", (chunk: Buffer) => {
      errorOutput = Buffer.concat([errorOutput, chunk]).subarray(-maxErrorBytes);
    });
    if (call.input !== undefined) feed(child, call.input, end);
    child.once("error", (error) => {
      clearTimeout(timer);
      reject(new GitError(`git could not be started (${errorCode(error) ?? "unknown"})`));
    });
    child.once("close", (code, signal) => {
      clearTimeout(timer);
      if (cause !== undefined) reject(cause);
      else if (code !== null && codes.includes(code)) resolve(Buffer.concat(output));
      else reject(new GitError(lastLine(errorOutput) || `git ended with ${signal ?? `exit code ${code}`}`));
    });
  });
}

function feed(
  child: ChildProcess,
  input: Buffer | AsyncIterable<Buffer>,
  failed: (error: Error) => void,
): void {
  if (child.stdin === null) return;
  const source = Readable.from(Buffer.isBuffer(input) ? [input] : input);
  source.once("error", failed);
  child.stdin.on("error", () => source.destroy()); // it ended before it read everything: its exit code has the reason
  source.pipe(child.stdin);
}

/** The line may contain file names with any characters, so control characters are replaced. */
function lastLine(errorOutput: Buffer): string {
  const line = errorOutput.toString("utf8").trim().split("\n").at(-1) ?? "";
  return line.replaceAll(/\p{Cc}/gu, "\u{FFFD}").slice(0, maxErrorLength);
}

function endGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch (error) {
    if (errorCode(error) !== "ESRCH") throw error; // ESRCH: the group has ended already
  }
}

/** System directories come first: an agent may be able to write others on the PATH. */
const systemDirectories = [
  "/usr/bin",
  "/bin",
  "/usr/local/bin",
  "/opt/homebrew/bin",
  "/run/current-system/sw/bin",
];

/** Relative entries of the PATH are ignored: they would mean a session's directory. */
export function findProgram(name: string, path: string): string | undefined {
  const directories = path.split(":").filter((directory) => isAbsolute(directory));
  const sorted = [
    ...systemDirectories.filter((directory) => directories.includes(directory)),
    ...directories,
  ];
  return sorted.map((directory) => join(directory, name)).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false; // not there
  }
}
