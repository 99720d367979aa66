// Checks whether processes run. A zombie does not count: it has ended, and only its parent has not reaped it.
import { readdirSync, readFileSync } from "node:fs";
import { waitUntil } from "./wait-until.ts";

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return process.platform !== "linux"; // ended meanwhile, or there is no /proc
  }
}

/** Resolves when the process has ended. The test's own timeout is the limit. */
export async function gone(pid: number): Promise<void> {
  await waitUntil(() => !isAlive(pid));
}

/** Resolves when the process has ended and its parent has reaped it. */
export async function reaped(pid: number): Promise<void> {
  await waitUntil(() => {
    try {
      return !process.kill(pid, 0);
    } catch {
      return true;
    }
  });
}

/** Processes that were started with this variable in their environment. None where there is no /proc. */
export function processesWith(variable: string, value: string): number[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && environmentOf(pid).includes(`${variable}=${value}`));
}

/** Processes whose command contains this text: a shell and what it runs. None where there is no /proc. */
export function processesMentioning(text: string): number[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc")
    .map(Number)
    .filter(
      (pid) =>
        Number.isInteger(pid) && pid !== process.pid && argumentsOf(pid).replaceAll("\0", " ").includes(text),
    );
}

/** The children of a process, theirs, and so on, without zombies. None where there is no /proc. */
export function processesBelow(pid: number): number[] {
  if (process.platform !== "linux" || !Number.isInteger(pid)) return [];
  const parents = readdirSync("/proc")
    .map(Number)
    .filter(Number.isInteger)
    .flatMap((child) => {
      const parent = parentOf(child);
      return parent === undefined ? [] : [[child, parent] as const];
    });
  const below: number[] = [];
  for (let level = [pid]; level.length > 0; ) {
    level = parents.filter(([, parent]) => level.includes(parent)).map(([child]) => child);
    below.push(...level);
  }
  return below;
}

/** Undefined for a zombie, and for a process that has ended. */
function parentOf(pid: number): number | undefined {
  try {
    const [, state, parent] = /^\d+ \(.*\) (\w) (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
    return state === "Z" ? undefined : Number(parent);
  } catch {
    return undefined;
  }
}

function argumentsOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1");
  } catch {
    return ""; // it has ended
  }
}

/** What a process was started as, and its state, for a message. */
export function commandOf(pid: number): string {
  try {
    const state = /^State:\s+(.*)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return `${readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim()} (${state})`;
  } catch {
    return "it has ended meanwhile";
  }
}

/** Processes whose HOME begins with this. */
export function processesAtHome(prefix: string): number[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc")
    .map(Number)
    .filter(
      (pid) =>
        Number.isInteger(pid) && environmentOf(pid).some((variable) => variable.startsWith(`HOME=${prefix}`)),
    );
}

/** Empty for a zombie, and for a process that has ended or belongs to another user. */
function environmentOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1").split("\0");
  } catch {
    return [];
  }
}

/** A process's resident memory in bytes, as the kernel counts it: now, and at most since its start. */
export function memoryOf(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) * 1024;
  return { now: field("VmRSS"), peak: field("VmHWM") };
}
