// Skips tests with a reason, so that a run can count its skipped tests by reason (report/unit-reporter.ts).
import { findSandbox } from "@patchbay/sandbox";

declare module "vitest" {
  interface TaskMeta {
    skipped?: string;
  }
}

/** Options of a test or a suite: it runs when there is no problem. */
export const unless = (problem: string | null): { skip?: boolean; meta?: { skipped: string } } =>
  problem === null ? {} : { skip: true, meta: { skipped: problem } };

/** Why this machine has no sandbox; null: it has one. */
export async function sandboxProblem(): Promise<string | null> {
  const sandbox = await findSandbox(process.env["PATH"] ?? "");
  return sandbox.works ? null : `no sandbox: ${sandbox.problem}`;
}
