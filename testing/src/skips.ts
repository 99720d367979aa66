// Tests that cannot be run everywhere say why, so that a run can count what it left out by its reason (report/unit-reporter.ts).
import { findSandbox } from "@patchbay/sandbox";

declare module "vitest" {
  interface TaskMeta {
    skipped?: string;
  }
}

/** Options of a test or a suite: it runs when there is no problem. */
export const unless = (problem: string | null): { skip?: boolean; meta?: { skipped: string } } =>
  problem === null ? {} : { skip: true, meta: { skipped: problem } };

/** Why there is no sandbox on this machine; null: there is. */
export async function sandboxProblem(): Promise<string | null> {
  const sandbox = await findSandbox(process.env["PATH"] ?? "");
  return sandbox.works ? null : `no sandbox: ${sandbox.problem}`;
}
