// Searching the transcripts, and the files of a session's directory.
import * as z from "zod/mini";
import { call } from "./http/call.ts";

const Hit = z.object({
  session: z.string(),
  name: z.string(),
  cwd: z.string(),
  seq: z.number(),
  part: z.number(),
  kind: z.enum(["prompt", "answer", "tool", "output", "command", "summary"]),
  branch: z.string(),
  time: z.string(),
  snippet: z.array(z.object({ text: z.string(), match: z.boolean() })),
});
export type Hit = z.infer<typeof Hit>;

const Found = z.object({ hits: z.array(Hit), more: z.boolean() });
export type Found = z.infer<typeof Found>;

export interface SearchRequest {
  q: string;
  cwd?: string;
  kind?: string;
  limit?: number;
}

export function searchTranscripts(request: SearchRequest): Promise<Found> {
  const query = new URLSearchParams(
    Object.entries(request).flatMap(([name, value]) =>
      value === undefined || value === "" ? [] : [[name, String(value)]],
    ),
  );
  return call(`/api/search?${query}`, Found);
}

const Paths = z.object({ paths: z.array(z.object({ path: z.string(), bytes: z.optional(z.number()) })) });
export type FoundPath = z.infer<typeof Paths>["paths"][number];

export const findPaths = async (session: string, q: string): Promise<FoundPath[]> =>
  (await call(`/api/sessions/${encodeURIComponent(session)}/paths?${new URLSearchParams({ q })}`, Paths))
    .paths;
