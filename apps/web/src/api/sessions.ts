// The session calls of contract §3.
import {
  type CreateSession,
  SessionInfo,
  SessionState,
  type UpdateSession,
  WorkerInfo,
} from "@patchbay/protocol";
import * as z from "zod/mini";
import { call, perform } from "./http/call.ts";
import { downloadFile } from "./http/download.ts";

const OneSession = z.object({ session: SessionInfo });
/**
 * The schema takes tens of milliseconds for 500 sessions, before anything is shown: a session without questions is only
 * checked for what the page reads of it.
 */
const ListedSession = z.custom<SessionInfo>(
  (value) => isPlain(value) || SessionInfo.safeParse(value).success,
);

const texts = [
  "id",
  "name",
  "worker",
  "dialect",
  "cwd",
  "provider",
  "model",
  "state",
  "created_at",
  "updated_at",
];

const states: ReadonlySet<unknown> = new Set(SessionState.options);

const isUsage = (value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  "cost_usd" in value &&
  Object.values(value).every((amount) => typeof amount === "number");

function isPlain(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const session: Record<string, unknown> = { ...value };
  const { usage, pending, capabilities, job, last_line = "", project = "", branch = "" } = session;
  return (
    [...texts.map((name) => session[name]), last_line, project, branch].every(
      (text) => typeof text === "string",
    ) &&
    states.has(session["state"]) &&
    ["message_count", "seq", "viewers"].every((name) => typeof session[name] === "number") &&
    isUsage(usage) &&
    Array.isArray(pending) &&
    pending.length === 0 &&
    Array.isArray(capabilities) &&
    capabilities.every((name) => typeof name === "string") &&
    (job === null || job === "prompt" || job === "compact" || job === "bash")
  );
}

const Sessions = z.object({
  sessions: z.array(ListedSession),
  /** Those that can still be restored. */
  deleting: z._default(z.array(ListedSession), []),
});
type Sessions = z.infer<typeof Sessions>;
const Workers = z.looseObject({
  workers: z.array(WorkerInfo),
  default_worker: z.optional(z.string()),
  default_cwd: z.optional(z.string()),
  directories: z.optional(z.array(z.string())),
  config_path: z.optional(z.string()),
});
export type Workers = z.infer<typeof Workers>;

const at = (id: string): string => `/api/sessions/${encodeURIComponent(id)}`;

export const listSessions = (): Promise<Sessions> => call("/api/sessions", Sessions);
export const listWorkers = (): Promise<Workers> => call("/api/workers", Workers);

export const createSession = async (body: CreateSession): Promise<SessionInfo> =>
  (await call("/api/sessions", OneSession, { method: "POST", body })).session;

export const updateSession = async (id: string, body: UpdateSession): Promise<SessionInfo> =>
  (await call(at(id), OneSession, { method: "PATCH", body })).session;

export const stopSession = (id: string): Promise<void> => perform(`${at(id)}/stop`, { method: "POST" });

/** It can be restored for so many seconds. */
export const deleteSession = async (id: string, undo: number): Promise<SessionInfo> =>
  (await call(`${at(id)}?undo=${undo}`, OneSession, { method: "DELETE" })).session;
export const restoreSession = async (id: string): Promise<SessionInfo> =>
  (await call(`${at(id)}/restore`, OneSession, { method: "POST" })).session;

export const exportFormats = ["html", "md", "jsonl"] as const;
export const exportSession = (id: string, format: (typeof exportFormats)[number]): Promise<void> =>
  downloadFile(`${at(id)}/export?format=${format}`, `${id}.${format}`);
