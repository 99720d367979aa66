// Reads rows of Claude Code's session files. An answer has a row for each block, all with the same message id and each with
// the usage so far. A resumed session may begin with a copy of the one before, and a question asked aside copies the session
// with other request ids or none: the message's id alone tells a call.
import * as z from "zod/mini";
import { callKey, type RowReader, recordedCall } from "./recorded-call.ts";

const text = z.catch(z.string(), "");
const count = z.catch(z.number().check(z.nonnegative()), 0);
const Row = z.looseObject({ type: z.string(), timestamp: text, sessionId: text, cwd: text, gitBranch: text });
const UserRow = z.looseObject({
  isMeta: z.optional(z.boolean()),
  isSidechain: z.optional(z.boolean()),
  message: z.looseObject({ content: z.unknown() }),
});
const AssistantRow = z.looseObject({
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
        server_tool_use: z.catch(z.optional(z.looseObject({ web_search_requests: count })), undefined),
        speed: text,
        cache_creation: z.catch(z.optional(z.looseObject({ ephemeral_1h_input_tokens: count })), undefined),
      }),
    ),
  }),
});

/** The model of answers that the program wrote itself: an error, a limit that was reached. */
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
    const userRow = UserRow.safeParse(row).data;
    if (userRow === undefined) return null;
    return { state: isPrompt(userRow) ? { ...at, turn: at.turn + 1 } : at };
  }
  if (row.type !== "assistant") return { state: at };
  const assistantRow = AssistantRow.safeParse(row).data;
  if (assistantRow === undefined) return null;
  const { message, requestId, uuid, costUSD } = assistantRow;
  const { usage, model, id } = message;
  if (usage === undefined || model === ownModel) return { state: at };
  const searches = usage.server_tool_use?.web_search_requests ?? 0;
  const figures = {
    input: usage.input_tokens,
    output: usage.output_tokens,
    cache_read: usage.cache_read_input_tokens,
    cache_write: usage.cache_creation_input_tokens,
    cache_write_1h: usage.cache_creation?.ephemeral_1h_input_tokens ?? 0,
    thinking: 0,
    ...(usage.speed === "fast" ? { fast: true } : {}),
    ...(searches > 0 ? { searches } : {}),
    cost_usd: costUSD ?? 0,
  };
  if (figures.input + figures.output + figures.cache_read + figures.cache_write === 0) return { state: at };
  const call = recordedCall(at, callKey("claude", id || uuid), figures, { time: row.timestamp, model });
  // Earlier versions told calls by the request too, so that a copy without it was another call.
  const also = [...new Set([requestId, ""])].map((request) => callKey("claude", id || uuid, request));
  return { state: at, call: { ...call, also } };
};

/** Tool results and the prompts of subagents are `user` rows too. */
function isPrompt({ isMeta, isSidechain, message }: z.infer<typeof UserRow>): boolean {
  if (isMeta === true || isSidechain === true) return false;
  const { content } = message;
  if (typeof content === "string") return true;
  return Array.isArray(content) && !content.some((block) => Object(block)["type"] === "tool_result");
}
