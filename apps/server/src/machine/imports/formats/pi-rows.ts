// Reads rows of pi's and omp's session files: a header, then entries that form a tree. Every answer has its costs. Answers on
// branches that a person left are counted too: they were paid for. Newer versions of pi also record the usage of summaries (of a
// compaction, of a branch that was left), of tools that ask a model, and of calls outside of the conversation. A summary without usage
// is a call of unknown cost.
import * as z from "zod/mini";
import { piCallKey, piSummaryKey } from "../../dialects/pi/wire/call-key.ts";
import { PiMessage, PiUsage } from "../../dialects/pi/wire/schemas.ts";
import {
  callKey,
  type FileState,
  noFigures,
  type RecordedCall,
  type RowReader,
  recordedCall,
  type UsageFigures,
} from "./recorded-call.ts";

const text = z.catch(z.string(), "");
const Row = z.looseObject({ type: z.string(), timestamp: text });
const Head = z.looseObject({ id: z.string(), cwd: text, timestamp: text });
const Entry = z.looseObject({ message: PiMessage });
/** Calls outside of the conversation: omp's `model_usage` (a title, a judgment), pi's `usage` (a cache that is kept warm). */
const ModelUsage = z.looseObject({ id: text, provider: text, model: text, usage: PiUsage });
const ModelChange = z.looseObject({ provider: text, modelId: text });
/** It does not name its model: the conversation's is assumed. Only pi ≥ 1 tells its usage. */
const Summary = z.looseObject({
  summary: text,
  firstKeptEntryId: text,
  fromId: text,
  usage: z.catch(z.optional(z.nullable(PiUsage)), null),
  /** Written by an extension, which may have asked no model: pi's name and omp's. */
  fromHook: z.catch(z.optional(z.boolean()), undefined),
  fromExtension: z.catch(z.optional(z.boolean()), undefined),
});

export const readPiRow: RowReader = (state, given) => {
  const row = Row.safeParse(given).data;
  if (row === undefined) return null;
  const at = row.timestamp === "" ? state : { ...state, time: row.timestamp };
  switch (row.type) {
    case "session": {
      const head = Head.safeParse(row).data;
      return head === undefined ? null : { state: { ...at, session: head.id, cwd: head.cwd } };
    }
    case "message":
      return readMessage(at, row);
    case "model_usage":
    case "usage": {
      const read = ModelUsage.safeParse(row).data;
      if (read === undefined) return null;
      const { usage, id, provider, model } = read;
      const key = callKey("omp", id, row.timestamp, provider, model, usage.input, usage.output);
      return withCall(at, key, usage, { time: row.timestamp, provider, model });
    }
    case "model_change": {
      const { provider = "", modelId = "" } = ModelChange.safeParse(row).data ?? {};
      return { state: modelId === "" ? at : { ...at, provider, model: modelId } };
    }
    case "compaction":
    case "branch_summary":
      return readSummary(at, row);
    default:
      return { state: at };
  }
};

function readMessage(state: FileState, row: object): ReturnType<RowReader> {
  const message = Entry.safeParse(row).data?.message;
  if (message === undefined) return null;
  if (message.role === "user") return { state: { ...state, turn: state.turn + 1 } };
  if (message.usage === undefined) return { state };
  if (message.role === "toolResult") {
    const { provider, model, time } = state;
    const key = callKey("pi tool", message.toolCallId ?? "", message.timestamp ?? 0);
    return withCall(state, key, message.usage, { time, provider, model });
  }
  if (message.role !== "assistant") return { state };
  const { provider = "", model = "" } = message;
  const at = model === "" ? state : { ...state, provider, model };
  return withCall(at, piCallKey(message), message.usage, { time: state.time, provider, model });
}

function readSummary(state: FileState, row: object): ReturnType<RowReader> {
  const read = Summary.safeParse(row).data;
  if (read === undefined) return null;
  const { summary, firstKeptEntryId, fromId, usage, fromHook, fromExtension } = read;
  if (summary === "") return { state };
  const { time, provider, model } = state;
  const key = piSummaryKey(summary, firstKeptEntryId || fromId);
  if (usage === null || usage === undefined) {
    if (fromHook === true || fromExtension === true) return { state };
    const call = recordedCall(state, key, noFigures, { time });
    return { state, call: { ...call, incomplete: true, maybeUnnamed: true } };
  }
  const result = withCall(state, key, usage, { time, provider, model });
  return result.call === undefined ? result : { state, call: { ...result.call, maybeUnnamed: true } };
}

function withCall(
  state: FileState,
  key: string,
  usage: z.infer<typeof PiUsage>,
  row: { time: string; provider: string; model: string },
): { state: FileState; call?: RecordedCall } {
  const { input, output, cacheRead, cacheWrite, cacheWrite1h, cost, reasoning, reasoningTokens } = usage;
  if (input + output + cacheRead + cacheWrite === 0) return { state }; // refused: there was no call
  const figures: UsageFigures = {
    input,
    output,
    cache_read: cacheRead,
    cache_write: cacheWrite,
    ...(cacheWrite1h === undefined || cacheWrite1h === 0 ? {} : { cache_write_1h: cacheWrite1h }),
    thinking: reasoning ?? reasoningTokens ?? 0,
    cost_usd: cost?.total ?? 0,
  };
  return { state, call: recordedCall(state, key, figures, row) };
}
