// Reads rows of pi's and omp's session files: a header, then entries that form a tree. Every answer has its costs. Answers on
// branches that a person left are counted too: they were paid for.
import * as z from "zod/mini";
import { piCallKey } from "../dialects/pi/wire/call-key.ts";
import { PiMessage, PiUsage } from "../dialects/pi/wire/schemas.ts";
import {
  callKey,
  type FileState,
  type RecordedCall,
  type RowReader,
  recordedCall,
  type UsageFigures,
} from "./recorded-call.ts";

const text = z.catch(z.string(), "");
const Row = z.looseObject({ type: z.string(), timestamp: text });
const Head = z.looseObject({ id: z.string(), cwd: text, timestamp: text });
const Entry = z.looseObject({ message: PiMessage });
/** omp's calls outside of the conversation: a title, a summary. */
const ModelUsage = z.looseObject({ id: text, provider: text, model: text, usage: PiUsage });

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
    case "model_usage": {
      const read = ModelUsage.safeParse(row).data;
      if (read === undefined) return null;
      const { usage, id, provider, model } = read;
      const key = callKey("omp", id, row.timestamp, provider, model, usage.input, usage.output);
      return withCall(at, key, usage, { time: row.timestamp, provider, model });
    }
    default:
      return { state: at };
  }
};

function readMessage(state: FileState, row: object): ReturnType<RowReader> {
  const message = Entry.safeParse(row).data?.message;
  if (message === undefined) return null;
  if (message.role === "user") return { state: { ...state, turn: state.turn + 1 } };
  if (message.role !== "assistant" || message.usage === undefined) return { state };
  const { provider = "", model = "" } = message;
  return withCall(state, piCallKey(message), message.usage, { time: state.time, provider, model });
}

function withCall(
  state: FileState,
  key: string,
  usage: z.infer<typeof PiUsage>,
  row: { time: string; provider: string; model: string },
): { state: FileState; call?: RecordedCall } {
  const { input, output, cacheRead, cacheWrite, cost, reasoning, reasoningTokens } = usage;
  if (input + output + cacheRead + cacheWrite === 0) return { state }; // refused: there was no call
  const figures: UsageFigures = {
    input,
    output,
    cache_read: cacheRead,
    cache_write: cacheWrite,
    thinking: reasoning ?? reasoningTokens ?? 0,
    cost_usd: cost?.total ?? 0,
  };
  return { state, call: recordedCall(state, key, figures, row) };
}
