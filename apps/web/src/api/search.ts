// Searching the transcripts, and the files of a session's directory.
import * as z from "zod/mini";
import { call } from "./http/call.ts";

const TranscriptHit = z.object({
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
export type TranscriptHit = z.infer<typeof TranscriptHit>;

const SearchResult = z.object({ hits: z.array(TranscriptHit), more: z.boolean() });
export type SearchResult = z.infer<typeof SearchResult>;

export interface SearchRequest {
  q: string;
  cwd?: string;
  kind?: string;
  limit?: number;
}

export function searchTranscripts(request: SearchRequest): Promise<SearchResult> {
  const query = new URLSearchParams(
    Object.entries(request).flatMap(([name, value]) =>
      value === undefined || value === "" ? [] : [[name, String(value)]],
    ),
  );
  return call(`/api/search?${query}`, SearchResult);
}

const Paths = z.object({ paths: z.array(z.object({ path: z.string(), bytes: z.optional(z.number()) })) });
export type PathSuggestion = z.infer<typeof Paths>["paths"][number];

export const findPaths = async (session: string, q: string): Promise<PathSuggestion[]> =>
  (await call(`/api/sessions/${encodeURIComponent(session)}/paths?${new URLSearchParams({ q })}`, Paths))
    .paths;
