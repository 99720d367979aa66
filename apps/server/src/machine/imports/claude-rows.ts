// Rows of Claude Code's session files. An answer is written in parts, a row for each block, all with the same message
// id and each with the usage so far; a resumed session may begin with a copy of the one before.
import * as z from "zod/mini";
import { callKey, type RowReader, toldCall } from "./recorded-call.ts";

const text = z.catch(z.string(), "");
const count = z.catch(z.number().check(z.nonnegative()), 0);
const Row = z.looseObject({ type: z.string(), timestamp: text, sessionId: text, cwd: text, gitBranch: text });
const Asked = z.looseObject({
  isMeta: z.optional(z.boolean()),
  isSidechain: z.optional(z.boolean()),
  message: z.looseObject({ content: z.unknown() }),
});
const Answer = z.looseObject({
  uuid: text,
  requestId: text,
  costUSD: z.optional(z.catch(z.number(), 0)),
  message: z.looseObject({
    id: text,
    model: text,
    usage: z.optional(
      z.looseObject({
        input_tokens: count,
        output_tokens: count,
        cache_read_input_tokens: count,
        cache_creation_input_tokens: count,
      }),
    ),
  }),
});

/** Answers that the program wrote itself: an error, a limit that was reached. */
const ownModel = "<synthetic>";

export const readClaudeRow: RowReader = (state, given) => {
  const row = Row.safeParse(given).data;
  if (row === undefined) return null;
  const at = {
    ...state,
    session: row.sessionId || state.session,
    cwd: row.cwd || state.cwd,
    branch: row.gitBranch || state.branch,
    time: row.timestamp || state.time,
    provider: "anthropic",
  };
  if (row.type === "user") {
    const asked = Asked.safeParse(row).data;
    if (asked === undefined) return null;
    return { state: isPrompt(asked) ? { ...at, turn: at.turn + 1 } : at };
  }
  if (row.type !== "assistant") return { state: at };
  const answer = Answer.safeParse(row).data;
  if (answer === undefined) return null;
  const { message, requestId, uuid, costUSD } = answer;
  const { usage, model, id } = message;
  if (usage === undefined || model === ownModel) return { state: at };
  const figures = {
    input: usage.input_tokens,
    output: usage.output_tokens,
    cache_read: usage.cache_read_input_tokens,
    cache_write: usage.cache_creation_input_tokens,
    thinking: 0,
    cost_usd: costUSD ?? 0,
  };
  if (figures.input + figures.output + figures.cache_read + figures.cache_write === 0) return { state: at };
  const key = callKey("claude", id || uuid, requestId);
  return { state: at, call: toldCall(at, key, figures, { time: row.timestamp, model }) };
};

/** Results of tools are `user` rows, too, and so are the prompts of its own helpers. */
function isPrompt({ isMeta, isSidechain, message }: z.infer<typeof Asked>): boolean {
  if (isMeta === true || isSidechain === true) return false;
  const { content } = message;
  if (typeof content === "string") return true;
  return Array.isArray(content) && !content.some((block) => Object(block)["type"] === "tool_result");
}
