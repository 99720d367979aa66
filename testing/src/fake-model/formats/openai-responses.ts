// OpenAI's Responses stream: output items that open, stream and close, all events numbered, and the
// usage only in the last one.
import { type Conversation, contentText, type Entry, field, follow, items, text } from "../call.ts";
import { type Format, namedEvent, type Piece } from "../format.ts";
import type { Answer, ToolCall } from "../reply.ts";
import { openaiError } from "./chat-completions.ts";

type Event = [kind: Piece["kind"], data: { type: string; [key: string]: unknown }];

function* reasoningItem(answer: Answer, output_index: number): Generator<Event, object> {
  const item_id = `rs_${answer.serial}`;
  const at = { item_id, output_index, summary_index: 0 };
  const whole = answer.thinking.join("");
  const part = { type: "summary_text", text: whole };
  yield item("added", output_index, { id: item_id, type: "reasoning", summary: [] });
  yield [
    "frame",
    { type: "response.reasoning_summary_part.added", ...at, part: { type: "summary_text", text: "" } },
  ];
  for (const delta of answer.thinking)
    yield ["delta", { type: "response.reasoning_summary_text.delta", ...at, delta }];
  yield ["frame", { type: "response.reasoning_summary_text.done", ...at, text: whole }];
  yield ["frame", { type: "response.reasoning_summary_part.done", ...at, part }];
  const done = { id: item_id, type: "reasoning", summary: [part], encrypted_content: "ZW5jcnlwdGVk" };
  yield item("done", output_index, done);
  return done;
}

function* messageItem(answer: Answer, output_index: number): Generator<Event, object> {
  const item_id = `msg_${answer.serial}`;
  const at = { item_id, output_index, content_index: 0 };
  const message = { id: item_id, type: "message", role: "assistant" };
  const whole = answer.text.join("");
  const part = { type: "output_text", annotations: [], logprobs: [], text: whole };
  yield item("added", output_index, { ...message, status: "in_progress", content: [] });
  yield ["frame", { type: "response.content_part.added", ...at, part: { ...part, text: "" } }];
  for (const delta of answer.text)
    yield ["delta", { type: "response.output_text.delta", ...at, delta, logprobs: [] }];
  yield ["frame", { type: "response.output_text.done", ...at, text: whole, logprobs: [] }];
  yield ["frame", { type: "response.content_part.done", ...at, part }];
  const done = { ...message, status: "completed", content: [part] };
  yield item("done", output_index, done);
  return done;
}

function* functionCall(answer: Answer, tool: ToolCall, output_index: number): Generator<Event, object> {
  const item_id = `fc_${answer.serial}_${output_index}`;
  const at = { item_id, output_index };
  const call = { id: item_id, type: "function_call", call_id: tool.id, name: tool.name };
  const whole = tool.argsChunks.join("");
  yield item("added", output_index, { ...call, status: "in_progress", arguments: "" });
  for (const delta of tool.argsChunks)
    yield ["delta", { type: "response.function_call_arguments.delta", ...at, delta }];
  yield ["frame", { type: "response.function_call_arguments.done", ...at, arguments: whole }];
  const done = { ...call, status: "completed", arguments: whole };
  yield item("done", output_index, done);
  return done;
}

const item = (phase: "added" | "done", output_index: number, value: object): Event => [
  "frame",
  { type: `response.output_item.${phase}`, output_index, item: value },
];

function* events(answer: Answer): Generator<Event> {
  const response = {
    id: `resp_${answer.serial}`,
    object: "response",
    created_at: 1_760_000_000 + answer.serial,
    status: "in_progress",
    model: answer.model,
    error: null,
    incomplete_details: null,
    output: [],
    usage: null,
  };
  yield ["frame", { type: "response.created", response }];
  yield ["frame", { type: "response.in_progress", response }];
  const output: object[] = [];
  if (answer.thinking.length > 0) output.push(yield* reasoningItem(answer, output.length));
  if (answer.text.length > 0) output.push(yield* messageItem(answer, output.length));
  for (const tool of answer.toolCalls) output.push(yield* functionCall(answer, tool, output.length));
  const cut = answer.stop === "length";
  yield [
    "end",
    {
      type: cut ? "response.incomplete" : "response.completed",
      response: {
        ...response,
        status: cut ? "incomplete" : "completed",
        incomplete_details: cut ? { reason: "max_output_tokens" } : null,
        output,
        usage: usageBody(answer),
      },
    },
  ];
}

function usageBody({ usage, thinking }: Answer): Record<string, unknown> {
  const input_tokens = usage.input + usage.cache_read + usage.cache_write;
  return {
    input_tokens,
    input_tokens_details: {
      cached_tokens: usage.cache_read,
      ...(usage.cache_write > 0 ? { cache_write_tokens: usage.cache_write } : {}),
    },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: thinking.length > 0 ? Math.floor(usage.output / 2) : 0 },
    total_tokens: input_tokens + usage.output,
  };
}

function* write(answer: Answer): Generator<Piece> {
  let sequence_number = 0;
  for (const [kind, data] of events(answer)) {
    const bytes = namedEvent(data.type, { ...data, sequence_number: sequence_number++ });
    yield kind === "end" ? { kind, bytes, usage: answer.usage } : { kind, bytes };
  }
}

function readConversation(body: unknown): Conversation {
  const input = field(body, "input");
  const list = typeof input === "string" ? [{ role: "user", content: input }] : items(input);
  const entries = list.flatMap((entry): Entry[] => {
    if (field(entry, "type") === "function_call_output")
      return [{ result: contentText(field(entry, "output")) }];
    return field(entry, "role") === "user" ? [{ user: contentText(field(entry, "content")) }] : [];
  });
  return { ...follow(entries), tools: items(field(body, "tools")).map((tool) => text(field(tool, "name"))) };
}

export const openaiResponses: Format = {
  contentType: "text/event-stream; charset=utf-8",
  readConversation,
  write,
  errorBody: (status) => JSON.stringify(openaiError(status)),
  streamError: namedEvent("error", {
    type: "error",
    sequence_number: 0,
    code: "server_error",
    message: "Overloaded",
    param: null,
  }),
  malformed: 'event: response.output_text.delta\ndata: {"type":"response.output_text.delta",\n\n',
};
