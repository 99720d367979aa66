// Finds and ends processes that a worker left behind. Every process that a worker starts inherits its tag in the
// environment, also one that left the process group, or whose parent has ended.
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { errorCode } from "../../diagnostics/error-code.ts";

export const tagVariable = "PATCHBAY_WORKER";

/** The common prefix of the tags of all workers of a home, so that a start also finds those without a record. */
export const tagOfHome = (home: string): string =>
  createHash("sha256").update(home).digest("hex").slice(0, 16);

/** Files of /proc that are read at once: Node has few threads for all file access. */
const atOnce = 2;

/**
 * Kills every process with this tag, or with one of this home; resolves with how many. Needs /proc. A machine may have
 * thousands of processes, so a few are read at a time.
 */
export async function endTagged(tag: string): Promise<number> {
  if (process.platform !== "linux") return 0;
  const pids = (await readdir("/proc"))
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid !== process.pid);
  let ended = 0;
  const look = async (): Promise<void> => {
    for (let pid = pids.pop(); pid !== undefined; pid = pids.pop())
      if ((await hasTag(pid, tag)) && kill(pid)) ended++;
  };
  await Promise.all(Array.from({ length: atOnce }, look));
  return ended;
}

async function hasTag(pid: number, tag: string): Promise<boolean> {
  try {
    const wanted = `${tagVariable}=${tag}`;
    return (await readFile(`/proc/${pid}/environ`, "latin1"))
      .split("\0")
      .some((variable) => variable === wanted || variable.startsWith(`${wanted}.`));
  } catch {
    return false; // it has ended, or belongs to another user
  }
}

function kill(pid: number): boolean {
  try {
    process.kill(pid, "SIGKILL");
    return true;
  } catch (error) {
    if (errorCode(error) === "ESRCH") return false;
    throw error;
  }
}
