// Tells a process from a later one with the same number, so that a worker that outlived a killed server
// can be ended at the next start without harming a stranger.
import { readFileSync } from "node:fs";
import { errorCode } from "../error-code.ts";
import type { ProcessMark } from "../store/store.ts";

export function markProcess(pid: number): ProcessMark {
  return { pid, started: startTime(pid) };
}

/** Ends the process and its group if it is still the one that was marked. True when there was one. */
export function endMarked({ pid, started }: ProcessMark): boolean {
  if (started === null || startTime(pid) !== started) return false;
  try {
    process.kill(-pid, "SIGKILL");
    return true;
  } catch (error) {
    if (errorCode(error) === "ESRCH") return false;
    throw error;
  }
}

/** Field 22 of /proc/<pid>/stat with the boot's id: unique on this machine. Null where there is no /proc. */
function startTime(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const ticks = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()} ${ticks}`;
  } catch {
    return null; // gone, or not Linux
  }
}
