// Starts a worker process for a session, as its profile and its dialect say.
import type { SessionRecord } from "../store/store.ts";
import type { SessionDependencies } from "./session-dependencies.ts";
import { WorkerLink, type WorkerListener } from "./worker-link.ts";

type Needed = Pick<SessionDependencies, "profile" | "environment" | "limits">;

export function launchWorker(record: SessionRecord, deps: Needed, listener: WorkerListener): WorkerLink {
  const { profile, environment, limits } = deps;
  const { cwd, provider, model } = record;
  const [program, ...args] = profile.command;
  const chosen = model === "" ? undefined : provider === "" ? model : `${provider}/${model}`;
  const launch = {
    command: [program, ...args, ...profile.dialect.startArguments({ cwd, model: chosen })] as const,
    cwd,
    env: environment,
    maxLineBytes: limits.worker_line_bytes,
    stopWaitMs: limits.worker_stop_ms,
  };
  return new WorkerLink(launch, profile.dialect, listener);
}
