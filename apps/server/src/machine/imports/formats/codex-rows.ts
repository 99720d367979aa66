// Reads rows of Codex's rollout files: `session_meta`, `turn_context`, `response_item`, and `event_msg` with `token_count`, which has
// the sum of the session so far. A call is the difference of two sums. The same sum is written again when only the rate limits
// changed. A fork copies the rows before it with new times, or refers to the other file, and continues the sums: a call is told by
// the turn and the sum.
import type { PlanLimitsTold } from "@patchbay/protocol";
import * as z from "zod/mini";
import { codexLimits } from "../../plans/told-limits.ts";
import {
  callKey,
  type FileState,
  noFigures,
  type RowReader,
  recordedCall,
  type UsageFigures,
} from "./recorded-call.ts";

const text = z.catch(z.string(), "");
const count = z.catch(z.number().check(z.nonnegative()), 0);
const Row = z.looseObject({ type: z.string(), timestamp: text, payload: z.looseObject({}) });
const Meta = z.looseObject({
  id: z.string(),
  cwd: text,
  model_provider: text,
  forked_from_id: text,
  git: z.catch(z.optional(z.nullable(z.looseObject({ branch: text }))), null),
});
const TurnContext = z.looseObject({ model: text, cwd: text, turn_id: text });
const ResponseItem = z.looseObject({ type: text, role: text });
/** Written by OpenAI's own endpoint it has no text, and its usage is not recorded. Other summaries are calls with a sum. */
const Compacted = z.looseObject({ message: text });
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
      const { id, cwd, model_provider, forked_from_id, git } = meta;
      const head = {
        session: id,
        origin: id,
        cwd,
        branch: git?.branch ?? "",
        is_fork: forked_from_id !== "",
      };
      return { state: { ...at, ...head, provider: model_provider || "openai" } };
    }
    case "turn_context": {
      const context = TurnContext.safeParse(row.payload).data;
      if (context === undefined) return null;
      const { model, cwd, turn_id } = context;
      const known = { model: model || at.model, cwd: cwd || at.cwd, turn_id: turn_id || at.turn_id };
      return { state: { ...at, ...known } };
    }
    case "response_item":
      return { state: isAnswer(row.payload) ? { ...at, answered: true } : at };
    case "compacted": {
      if (Compacted.parse(row.payload).message !== "") return { state: at };
      const key = callKey("codex compaction", ...turnOf(at), ...Object.values(at.total ?? {}));
      return {
        state: at,
        call: { ...recordedCall(at, key, noFigures, { time: at.time }), incomplete: true },
      };
    }
    case "event_msg":
      return readEvent(at, row.payload);
    default:
      return { state: at };
  }
};

function isAnswer(payload: object): boolean {
  const { type, role } = ResponseItem.parse(payload);
  return type === "message" ? role === "assistant" : type === "reasoning" || type.endsWith("_call");
}

/** The id of a turn is the same in all copies. Earlier versions count turns, or have no ids: then the session tells them apart. */
const turnOf = ({ origin = "", turn_id = "" }: FileState): [string, string] =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-/i.test(turn_id) ? ["", turn_id] : [origin, turn_id];

function readEvent(state: FileState, payload: object): ReturnType<RowReader> {
  const event = Event.safeParse(payload).data;
  switch (event?.type) {
    case undefined:
      return null;
    case "task_started":
    case "turn_started":
      return event.turn_id === ""
        ? { state }
        : { state: { ...state, turn: state.turn + 1, turn_id: event.turn_id, answered: false } };
    case "user_message": // of versions that give turns no id
      return { state: state.turn_id === undefined ? { ...state, turn: state.turn + 1 } : state };
    case "token_count": {
      const read = readTokenCount(state, payload);
      const limits = limitsOf(state, payload);
      return read === null || limits === undefined ? read : { ...read, limits };
    }
    default:
      return { state };
  }
}

function limitsOf({ time }: FileState, payload: object): PlanLimitsTold | undefined {
  const told = "rate_limits" in payload ? codexLimits(payload.rate_limits, time) : null;
  return told === null || time === "" ? undefined : { time, ...told };
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
  // A fork that refers to another file may repeat that file's last sum before its first answer: when its first call is refused, say.
  if (state.total === null && state.is_fork === true && state.answered !== true) return { state: next };
  if (figures.input + figures.output + figures.cache_read + figures.cache_write === 0) return { state: next };
  const key = callKey("codex", ...turnOf(state), ...Object.values(total));
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
