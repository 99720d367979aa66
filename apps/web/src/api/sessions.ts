// The session calls of contract §3.
import { type CreateSession, Session, WorkerInfo } from "@patchbay/protocol";
import * as z from "zod/mini";
import { call, perform } from "./call.ts";

const OneSession = z.object({ session: Session });
const ManySessions = z.object({ sessions: z.array(Session) });
const Workers = z.looseObject({
  workers: z.array(WorkerInfo),
  default_worker: z.optional(z.string()),
  default_cwd: z.optional(z.string()),
  directories: z.optional(z.array(z.string())),
  config_path: z.optional(z.string()),
});
export type Workers = z.infer<typeof Workers>;

const at = (id: string): string => `/api/sessions/${encodeURIComponent(id)}`;

export const listSessions = async (): Promise<Session[]> =>
  (await call("/api/sessions", ManySessions)).sessions;
export const listWorkers = (): Promise<Workers> => call("/api/workers", Workers);

export const createSession = async (body: CreateSession): Promise<Session> =>
  (await call("/api/sessions", OneSession, { method: "POST", body })).session;

export const renameSession = async (id: string, name: string): Promise<Session> =>
  (await call(at(id), OneSession, { method: "PATCH", body: { name } })).session;

export const stopSession = (id: string): Promise<void> => perform(`${at(id)}/stop`, { method: "POST" });
export const deleteSession = (id: string): Promise<void> => perform(at(id), { method: "DELETE" });
