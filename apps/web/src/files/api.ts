// What a session has changed, and its directory to be read.
import * as z from "zod/mini";
import { call } from "../api/http/call.ts";

const ChangeEntry = z.looseObject({
  path: z.string(),
  from: z.optional(z.string()),
  change: z.string(),
  added: z.nullable(z.number()),
  removed: z.nullable(z.number()),
});
export type ChangeEntry = z.infer<typeof ChangeEntry>;

const SessionChanges = z.looseObject({
  cwd: z.string(),
  branch: z.nullable(z.string()),
  since: z.string(),
  files: z.array(ChangeEntry),
  /** Absent from servers that list all of them. */
  more: z.optional(z.boolean()),
});
export type SessionChanges = z.infer<typeof SessionChanges>;

const Diff = z.looseObject({ diff: z.nullable(z.string()) });

const DirectoryEntry = z.looseObject({ name: z.string(), kind: z.string(), bytes: z.optional(z.number()) });
export type DirectoryEntry = z.infer<typeof DirectoryEntry>;
const Listing = z.looseObject({ entries: z.array(DirectoryEntry), more: z.boolean() });
export type Listing = z.infer<typeof Listing>;

const FileContent = z.looseObject({ bytes: z.number(), text: z.nullable(z.string()), more: z.boolean() });
export type FileContent = z.infer<typeof FileContent>;

const of = (session: string): string => `/api/sessions/${encodeURIComponent(session)}`;

export const fetchChanges = (session: string): Promise<SessionChanges> =>
  call(`${of(session)}/changes`, SessionChanges);

export async function readDiff(session: string, { path, from }: ChangeEntry): Promise<string | null> {
  const query = new URLSearchParams({ path, ...(from === undefined ? {} : { from }) });
  return (await call(`${of(session)}/changes/diff?${query}`, Diff)).diff;
}

export const listFiles = (session: string, path: string): Promise<Listing> =>
  call(`${of(session)}/files?${new URLSearchParams({ path })}`, Listing);

export const readFileText = (session: string, path: string): Promise<FileContent> =>
  call(`${of(session)}/files/text?${new URLSearchParams({ path })}`, FileContent);
