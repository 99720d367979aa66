// CPU time and memory of a bridge from /proc: the process and its descendants, without the workers,
// which cost the same behind every bridge.
import { readdirSync, readFileSync } from "node:fs";
import { worker } from "./native.ts";

/** Linux reports ticks of this length everywhere that matters. */
const ticksPerSecond = 100;

interface Stat {
  parent: number;
  seconds: number;
}

function statOf(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name may hold anything, so the fields are counted from the parenthesis after it.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return { parent: Number(fields[1]), seconds: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond };
  } catch {
    return undefined; // gone meanwhile
  }
}

/** The worker itself, or its script: a bridge and its children are told the worker's path too. */
function isWorker(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0", 2).includes(worker);
  } catch {
    return false; // gone meanwhile
  }
}

export function cpuSeconds(root: number | undefined): number {
  if (root === undefined) return 0;
  const stats = new Map<number, Stat>();
  for (const name of readdirSync("/proc")) {
    const stat = /^\d+$/.test(name) ? statOf(Number(name)) : undefined;
    if (stat !== undefined) stats.set(Number(name), stat);
  }
  const children = new Map<number, number[]>();
  for (const [pid, { parent }] of stats) children.set(parent, [...(children.get(parent) ?? []), pid]);
  const sum = (pid: number): number =>
    (pid !== root && isWorker(pid) ? 0 : (stats.get(pid)?.seconds ?? 0)) +
    (children.get(pid) ?? []).reduce((total, child) => total + sum(child), 0);
  return sum(root);
}

export function residentMegabytes(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes) / 1024;
}
