// Finds and ends what a worker left behind, wherever it fled: every process a worker starts inherits its
// tag in the environment, also one that left the process group, or whose parent is gone.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { errorCode } from "../error-code.ts";

export const tagVariable = "PATCHBAY_WORKER";

/** What the tags of all workers of a home begin with, so that a start finds those that no record knows. */
export const tagOfHome = (home: string): string =>
  createHash("sha256").update(home).digest("hex").slice(0, 16);

/** Kills every process with this tag, or with one of this home; returns how many. Only where there is a /proc to look in. */
export function endTagged(tag: string): number {
  if (process.platform !== "linux") return 0;
  let ended = 0;
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid || !hasTag(pid, tag)) continue;
    if (kill(pid)) ended++;
  }
  return ended;
}

function hasTag(pid: number, tag: string): boolean {
  try {
    const wanted = `${tagVariable}=${tag}`;
    return readFileSync(`/proc/${pid}/environ`, "latin1")
      .split("\0")
      .some((variable) => variable === wanted || variable.startsWith(`${wanted}.`));
  } catch {
    return false; // gone meanwhile, or another user's: not ours
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
