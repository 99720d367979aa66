// The session calls of contract §3.
import { type CreateSession, SessionInfo, type UpdateSession, WorkerInfo } from "@patchbay/protocol";
import * as z from "zod/mini";
import { call, perform } from "./http/call.ts";
import { downloadFile } from "./http/download.ts";

const OneSession = z.object({ session: SessionInfo });
const Sessions = z.object({
  sessions: z.array(SessionInfo),
  /** Those that can still be restored. */
  deleting: z._default(z.array(SessionInfo), []),
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
