// Finds bubblewrap and tries it. Being installed is not enough: kernels and containers may not let it work, and it must be
// able to mount what is already open (--bind-fd), which every distribution has had since September 2024.
import { type ChildProcess, spawn } from "node:child_process";
import { accessSync, closeSync, constants, openSync, realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { Writable } from "node:stream";
import { argumentsDescriptor, isolation } from "./arguments.ts";

/** One that works. */
export interface Bubblewrap {
  /** Its real path. */
  readonly program: string;
  /** How it makes user namespaces here. */
  readonly options: readonly string[];
}

export type Sandbox =
  | { readonly works: true; readonly bubblewrap: Bubblewrap }
  /** Sentences for a person: why there is none, and what to do. */
  | { readonly works: false; readonly problem: string; readonly remedy: string };

/**
 * The strictest first: without user namespaces inside, a command has fewer ways to attack the kernel. The last is for root
 * where no user namespace can be made.
 */
const ways: readonly (readonly string[])[] = [["--unshare-user", "--disable-userns"], ["--unshare-user"], []];

/** It starts in milliseconds, or not at all. */
const probeMs = 10_000;

/** `path` is the PATH of the program that asks, never an agent's. */
export async function findSandbox(path: string): Promise<Sandbox> {
  if (process.platform !== "linux")
    return {
      works: false,
      problem: "bubblewrap exists for Linux only",
      remedy: "For a sandbox, run Patchbay on Linux or in a virtual machine",
    };
  const program = findBubblewrap(path);
  if (program === undefined)
    return {
      works: false,
      problem: "bubblewrap is not installed",
      remedy: "Install it: apt install bubblewrap, dnf install bubblewrap or pacman -S bubblewrap",
    };
  let first: string | null = null;
  for (const options of ways) {
    const problem = await problemWith({ program, options });
    if (problem === null) return { works: true, bubblewrap: { program, options } };
    first = first ?? problem;
  }
  return { works: false, ...describeProblem(first ?? "") };
}

export function findBubblewrap(path: string): string | undefined {
  return path
    .split(delimiter)
    .filter(isAbsolute) // a relative entry would be looked up wherever this process happens to be
    .map((directory) => join(directory, "bwrap"))
    .filter(isRunnable)
    .map((found) => realpathSync(found))[0];
}

function isRunnable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Its error message when it does not work in this way; null when it does. */
async function problemWith({ program, options }: Bubblewrap): Promise<string | null> {
  const args = [
    ...options,
    ...isolation,
    ...`--ro-bind / / --proc /proc --dev /dev --tmpfs /tmp --ro-bind-fd 4 /tmp/probe --remount-ro /`.split(
      " ",
    ),
  ];
  const descriptor = openSync("/", constants.O_RDONLY | constants.O_DIRECTORY);
  let child: ChildProcess;
  try {
    child = spawn(program, ["--args", String(argumentsDescriptor), "--", "/bin/sh", "-c", "exit 0"], {
      env: {},
      cwd: "/",
      detached: true,
      timeout: probeMs,
      killSignal: "SIGKILL",
      stdio: ["ignore", "ignore", "pipe", "pipe", descriptor],
    });
  } finally {
    closeSync(descriptor);
  }
  writeArguments(child, args);
  return new Promise((resolve) => {
    let stderr = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      stderr = (stderr + text).slice(0, 2_000); // its first line says why
    });
    child.once("error", (error) => resolve(error.message));
    child.once("close", (code) =>
      resolve(code === 0 ? null : stderr.trim().split("\n")[0] || `it ended with ${String(code)}`),
    );
  });
}

/** The arguments, each ended by a zero byte, as `--args` reads them. */
export function writeArguments(child: ChildProcess, args: readonly string[]): void {
  const pipe = child.stdio[argumentsDescriptor];
  if (!(pipe instanceof Writable)) return; // it could not be started, which `error` reports
  pipe.on("error", () => {}); // it ended before it read them: its exit tells why
  pipe.end(args.map((arg) => `${arg}\0`).join(""));
}

function describeProblem(message: string): { problem: string; remedy: string } {
  if (/unknown option/i.test(message))
    return {
      problem: "bubblewrap is too old: it has no --bind-fd",
      remedy: "Update it to a version of September 2024 or later",
    };
  const isForbidden = /uid map|namespace|not permitted|permission denied/i.test(message);
  return {
    problem: `bubblewrap does not work here: ${message}`,
    remedy: isForbidden
      ? "Allow it to make user namespaces: docs/operations.md says how, on Ubuntu and in containers"
      : "docs/operations.md says what it needs",
  };
}
