// What a session has changed, and its directory to be read.
import * as z from "zod/mini";
import { call } from "../api/http/call.ts";

const ChangedFile = z.looseObject({
  path: z.string(),
  from: z.optional(z.string()),
  change: z.string(),
  added: z.nullable(z.number()),
  removed: z.nullable(z.number()),
});
export type ChangedFile = z.infer<typeof ChangedFile>;

const Changes = z.looseObject({
  cwd: z.string(),
  branch: z.nullable(z.string()),
  since: z.string(),
  files: z.array(ChangedFile),
  /** Absent from servers that list all of them. */
  more: z.optional(z.boolean()),
});
export type Changes = z.infer<typeof Changes>;

const Diff = z.looseObject({ diff: z.nullable(z.string()) });

const Entry = z.looseObject({ name: z.string(), kind: z.string(), bytes: z.optional(z.number()) });
export type Entry = z.infer<typeof Entry>;
const Listing = z.looseObject({ entries: z.array(Entry), more: z.boolean() });
export type Listing = z.infer<typeof Listing>;

const FileText = z.looseObject({ bytes: z.number(), text: z.nullable(z.string()), more: z.boolean() });
export type FileText = z.infer<typeof FileText>;

const of = (session: string): string => `/api/sessions/${encodeURIComponent(session)}`;

export const readChanges = (session: string): Promise<Changes> => call(`${of(session)}/changes`, Changes);

export async function readDiff(session: string, { path, from }: ChangedFile): Promise<string | null> {
  const query = new URLSearchParams({ path, ...(from === undefined ? {} : { from }) });
  return (await call(`${of(session)}/changes/diff?${query}`, Diff)).diff;
}

export const listFiles = (session: string, path: string): Promise<Listing> =>
  call(`${of(session)}/files?${new URLSearchParams({ path })}`, Listing);

export const readFileText = (session: string, path: string): Promise<FileText> =>
  call(`${of(session)}/files/text?${new URLSearchParams({ path })}`, FileText);
