// Starts the worker of a session on its machine, or takes one from the pool.
import type { HelloData } from "@patchbay/protocol";
import type { Limits } from "../../config/config-file.ts";
import type { Machine, WorkerKind } from "../../machine/machine.ts";
import type { SessionRecord } from "../../store/session-record.ts";
import { WorkerLink, type WorkerListener } from "./worker-link.ts";
import type { WorkerPool } from "./worker-pool.ts";

export interface LaunchOptions {
  machine: Pick<Machine, "launch" | "workers">;
  kind: WorkerKind;
  limits: Limits;
  /** Workers started ahead, if there are any. */
  pool: WorkerPool | undefined;
}

interface Attempt {
  /** With the fallback command of its profile. */
  fallback: boolean;
  /** Arguments appended to its command. */
  added: readonly string[];
}

export function launchWorker(
  record: SessionRecord,
  { machine, kind, limits, pool }: LaunchOptions,
  { fallback, added }: Attempt,
  listener: WorkerListener,
): WorkerLink {
  const pooled = kind.name === "builtin" ? pool?.take(listener) : undefined;
  if (pooled !== undefined) return pooled;
  const session = resumable(record, kind);
  const start = {
    worker: kind.name,
    fallback,
    added,
    cwd: record.cwd,
    model: chosenModel(record),
    session,
  };
  const link = new WorkerLink({ machine, start, stopWaitMs: limits.worker_stop_ms }, listener);
  link.resumes = session !== undefined;
  return link;
}

/** The agent's own id of the session, if the agent can resume it. */
function resumable({ agent_session }: SessionRecord, kind: WorkerKind): string | undefined {
  if (agent_session === undefined || agent_session === null) return undefined;
  return kind.canResume(agent_session) ? agent_session : undefined;
}

/** A restarted worker has the context of the conversation. */
export const canRestoreContext = (
  record: SessionRecord,
  kind: WorkerKind,
  hello: HelloData | undefined,
): boolean => hello?.capabilities?.includes("restore") === true || resumable(record, kind) !== undefined;

/** `provider/model`, a model of the worker's own provider, or undefined for the worker's default. */
export function chosenModel({
  provider,
  model,
}: Pick<SessionRecord, "provider" | "model">): string | undefined {
  if (model === "") return undefined;
  return provider === "" ? model : `${provider}/${model}`;
}
