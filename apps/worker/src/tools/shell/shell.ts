// Runs a command in a process group of its own and ends that group whatever happens, so that no
// background process outlives its call. The bash tool and a person's own command use the same runner.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import type { Confinement } from "../../jail/jail.ts";
import { disownGroup, endGroup, groupIsAlive, ownGroup } from "../../processes/process-groups.ts";
import { CapturedOutput } from "./captured-output.ts";

/** Models write bash; a system without it gets the shell that every system has. */
const shell =
  ["/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash"].find((path) => existsSync(path)) ?? "/bin/sh";

/** From SIGTERM to SIGKILL. */
const termMs = { abort: 3_000, shutdown: 300 };
/** After the shell has exited, its pipe may still hold the last output. */
const drainMs = 250;
/** Live output is bounded: beyond this it would fill the session's log without being read. */
const maxProgressChars = 1024 * 1024;

/** The part of a tool's context that a command needs. */
interface ShellContext {
  readonly cwd: string;
  readonly shellEnv: Readonly<Record<string, string>>;
  /** The directory for output that is too long to show. */
  readonly outputs: string;
  /** Starts the command in the sandbox; null: nothing confines it. */
  readonly jail: Pick<Confinement, "start"> | null;
  readonly signal: AbortSignal;
  progress(text: string): Promise<void> | undefined;
}

export async function runShell(
  command: string,
  timeout: number,
  context: ShellContext,
): Promise<ShellEnding> {
  const inner = [shell, "-c", command];
  const child = (await context.jail?.start(inner)) ?? startUnconfined(inner, context);
  return watch(child, timeout, context);
}

/** The outer shell joins both outputs in the order they are written, then becomes the inner one. */
const startUnconfined = (argv: readonly string[], { cwd, shellEnv }: ShellContext): ChildProcess =>
  spawn(shell, ["-c", `exec 2>&1; exec "$@"`, shell, ...argv], {
    cwd,
    env: { ...shellEnv },
    stdio: ["ignore", "pipe", "ignore"],
    detached: true,
  });

type Cause = "exit" | "aborted" | "timeout";

/** How a command ended, and what it wrote. */
export interface ShellEnding {
  readonly cause: Cause;
  readonly code: number | null;
  readonly timeout: number;
  /** Its output; when there was too much, without its middle. */
  readonly text: string;
  /** Where all of it is, when `text` is not all. */
  readonly file: string | null;
  /** Something is missing in `text`, kept in a file or not. */
  readonly cut: boolean;
  readonly leftBehind: boolean;
}

async function watch(child: ChildProcess, timeout: number, context: ShellContext): Promise<ShellEnding> {
  const { signal } = context;
  const exited = new Promise<number | null>((resolve, reject) => {
    child.once("error", (error) => reject(new Error(`the shell cannot be started: ${error.message}`)));
    child.once("exit", (code) => resolve(code));
  });
  const { pid: group, stdout } = child;
  if (group === undefined || stdout === null) {
    await exited;
    throw new Error("the shell cannot be started");
  }
  ownGroup(group);
  const output = new CapturedOutput(context.outputs);
  const drained = pump(stdout, output, context);
  const stopped = new AbortController();
  const cause = await first(exited, signal, timeout, stopped.signal);
  stopped.abort();
  if (cause === "exit") await Promise.race([drained, pause(drainMs)]);
  const leftBehind = cause === "exit" && groupIsAlive(group);
  if (cause !== "exit" || leftBehind) {
    await endGroup(group, signal.reason === "shutdown" ? termMs.shutdown : termMs.abort);
  }
  disownGroup(group);
  await Promise.race([drained, pause(drainMs)]);
  stdout.destroy(); // a process that left the group may hold the pipe open for ever
  await drained;
  return {
    cause,
    code: cause === "exit" ? await exited : null,
    timeout,
    leftBehind,
    ...(await output.end()),
  };
}

/** The first cause wins: exit, abort or timeout. */
async function first(
  exited: Promise<unknown>,
  signal: AbortSignal,
  timeout: number,
  over: AbortSignal,
): Promise<Cause> {
  const aborted = new Promise<Cause>((resolve) => {
    if (signal.aborted) resolve("aborted");
    signal.addEventListener("abort", () => resolve("aborted"), { once: true, signal: over });
  });
  const timedOut = new Promise<Cause>((resolve) => {
    if (timeout <= 0) return;
    // Timers overflow beyond 24.8 days.
    const timer = setTimeout(() => resolve("timeout"), Math.min(timeout * 1000, 2 ** 31 - 1));
    over.addEventListener("abort", () => clearTimeout(timer), { once: true });
  });
  return Promise.race([exited.then((): Cause => "exit"), aborted, timedOut]);
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Reads until the pipe is closed or destroyed; a slow reader of our frames slows the command. */
async function pump(stdout: Readable, output: CapturedOutput, context: ShellContext): Promise<void> {
  const decoder = new StringDecoder("utf8"); // a character may be split across chunks
  let shown = 0;
  const show = (text: string): Promise<void> | undefined => {
    if (text === "" || shown > maxProgressChars || context.signal.aborted) return undefined;
    shown += text.length;
    const last = shown > maxProgressChars ? "\n[more output is not shown live]\n" : "";
    return context.progress(text + last);
  };
  try {
    for await (const chunk of stdout) {
      await output.add(chunk);
      await show(decoder.write(chunk));
    }
  } catch {
    // destroyed above: what was read until then is kept
  }
  await show(decoder.end());
}
