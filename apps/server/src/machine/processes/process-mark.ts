// Distinguishes a process from a later one with the same pid, so that a worker that outlived a killed server
// can be ended at the next start without killing an unrelated process.
import { readFileSync } from "node:fs";
import { errorCode } from "../../diagnostics/error-code.ts";
import type { ProcessMark } from "../../store/session-record.ts";
import { endTagged } from "./orphans.ts";

export function markProcess(pid: number, tag: string): ProcessMark {
  return { pid, tag, started: startTime(pid) };
}

/** Kills the process group, if the process is still the marked one, and all processes with its tag. */
export async function endMarked({ pid, tag, started }: ProcessMark): Promise<void> {
  if (started !== null && startTime(pid) === started) {
    try {
      process.kill(-pid, "SIGKILL");
    } catch (error) {
      if (errorCode(error) !== "ESRCH") throw error;
    }
  }
  await endTagged(tag);
}

/** Field 22 of /proc/<pid>/stat with the boot's id: unique on this machine. Null where there is no /proc. */
function startTime(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const ticks = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()} ${ticks}`;
  } catch {
    return null; // the process has ended, or this is not Linux
  }
}
