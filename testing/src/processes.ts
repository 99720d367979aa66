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

/** Processes that were started as exactly this command, its words separated by a space. None where there is no /proc. */
export function processesOf(command: string): number[] {
  if (process.platform !== "linux") return [];
  const words = `${command.replaceAll(" ", "\0")}\0`;
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && argumentsOf(pid) === words);
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
