// Anthropic's Messages stream. message_start has the input usage, message_delta the final output count: a cut call has reported its
// input and one token of output.
import { type Conversation, contentText, type Entry, field, follow, items, text } from "../call.ts";
import { errorSentence, type Format, namedEvent, type Piece } from "../format.ts";
import type { Answer } from "../reply.ts";

const stopReasons = { end: "end_turn", tool_use: "tool_use", length: "max_tokens" } as const;

const errorTypes: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  529: "overloaded_error",
};

/** What Claude Code adds of its own to messages, also to those that have only results. */
const reminders = /<system-reminder>.*?<\/system-reminder>/gs;

const errorOf = (status: number) => ({
  type: "error",
  error: { type: errorTypes[status] ?? "api_error", message: errorSentence(status) },
  request_id: "req_fake",
});

const event = (kind: Piece["kind"], data: { type: string; [key: string]: unknown }): Piece => ({
  kind,
  bytes: namedEvent(data.type, data),
});

function* block(
  index: number,
  start: Record<string, unknown>,
  deltas: Record<string, unknown>[],
): Generator<Piece> {
  yield event("frame", { type: "content_block_start", index, content_block: start });
  for (const delta of deltas) yield event("delta", { type: "content_block_delta", index, delta });
  yield event("frame", { type: "content_block_stop", index });
}

function* write(answer: Answer): Generator<Piece> {
  const { usage } = answer;
  const opening = { ...usage, output: Math.min(1, usage.output) };
  const input = {
    input_tokens: usage.input,
    cache_creation_input_tokens: usage.cache_write,
    cache_read_input_tokens: usage.cache_read,
  };
  const start = event("frame", {
    type: "message_start",
    message: {
      id: `msg_${answer.serial}`,
      type: "message",
      role: "assistant",
      model: answer.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: {
        ...input,
        cache_creation: { ephemeral_5m_input_tokens: usage.cache_write, ephemeral_1h_input_tokens: 0 },
        output_tokens: opening.output,
        service_tier: "standard",
      },
    },
  });
  yield { ...start, usage: opening };
  yield event("frame", { type: "ping" });
  let index = 0;
  if (answer.thinking.length > 0) {
    const deltas = answer.thinking.map((thinking) => ({ type: "thinking_delta", thinking }));
    const signature = { type: "signature_delta", signature: `signature-${answer.serial}` };
    yield* block(index++, { type: "thinking", thinking: "", signature: "" }, [...deltas, signature]);
  }
  if (answer.text.length > 0) {
    const deltas = answer.text.map((part) => ({ type: "text_delta", text: part }));
    yield* block(index++, { type: "text", text: "" }, deltas);
  }
  for (const tool of answer.toolCalls) {
    const deltas = ["", ...tool.argsChunks].map((json) => ({ type: "input_json_delta", partial_json: json }));
    yield* block(index++, { type: "tool_use", id: tool.id, name: tool.name, input: {} }, deltas);
  }
  const delta = event("end", {
    type: "message_delta",
    delta: { stop_reason: stopReasons[answer.stop], stop_sequence: null },
    usage: {
      ...input,
      output_tokens: usage.output,
      ...(answer.thinking.length > 0
        ? { output_tokens_details: { thinking_tokens: Math.floor(usage.output / 2) } }
        : {}),
    },
  });
  yield { ...delta, usage };
  yield event("end", { type: "message_stop" });
}

function readConversation(body: unknown): Conversation {
  const entries = items(field(body, "messages")).flatMap((message): Entry[] => {
    if (field(message, "role") !== "user") return [];
    const content = field(message, "content");
    const results = items(content).filter((part) => field(part, "type") === "tool_result");
    if (results.length === 0) return [{ user: contentText(content) }];
    // Claude Code puts the prompt after a stopped turn into the message with the results of that turn.
    const prompt = contentText(content).replaceAll(reminders, "").trim();
    return [
      ...results.map((part) => ({ result: contentText(field(part, "content")) })),
      ...(prompt === "" ? [] : [{ user: prompt }]),
    ];
  });
  return { ...follow(entries), tools: items(field(body, "tools")).map((tool) => text(field(tool, "name"))) };
}

export const anthropic: Format = {
  contentType: "text/event-stream; charset=utf-8",
  readConversation,
  write,
  errorBody: (status) => JSON.stringify(errorOf(status)),
  streamError: namedEvent("error", errorOf(529)),
  malformed: "event: content_block_delta\ndata: this is not JSON\n\n",
};
