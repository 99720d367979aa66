// Ends process groups: SIGTERM, then SIGKILL. Every group that is alive is registered here, so that even an exit
// of the worker in mid-command leaves none behind.
import { readdirSync, readFileSync } from "node:fs";

const alive = new Set<number>();

process.on("exit", () => {
  for (const group of alive) signalGroup(group, "SIGKILL");
});

export function ownGroup(pid: number): void {
  alive.add(pid);
}

/** Whether any process of the group is left; a finished leader may leave children behind. */
export const groupIsAlive = (pid: number): boolean => signalGroup(pid, 0) && !onlyZombies(pid);

/**
 * Dead processes count as members until their parent has looked at them, and in a container the
 * parent of orphans may never look. Only Linux shows the difference; elsewhere they count as alive.
 */
function onlyZombies(group: number): boolean {
  try {
    const members = readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => stateIn(group, name));
    return members.every((state) => state === "Z" || state === "X");
  } catch {
    return false;
  }
}

function stateIn(group: number, pid: string): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name stands in parentheses and may hold anything, so fields are counted from the last one.
    const [state = "", , memberOf] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return Number(memberOf) === group ? [state] : [];
  } catch {
    return []; // it ended while we looked
  }
}

function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** How often a dying group is polled; there is no event for the end of a group. */
const lookEvery = 20;

/** Resolves when no process of the group is left, or when even SIGKILL had its chance. */
export async function endGroup(pid: number, termMs: number): Promise<void> {
  const killAt = performance.now() + termMs;
  const giveUpAt = killAt + 1_000; // a process in uninterruptible sleep dies when it wakes
  signalGroup(pid, "SIGTERM");
  let killed = false;
  while (groupIsAlive(pid) && performance.now() < giveUpAt) {
    if (!killed && performance.now() >= killAt) killed = signalGroup(pid, "SIGKILL");
    await new Promise((resolve) => setTimeout(resolve, lookEvery));
  }
  alive.delete(pid);
}

export function disownGroup(pid: number): void {
  alive.delete(pid);
}
