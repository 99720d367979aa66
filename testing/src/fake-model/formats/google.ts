// Gemini's streamGenerateContent with alt=sse: every chunk is a whole response with the usage so far, and the candidate's count grows
// with the chunks. A tool call is in one chunk.
import { type Conversation, type Entry, field, follow, items, text } from "../call.ts";
import { dataEvent, errorSentence, type Format, type Piece } from "../format.ts";
import type { Answer, Tokens } from "../reply.ts";

const statusNames: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  503: "UNAVAILABLE",
};

const errorOf = (status: number) => ({
  error: { code: status, message: errorSentence(status), status: statusNames[status] ?? "INTERNAL" },
});

/** Google's encoder escapes these, and its client cannot read the last two unescaped. */
const escaped = (data: unknown): string =>
  dataEvent(data).replaceAll(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

function partsOf(answer: Answer): Record<string, unknown>[] {
  return [
    ...answer.thinking.map((part) => ({ text: part, thought: true })),
    ...answer.text.map((part) => ({ text: part })),
    ...answer.toolCalls.map((tool, index) => ({
      functionCall: { id: tool.id, name: tool.name, args: tool.args },
      // Only the first call of an answer is signed.
      ...(index === 0 && answer.thinking.length > 0 ? { thoughtSignature: "c2lnbmF0dXJl" } : {}),
    })),
  ];
}

function* write(answer: Answer): Generator<Piece> {
  // Gemini's implicit cache has no writes: those tokens are plain input.
  const total: Tokens = {
    ...answer.usage,
    input: answer.usage.input + answer.usage.cache_write,
    cache_write: 0,
  };
  const parts = partsOf(answer);
  const chunk = (part: Record<string, unknown>, share: number, finish?: string): string => {
    const output = Math.floor(total.output * share);
    const thoughts = answer.thinking.length > 0 ? Math.floor(output / 2) : 0;
    const prompt = total.input + total.cache_read;
    return escaped({
      candidates: [
        {
          content: { parts: [part], role: "model" },
          ...(finish === undefined ? {} : { finishReason: finish }),
          index: 0,
        },
      ],
      usageMetadata: {
        promptTokenCount: prompt,
        candidatesTokenCount: output - thoughts,
        totalTokenCount: prompt + output,
        ...(total.cache_read > 0 ? { cachedContentTokenCount: total.cache_read } : {}),
        promptTokensDetails: [{ modality: "TEXT", tokenCount: prompt }],
        ...(thoughts > 0 ? { thoughtsTokenCount: thoughts } : {}),
      },
      modelVersion: answer.model,
      responseId: `response-${answer.serial}`,
    });
  };
  for (const [index, part] of parts.entries()) {
    const share = index / Math.max(1, parts.length);
    yield {
      kind: "delta",
      bytes: chunk(part, share),
      usage: { ...total, output: Math.floor(total.output * share) },
    };
  }
  const finish = answer.stop === "length" ? "MAX_TOKENS" : "STOP";
  yield { kind: "end", bytes: chunk({ text: "" }, 1, finish), usage: total };
}

function readConversation(body: unknown): Conversation {
  const entries = items(field(body, "contents")).flatMap((content): Entry[] => {
    if (field(content, "role") === "model") return [];
    const parts = items(field(content, "parts"));
    const results = parts.flatMap((part) => {
      const response = field(field(part, "functionResponse"), "response");
      return response === undefined
        ? []
        : [{ result: text(field(response, "output")) || text(field(response, "error")) }];
    });
    const userText = parts.map((part) => text(field(part, "text"))).join("");
    // After an aborted turn, its results and the next prompt are one entry.
    return results.length > 0 && userText === "" ? results : [...results, { user: userText }];
  });
  const tools = items(field(body, "tools")).flatMap((tool) =>
    items(field(tool, "functionDeclarations")).map((declared) => text(field(declared, "name"))),
  );
  return { ...follow(entries), tools };
}

export const google: Format = {
  contentType: "text/event-stream",
  readConversation,
  write,
  errorBody: (status) => JSON.stringify(errorOf(status)),
  streamError: dataEvent(errorOf(503)),
  malformed: 'data: {"candidates": [{"content":\n\n',
};
