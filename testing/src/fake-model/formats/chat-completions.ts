// Chat Completions, in the three flavours that differ on the wire: OpenAI, DeepSeek, and servers
// that imitate OpenAI. Usage comes once, in a last chunk without choices, and only with
// stream_options.include_usage (DeepSeek always sends it, with the finish reason).
import { type Conversation, contentText, type Entry, field, follow, items, text } from "../call.ts";
import { dataEvent, errorSentence, type Format, type Piece } from "../format.ts";
import type { Answer, Tokens } from "../reply.ts";

type Flavour = "openai" | "deepseek" | "compatible";

const finishReasons = { end: "stop", tool_use: "tool_calls", length: "length" } as const;

const errorCodes: Readonly<Record<number, [type: string, code: string | null]>> = {
  400: ["invalid_request_error", null],
  401: ["invalid_request_error", "invalid_api_key"],
  404: ["invalid_request_error", "model_not_found"],
  429: ["requests", "rate_limit_exceeded"],
};

export const openaiError = (status: number) => {
  const [type, code] = errorCodes[status] ?? ["server_error", null];
  return { error: { message: errorSentence(status), type, param: null, code } };
};

/** DeepSeek has no price for writing to its cache: those tokens count as input. */
const reported = (flavour: Flavour, usage: Tokens): Tokens =>
  flavour === "deepseek" ? { ...usage, input: usage.input + usage.cache_write, cache_write: 0 } : usage;

function usageBody(flavour: Flavour, answer: Answer): Record<string, unknown> {
  const usage = reported(flavour, answer.usage);
  const prompt = usage.input + usage.cache_read + usage.cache_write;
  const reasoning = answer.thinking.length > 0 ? Math.floor(usage.output / 2) : 0;
  return {
    prompt_tokens: prompt,
    completion_tokens: usage.output,
    total_tokens: prompt + usage.output,
    prompt_tokens_details: {
      cached_tokens: usage.cache_read,
      // Only servers in between (OpenRouter and its like) report writes.
      ...(usage.cache_write > 0 ? { cache_write_tokens: usage.cache_write } : {}),
      ...(flavour === "openai" ? { audio_tokens: 0 } : {}),
    },
    completion_tokens_details: { reasoning_tokens: reasoning },
    ...(flavour === "deepseek"
      ? { prompt_cache_hit_tokens: usage.cache_read, prompt_cache_miss_tokens: usage.input }
      : {}),
  };
}

function write(flavour: Flavour) {
  return function* pieces(answer: Answer, body: unknown): Generator<Piece> {
    const asked = field(field(body, "stream_options"), "include_usage") === true;
    const inLast = flavour === "deepseek";
    const head = {
      id: `chatcmpl-${answer.serial}`,
      object: "chat.completion.chunk",
      created: 1_760_000_000 + answer.serial,
      model: answer.model,
      system_fingerprint: "fp_fake",
    };
    const chunk = (kind: Piece["kind"], delta: object, finish: string | null = null, more = {}): Piece => ({
      kind,
      bytes: dataEvent({
        ...head,
        choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
        ...(asked && !inLast ? { usage: null } : {}),
        ...more,
      }),
    });
    yield chunk("frame", { role: "assistant", content: answer.toolCalls.length > 0 ? null : "" });
    // OpenAI never sends reasoning here; the others send it as reasoning_content.
    if (flavour !== "openai") {
      for (const part of answer.thinking) yield chunk("delta", { content: null, reasoning_content: part });
    }
    for (const part of answer.text) yield chunk("delta", { content: part });
    for (const [index, tool] of answer.toolCalls.entries()) {
      const opening = {
        index,
        id: tool.id,
        type: "function",
        function: { name: tool.name, arguments: "" },
      };
      yield chunk("delta", { tool_calls: [opening] });
      for (const json of tool.argsChunks) {
        yield chunk("delta", { tool_calls: [{ index, function: { arguments: json } }] });
      }
    }
    const usage = usageBody(flavour, answer);
    const finish = chunk("end", {}, finishReasons[answer.stop], inLast ? { usage } : {});
    yield inLast ? { ...finish, usage: reported(flavour, answer.usage) } : finish;
    if (asked && !inLast) {
      yield {
        kind: "end",
        bytes: dataEvent({ ...head, choices: [], usage }),
        usage: reported(flavour, answer.usage),
      };
    }
    yield { kind: "end", bytes: "data: [DONE]\n\n" };
  };
}

function readConversation(body: unknown): Conversation {
  const entries = items(field(body, "messages")).flatMap((message): Entry[] => {
    const content = contentText(field(message, "content"));
    const role = field(message, "role");
    if (role === "user") return [{ user: content }];
    return role === "tool" ? [{ result: content }] : [];
  });
  const tools = items(field(body, "tools")).map((tool) => text(field(field(tool, "function"), "name")));
  return { ...follow(entries), tools };
}

export const chatCompletions = (flavour: Flavour): Format => ({
  contentType: "text/event-stream; charset=utf-8",
  readConversation,
  write: write(flavour),
  errorBody: (status) => JSON.stringify(openaiError(status)),
  streamError: dataEvent(openaiError(529)),
  malformed: 'data: {"id":"chatcmpl-broken","choices":[{"delta":\n\n',
});
