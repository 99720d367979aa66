// Reads rows of Codex's rollout files: `session_meta`, `turn_context`, `response_item`, and `event_msg` with `token_count`, which has
// the sum of the session so far. A call is the difference of two sums. The same sum is written again when only the rate limits
// changed. A fork copies the rows before it with new times and continues the sums: a call is told by where the sums began, the
// turn and the sum.
import * as z from "zod/mini";
import {
  callKey,
  type FileState,
  type RowReader,
  recordedCall,
  type UsageFigures,
} from "../recorded-call.ts";

const text = z.catch(z.string(), "");
const count = z.catch(z.number().check(z.nonnegative()), 0);
const Row = z.looseObject({ type: z.string(), timestamp: text, payload: z.looseObject({}) });
const Meta = z.looseObject({
  id: z.string(),
  cwd: text,
  model_provider: text,
  git: z.catch(z.optional(z.nullable(z.looseObject({ branch: text }))), null),
});
const TurnContext = z.looseObject({ model: text, cwd: text, turn_id: text });
const Event = z.looseObject({ type: z.string(), turn_id: text });
/** Cached tokens and those that were written to the cache are part of the input, reasoning is part of the output. */
const Tokens = z.looseObject({
  input_tokens: count,
  cached_input_tokens: count,
  cache_write_input_tokens: count,
  output_tokens: count,
  reasoning_output_tokens: count,
});
const TokenCount = z.looseObject({
  /** Null: only the rate limits are known. */
  info: z.optional(
    z.nullable(
      z.looseObject({
        total_token_usage: Tokens,
        last_token_usage: z.catch(z.optional(z.nullable(Tokens)), null),
      }),
    ),
  ),
});

export const readCodexRow: RowReader = (state, given) => {
  const row = Row.safeParse(given).data;
  if (row === undefined) return null;
  const at = row.timestamp === "" ? state : { ...state, time: row.timestamp };
  switch (row.type) {
    case "session_meta": {
      const meta = Meta.safeParse(row.payload).data;
      if (meta === undefined) return null;
      // A fork begins with its own, and then has those of the sessions that it copies.
      if (state.session !== "") return { state: { ...at, origin: meta.id } };
      const { id, cwd, model_provider, git } = meta;
      const head = { session: id, origin: id, cwd, branch: git?.branch ?? "" };
      return { state: { ...at, ...head, provider: model_provider || "openai" } };
    }
    case "turn_context": {
      const context = TurnContext.safeParse(row.payload).data;
      if (context === undefined) return null;
      const { model, cwd, turn_id } = context;
      const known = { model: model || at.model, cwd: cwd || at.cwd, turn_id: turn_id || at.turn_id };
      return { state: { ...at, ...known } };
    }
    case "event_msg":
      return readEvent(at, row.payload);
    default:
      return { state: at };
  }
};

function readEvent(state: FileState, payload: object): ReturnType<RowReader> {
  const event = Event.safeParse(payload).data;
  switch (event?.type) {
    case undefined:
      return null;
    case "task_started":
    case "turn_started":
      return event.turn_id === ""
        ? { state }
        : { state: { ...state, turn: state.turn + 1, turn_id: event.turn_id } };
    case "user_message": // of versions that give turns no id
      return { state: state.turn_id === undefined ? { ...state, turn: state.turn + 1 } : state };
    case "token_count":
      return readTokenCount(state, payload);
    default:
      return { state };
  }
}

function readTokenCount(state: FileState, payload: object): ReturnType<RowReader> {
  const read = TokenCount.safeParse(payload).data;
  if (read === undefined) return null;
  const { info } = read;
  if (info === null || info === undefined) return { state };
  const total = figuresOf(info.total_token_usage);
  const last = info.last_token_usage;
  const figures = used(state.total, total, last === null || last === undefined ? total : figuresOf(last));
  const next = { ...state, total };
  if (figures.input + figures.output + figures.cache_read + figures.cache_write === 0) return { state: next };
  const key = callKey("codex", state.origin ?? "", state.turn_id ?? "", ...Object.values(total));
  return { state: next, call: recordedCall(state, key, figures, { time: state.time }) };
}

function figuresOf(tokens: z.infer<typeof Tokens>): UsageFigures {
  const cache_read = Math.min(tokens.cached_input_tokens, tokens.input_tokens);
  const cache_write = Math.min(tokens.cache_write_input_tokens, tokens.input_tokens - cache_read);
  return {
    input: tokens.input_tokens - cache_read - cache_write,
    output: tokens.output_tokens,
    cache_read,
    cache_write,
    thinking: Math.min(tokens.reasoning_output_tokens, tokens.output_tokens),
    cost_usd: 0,
  };
}

/**
 * What was used since the sum before. Without one (a fork that refers to another file begins with that file's sum) and after a
 * full context (the sum begins again), the row's own figures count.
 */
function used(before: UsageFigures | null, total: UsageFigures, last: UsageFigures): UsageFigures {
  if (before === null) return last;
  const difference = {
    input: total.input - before.input,
    output: total.output - before.output,
    cache_read: total.cache_read - before.cache_read,
    cache_write: total.cache_write - before.cache_write,
    thinking: Math.max(0, total.thinking - before.thinking),
    cost_usd: 0,
  };
  const { input, output, cache_read, cache_write } = difference;
  return Math.min(input, output, cache_read, cache_write) < 0 ? last : difference;
}
