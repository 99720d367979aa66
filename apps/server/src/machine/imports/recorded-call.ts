// What a program's file says of one model call, and what has to be remembered of a file to read on in it. A format is
// a pure fold over a file's rows: it can stop at any line and go on later, in another process.
import { createHash } from "node:crypto";
import { readTime } from "@patchbay/protocol";
import * as z from "zod/mini";

const Figures = z.object({
  input: z.number(),
  output: z.number(),
  cache_read: z.number(),
  cache_write: z.number(),
  thinking: z.number(),
  cost_usd: z.number(),
});
export type Figures = z.infer<typeof Figures>;

export const FileState = z.object({
  /** The program's own id of the session. */
  session: z.string(),
  cwd: z.string(),
  /** Git's. */
  branch: z.string(),
  provider: z.string(),
  model: z.string(),
  /** When the newest thing was said. */
  time: z.string(),
  /** How many prompts have been seen. */
  turn: z.number(),
  /** The newest sum, where a program tells sums. */
  total: z.nullable(Figures),
});
export type FileState = z.infer<typeof FileState>;

export const newFile: FileState = {
  session: "",
  cwd: "",
  branch: "",
  provider: "",
  model: "",
  time: "",
  turn: 0,
  total: null,
};

export interface ToldCall extends Omit<Figures, "cost_usd"> {
  /** Its identity, wherever it is told. */
  call: string;
  time: string;
  session: string;
  turn: number;
  cwd: string;
  branch: string;
  provider: string;
  model: string;
  /** Null: the file has tokens and no price. A price of nothing is none: programs write 0 for models they do not know. */
  cost_usd: number | null;
}

/** Null: a row of a known kind that cannot be read. */
export type RowReader = (state: FileState, row: object) => { state: FileState; call?: ToldCall } | null;

export const callKey = (...told: unknown[]): string =>
  createHash("sha256").update(JSON.stringify(told)).digest("hex").slice(0, 32);

/** What `state` knows of a call, and what the row says. */
export function toldCall(
  state: FileState,
  call: string,
  { cost_usd, ...figures }: Figures,
  said: { time: string; provider?: string; model?: string },
): ToldCall {
  const { session, turn, cwd, branch, provider, model } = state;
  return {
    call,
    session,
    turn,
    cwd,
    branch,
    provider: said.provider ?? provider,
    model: said.model ?? model,
    time: toTime(said.time, state.time),
    ...figures,
    cost_usd: cost_usd > 0 ? cost_usd : null,
  };
}

/** The ledger sorts times as text, in UTC; a file may write any offset, or rubbish. */
export function toTime(...candidates: readonly string[]): string {
  for (const text of candidates) {
    const time = readTime(text);
    if (time !== null) return new Date(time).toISOString();
  }
  return new Date(0).toISOString();
}
