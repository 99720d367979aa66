// A model call as a session file records it, and the state of reading such a file. A reader is a pure fold over the file's
// rows: it can stop at any line and continue later, in another process.
import { createHash } from "node:crypto";
import { type PlanLimitsTold, readTime } from "@patchbay/protocol";
import * as z from "zod/mini";

const UsageFigures = z.object({
  input: z.number(),
  output: z.number(),
  cache_read: z.number(),
  cache_write: z.number(),
  /** Of these, what the cache keeps for an hour. */
  cache_write_1h: z.optional(z.number()),
  thinking: z.number(),
  // What is billed beside tokens.
  fast: z.optional(z.boolean()),
  searches: z.optional(z.number()),
  cost_usd: z.number(),
});
export type UsageFigures = z.infer<typeof UsageFigures>;

/** Of a call whose tokens the file does not tell. */
export const noFigures: UsageFigures = {
  ...{ input: 0, output: 0, cache_read: 0, cache_write: 0, thinking: 0 },
  cost_usd: 0,
};

export const FileState = z.object({
  /** The program's own id of the session. */
  session: z.string(),
  cwd: z.string(),
  /** Git's branch. */
  branch: z.string(),
  provider: z.string(),
  model: z.string(),
  /** The time of the newest row that has one. */
  time: z.string(),
  /** How many prompts have been seen. */
  turn: z.number(),
  /** The newest sum, for a program that records sums. */
  total: z.nullable(UsageFigures),
  /** The session in which these sums began: a fork continues them. */
  origin: z.optional(z.string()),
  /** The program's own id of the turn. */
  turn_id: z.optional(z.string()),
  /** The session continues another one, whose rows may be in another file. */
  is_fork: z.optional(z.boolean()),
  /** The model has answered in this turn. */
  answered: z.optional(z.boolean()),
  /** For such a program, how many answers the sum after it has not been read of. States saved before have none. */
  answers: z._default(z.number(), 0),
});
export type FileState = z.infer<typeof FileState>;

export const initialState: FileState = {
  session: "",
  cwd: "",
  branch: "",
  provider: "",
  model: "",
  time: "",
  turn: 0,
  total: null,
  answers: 0,
};

export interface RecordedCall extends Omit<UsageFigures, "cost_usd"> {
  /** Its identity, the same in every file that contains it. */
  call: string;
  /** Identities under which it may have been recorded before: by an earlier version, or when the file told less. */
  also?: readonly string[];
  /** An earlier version may have relayed it without recording its identity. */
  maybeUnnamed?: true;
  time: string;
  session: string;
  turn: number;
  cwd: string;
  branch: string;
  provider: string;
  model: string;
  /** The file says that the call was made, but not all of its tokens. */
  incomplete?: true;
  /** Null: the file has no price. A price of 0 counts as none: programs write it for models that they do not know. */
  cost_usd: number | null;
  /** It is the sum of several calls, so it does not show how full the context was. */
  isSum?: boolean;
}

/** Null: a row of a known kind that cannot be read. */
export type RowReader = (
  state: FileState,
  row: object,
) => { state: FileState; call?: RecordedCall; limits?: PlanLimitsTold } | null;

export const callKey = (...fields: unknown[]): string =>
  createHash("sha256").update(JSON.stringify(fields)).digest("hex").slice(0, 32);

/** Combines the state of the file with what the row itself has. */
export function recordedCall(
  state: FileState,
  call: string,
  { cost_usd, ...figures }: UsageFigures,
  row: { time: string; provider?: string; model?: string },
): RecordedCall {
  const { session, turn, cwd, branch, provider, model } = state;
  return {
    call,
    session,
    turn,
    cwd,
    branch,
    provider: row.provider ?? provider,
    model: row.model ?? model,
    time: toIsoTime(row.time, state.time),
    ...figures,
    cost_usd: cost_usd > 0 ? cost_usd : null,
  };
}

/** The ledger sorts times as text, in UTC. A file may have any offset or an invalid time. */
export function toIsoTime(...candidates: readonly string[]): string {
  for (const text of candidates) {
    const time = readTime(text);
    if (time !== null) return new Date(time).toISOString();
  }
  return new Date(0).toISOString();
}
