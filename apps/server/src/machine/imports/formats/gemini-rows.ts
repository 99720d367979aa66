// Reads rows of Gemini CLI's session files. A `.jsonl` file has a head, messages (again in full whenever they change), changes of
// the head (`$set`) and rewinds; a `.json` file of earlier versions is the whole conversation as one value, and is copied to a `.jsonl`
// file when its session is resumed. A message keeps its id in all of them, and an answer has the tokens of its call.
import * as z from "zod/mini";
import { callKey, type RowReader, recordedCall } from "./recorded-call.ts";

const text = z.catch(z.string(), "");
const count = z.catch(z.number().check(z.nonnegative()), 0);
const Head = z.looseObject({ sessionId: z.string(), startTime: text, lastUpdated: text });
const Message = z.looseObject({
  id: z.string(),
  type: z.string(),
  timestamp: text,
  model: text,
  tokens: z.catch(
    z.optional(
      z.nullable(
        /** `input` contains the cached tokens. Thoughts and the tokens of tools are counted apart. */
        z.looseObject({ input: count, output: count, cached: count, thoughts: count, tool: count }),
      ),
    ),
    null,
  ),
});
const Change = z.looseObject({ $set: z.looseObject({}) });
const Rewind = z.looseObject({ $rewindTo: z.string() });

export const readGeminiRow: RowReader = (state, given) => {
  if (Change.safeParse(given).success || Rewind.safeParse(given).success) return { state };
  const head = Head.safeParse(given).data;
  if (head !== undefined)
    return {
      state: { ...state, session: head.sessionId, provider: "google", time: head.startTime || state.time },
    };
  const message = Message.safeParse(given).data;
  if (message === undefined) return null;
  const at = { ...state, time: message.timestamp || state.time };
  if (message.type === "user") return { state: { ...at, turn: at.turn + 1 } };
  const { tokens, model } = message;
  if (message.type !== "gemini" || tokens === null || tokens === undefined) return { state: at };
  const cache_read = Math.min(tokens.cached, tokens.input);
  const figures = {
    input: tokens.input - cache_read + tokens.tool,
    output: tokens.output + tokens.thoughts,
    cache_read,
    cache_write: 0,
    thinking: tokens.thoughts,
    cost_usd: 0,
  };
  if (figures.input + figures.output + figures.cache_read === 0) return { state: at };
  const row = { time: message.timestamp, model: model || at.model };
  return {
    state: { ...at, model: row.model },
    call: recordedCall(at, callKey("gemini", message.id), figures, row),
  };
};

const Whole = z.looseObject({ messages: z.array(z.looseObject({})) });

/** A whole conversation stands for its head and each of its messages. A checkpoint (`$set`) repeats what the file already has. */
export function expandGeminiRow(row: object): object[] {
  const messages = Whole.safeParse(row).data?.messages;
  return messages === undefined ? [row] : [row, ...messages];
}
