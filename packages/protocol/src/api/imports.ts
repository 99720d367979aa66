// What other programs left on this machine: sessions that can be continued, and what was spent outside.
import * as z from "zod/mini";
import { Label } from "../lines/bounds.ts";

/** Programs whose sessions can be continued. */
export const ImportProgram = z.enum(["zot", "pi", "omp"]);
export type ImportProgram = z.infer<typeof ImportProgram>;

/** Which session to continue: one that `GET /api/imports` lists for the directory. */
export const ImportSource = z.strictObject({
  program: ImportProgram,
  session: Label.check(z.minLength(1)),
});
export type ImportSource = z.infer<typeof ImportSource>;

export const FoundSession = z.object({
  program: ImportProgram,
  /** The program's own id of it. */
  session: z.string(),
  title: z.string(),
  first_prompt: z.string(),
  started_at: z.string(),
  updated_at: z.string(),
  bytes: z.number(),
  /** Absent where the file is too long to be counted for a list. */
  message_count: z.optional(z.number()),
  cost_usd: z.optional(z.number()),
  /** Calls without a known price. */
  unpriced: z.optional(z.number()),
  provider: z.optional(z.string()),
  model: z.optional(z.string()),
  /** Lines that cannot be read. */
  unreadable: z.optional(z.number()),
  /** The workers that can go on with it, the best first. */
  workers: z.array(z.string()),
  /** The session of ours that it already is. */
  continued_as: z.optional(z.string()),
});
export type FoundSession = z.infer<typeof FoundSession>;

const Count = z.number().check(z.nonnegative());

export const ImportedSums = z.object({
  program: z.string(),
  files: Count,
  /** Calls that are new in the ledger, those that are now more complete, and those it had. */
  added: Count,
  changed: Count,
  known: Count,
  /** Calls that Patchbay relayed itself and counted there. */
  own: Count,
  cost_usd: z.number(),
  unpriced: z.number(),
  /** Lines that cannot be read. */
  unreadable: Count,
});
export type ImportedSums = z.infer<typeof ImportedSums>;

export const CostImport = z.object({
  state: z.enum(["running", "done", "failed"]),
  dry_run: z.boolean(),
  from: z.optional(z.string()),
  started_at: z.string(),
  ended_at: z.optional(z.string()),
  programs: z.array(ImportedSums),
  /** Files that could not be read, and why; the first twenty. */
  problems: z.array(z.object({ path: z.string(), problem: z.string() })),
  /** Why it failed. */
  error: z.optional(z.string()),
});
export type CostImport = z.infer<typeof CostImport>;
