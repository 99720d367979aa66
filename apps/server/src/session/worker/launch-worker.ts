// Starts a worker process for a session, as its profile and its dialect say, or takes one from the pool.
import type { HelloData } from "@patchbay/protocol";
import type { Limits } from "../../config/config-file.ts";
import type { Profile } from "../../machine/profiles/profiles.ts";
import type { WorkerStart } from "../../machine/worker-port.ts";
import type { SessionRecord } from "../../store/session-record.ts";
import { WorkerLink, type WorkerListener } from "./worker-link.ts";
import type { WorkerPool } from "./worker-pool.ts";

export interface LaunchOptions {
  profile: Profile;
  /** What its worker sees of the environment. */
  environment: Record<string, string>;
  /** What the tags of this server's workers begin with. */
  owner: string;
  limits: Limits;
  /** Workers started ahead, if there are any. */
  pool: WorkerPool | undefined;
}

interface Attempt {
  /** In the profile's other way, where it has one. */
  fallback: boolean;
  /** To the command, at its end. */
  added: readonly string[];
}

export function launchWorker(
  record: SessionRecord,
  deps: LaunchOptions,
  attempt: Attempt,
  listener: WorkerListener,
): WorkerLink {
  const pooled = deps.profile.name === "builtin" ? deps.pool?.take(listener) : undefined;
  if (pooled !== undefined) return pooled;
  const session = resumable(record, deps.profile);
  const { profile } = deps;
  const [program, ...args] = (attempt.fallback ? profile.fallback : undefined) ?? profile.command;
  const how = { ...deps, profile: { ...profile, command: [program, ...args, ...attempt.added] as const } };
  const link = spawnWorker(how, { cwd: record.cwd, model: chosenModel(record), session }, listener);
  link.resumes = session !== undefined;
  return link;
}

/** What the agent called the session, if it can go on with that. */
function resumable({ agent_session }: SessionRecord, { dialect }: Profile): string | undefined {
  if (agent_session === undefined || agent_session === null) return undefined;
  return dialect.canResume?.(agent_session) === true ? agent_session : undefined;
}

/** A worker that starts again knows what was said before. */
export const remembers = (record: SessionRecord, profile: Profile, hello: HelloData | undefined): boolean =>
  hello?.capabilities?.includes("restore") === true || resumable(record, profile) !== undefined;

/** `provider/model`, a model of the worker's own provider, or undefined for its default. */
export function chosenModel({
  provider,
  model,
}: Pick<SessionRecord, "provider" | "model">): string | undefined {
  if (model === "") return undefined;
  return provider === "" ? model : `${provider}/${model}`;
}

export const spawnWorker = (
  { profile, environment, owner, limits }: Omit<LaunchOptions, "pool">,
  start: Pick<WorkerStart, "cwd" | "model" | "session">,
  listener: WorkerListener,
): WorkerLink =>
  new WorkerLink(
    {
      profile,
      environment,
      owner,
      ...start,
      maxLineBytes: limits.worker_line_bytes,
      stopWaitMs: limits.worker_stop_ms,
    },
    listener,
  );
