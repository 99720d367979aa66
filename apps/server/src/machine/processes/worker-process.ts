// One worker process: spawned without a shell in its own process group, its standard output passed on
// as runs of whole lines, the end of its standard error kept for its exit frame. Knows bytes, not frames.
import { type ChildProcess, spawn } from "node:child_process";
import { LineSplitter, LineTooLongError } from "@patchbay/protocol";
import { readOutput } from "../../fast-io/read-output.ts";
import type { ProcessMark } from "../../store/session-record.ts";
import type { FileRules } from "../dialects/dialect.ts";
import { secretsIn, splitEnvironment } from "./environment.ts";
import { endTagged, tagVariable } from "./orphans.ts";
import { markProcess } from "./process-mark.ts";
import type { WorkerSandbox } from "./sandbox.ts";
import { secretsArguments, sendSecrets, stdioWithSecrets } from "./secrets-pipe.ts";
import { StderrTail } from "./stderr-tail.ts";
import { signalGroup, stopProcess } from "./stop.ts";

export interface WorkerLaunch {
  /** argv; run as it is, without a shell. */
  command: readonly [string, ...string[]];
  /** The sandbox of the worker and of the commands that it runs through the server; undefined: nothing confines them. */
  sandbox?: WorkerSandbox | undefined;
  /** Which files it may reach through the server. */
  files: FileRules;
  /** The socket of a worker that is a daemon: then nothing is started. */
  socket?: string | undefined;
  cwd: string;
  /** Undefined: the worker's default. */
  model?: string | undefined;
  env: Record<string, string>;
  /** The worker reads the secrets of `env` from a pipe. */
  secretsByPipe: boolean;
  /** Put into the environment, so that processes that the worker leaves behind can be found. */
  tag: string;
  maxLineBytes: number;
  stopWaitMs: number;
}

/** How a worker ended. The first cause wins: what happened later is a consequence. */
export interface WorkerExit {
  cause: "asked" | "exited" | "not_started" | "unreachable" | "line_too_long" | "not_reading";
  code: number | null;
  signal: NodeJS.Signals | null;
  /** For `not_started` and, of a daemon, `unreachable`: why. */
  problem?: string;
}

/** The run is valid until this returns, unless it is borrowed (read-buffers.ts). */
type OnRun = (run: Uint8Array) => Promise<void> | undefined;

/** Bounds what waits for a worker that does not read: several prompts of the largest size. */
const maxUnread = 64 * 1024 * 1024;

export class WorkerProcess {
  readonly stderr: StderrTail;
  /** Settles when the process has ended and all its output was passed on. Never rejects. */
  readonly exited: Promise<WorkerExit>;
  readonly mark: ProcessMark | null;
  readonly #child: ChildProcess;
  readonly #stopWaitMs: number;
  readonly #tag: string;
  #cause: WorkerExit["cause"] | undefined;
  #stopping: Promise<void> | undefined;

  /** `onRun` may return a promise: nothing more is read before it resolves. */
  constructor(launch: WorkerLaunch, onRun: OnRun) {
    this.stderr = new StderrTail(secretsIn(launch.env, launch.command));
    this.#stopWaitMs = launch.stopWaitMs;
    this.#tag = launch.tag;
    this.#child = start(launch);
    this.mark = this.#child.pid === undefined ? null : markProcess(this.#child.pid, launch.tag);
    this.exited = this.#watch(onRun, launch.maxLineBytes);
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  write(line: string): void {
    const { stdin } = this.#child;
    // A worker that is ending breaks the pipe; `exited` reports the reason.
    if (!stdin?.writable) return;
    stdin.write(`${line}\n`);
    if (stdin.writableLength <= maxUnread) return;
    this.#cause ??= "not_reading";
    signalGroup(this.#child, "SIGKILL");
  }

  stop(): Promise<void> {
    this.#cause ??= "asked";
    this.#stopping ??= stopProcess(this.#child, this.exited, this.#stopWaitMs);
    return this.#stopping;
  }

  /** Kills at once, without the termination ladder. */
  kill(): void {
    this.#cause ??= "asked";
    signalGroup(this.#child, "SIGKILL");
  }

  #watch(onRun: OnRun, maxLineBytes: number): Promise<WorkerExit> {
    const splitter = new LineSplitter({ maxLineBytes });
    const { stdout, stderr, stdin } = this.#child;
    stdin?.on("error", () => {}); // EPIPE: see write()
    stderr?.setEncoding("utf8").on("data", (text: string) => this.stderr.push(text));
    const output =
      stdout === null
        ? undefined
        : readOutput(stdout, (chunk) => {
            try {
              let wait: Promise<void> | undefined;
              for (const run of splitter.pushRuns(chunk)) wait = onRun(run);
              if (wait === undefined) return;
              output?.pause();
              void wait.then(() => output?.resume()); // never rejects: see Journal
            } catch (error) {
              if (!(error instanceof LineTooLongError)) throw error;
              this.#cause ??= "line_too_long";
              output?.ignore();
              signalGroup(this.#child, "SIGKILL");
            }
          });
    return new Promise((resolve) => {
      this.#child.once("error", (error: NodeJS.ErrnoException) => {
        if (this.#child.pid !== undefined) return; // a signal that could not be sent, not a failed start
        resolve({ cause: "not_started", code: null, signal: null, problem: startProblem(error) });
      });
      // A process left behind may hold the output open, which would delay `close` forever: end it first.
      this.#child.once("exit", () => void this.#endOthers());
      this.#child.once("close", (code, signal) => {
        const last = this.#cause === "line_too_long" ? null : splitter.end();
        if (last !== null) void onRun(withLineFeed(last)); // the last run: there is nothing to hold back
        const exit = { cause: this.#cause ?? "exited", code, signal };
        void this.#endOthers().then(() => resolve(exit));
      });
    });
  }

  /** Ends the process group, and processes that left it. Never rejects. */
  async #endOthers(): Promise<void> {
    signalGroup(this.#child, "SIGKILL");
    try {
      await endTagged(this.#tag);
    } catch (error) {
      this.stderr.push(`\nProcesses that it started could not be ended: ${String(error)}\n`);
    }
  }
}

function start({ command, sandbox, cwd, env, tag, secretsByPipe }: WorkerLaunch): ChildProcess {
  const [program, ...args] = command;
  const tagged = { [tagVariable]: tag };
  if (sandbox !== undefined)
    return sandbox.start({ command, environment: { ...env, ...tagged }, tag: tagged, stdin: "pipe" });
  if (!secretsByPipe)
    return spawn(program, args, { cwd, env: { ...env, ...tagged }, detached: true, stdio: "pipe" });
  const { plain, secret } = splitEnvironment(env);
  const child = spawn(program, [...args, ...secretsArguments], {
    cwd,
    env: { ...plain, ...tagged },
    detached: true,
    stdio: [...stdioWithSecrets],
  });
  sendSecrets(child, secret);
  return child;
}

function withLineFeed(line: Uint8Array): Uint8Array {
  const ended = new Uint8Array(line.length + 1);
  ended.set(line);
  ended[line.length] = 10;
  return ended;
}

function startProblem(error: NodeJS.ErrnoException): string {
  if (error.code === "ENOENT") return "the program was not found";
  if (error.code === "EACCES") return "the file is not executable";
  return error.message;
}
