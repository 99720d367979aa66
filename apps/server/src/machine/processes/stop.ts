// The termination ladder: close stdin, wait, TERM to the group, wait, KILL to the group.
// Processes that outlive the worker are ended by worker-process.ts.
import type { ChildProcess } from "node:child_process";
import { errorCode } from "../../diagnostics/error-code.ts";

/** `exited` must settle when the process has ended. */
export async function stopProcess(
  child: ChildProcess,
  exited: Promise<unknown>,
  waitMs: number,
): Promise<void> {
  child.stdin?.end();
  if (!(await settlesWithin(exited, waitMs))) {
    signalGroup(child, "SIGTERM");
    if (!(await settlesWithin(exited, waitMs))) {
      signalGroup(child, "SIGKILL");
      await exited;
    }
  }
}

export function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    if (errorCode(error) !== "ESRCH") throw error; // ESRCH: the group has ended already
  }
}

async function settlesWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([promise.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
