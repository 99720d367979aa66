// The fields of pi's and omp's frames that are read here. All other fields may change without breaking us.
import * as z from "zod/mini";

const text = z.catch(z.string(), "");
/** Absent, or a string: a value of another type reads as empty, so that parsing never fails. */
const optionalText = z.optional(z.catch(z.string(), ""));
const count = z.catch(z.number().check(z.nonnegative()), 0);

export const PiUsage = z.object({
  input: count,
  output: count,
  cacheRead: count,
  cacheWrite: count,
  /** Of these, what the cache keeps for an hour. */
  cacheWrite1h: z.optional(count),
  cost: z.optional(z.catch(z.object({ total: z.optional(z.number()) }), {})),
  /** Output tokens that were thinking: pi's name and omp's. */
  reasoning: z.optional(count),
  reasoningTokens: z.optional(count),
});

const Block = z.looseObject({ type: z.string() });
export const PiMessage = z.looseObject({
  role: z.string(),
  content: z.catch(z.union([z.string(), z.array(Block)]), []),
  timestamp: z.optional(z.catch(z.number(), 0)),
  stopReason: optionalText,
  errorMessage: optionalText,
  provider: optionalText,
  model: optionalText,
  responseId: optionalText,
  usage: z.optional(z.catch(PiUsage, { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 })),
  toolCallId: optionalText,
  isError: z.optional(z.catch(z.boolean(), false)),
});
export type PiMessage = z.infer<typeof PiMessage>;

export const PiResponse = z.looseObject({
  type: z.literal("response"),
  id: z.optional(z.string()),
  command: text,
  success: z.boolean(),
  data: z.optional(z.unknown()),
  error: z.optional(z.unknown()),
});
export type PiResponse = z.infer<typeof PiResponse>;

export const PiModel = z.looseObject({
  id: z.string(),
  provider: z.string(),
  contextWindow: count,
  maxTokens: count,
  reasoning: z.catch(z.boolean(), false),
});
export type PiModel = z.infer<typeof PiModel>;

export const PiState = z.looseObject({
  model: z.optional(z.catch(z.nullable(PiModel), null)),
  thinkingLevel: optionalText,
  isStreaming: z.catch(z.boolean(), false),
  isCompacting: z.catch(z.boolean(), false),
  /** omp only. */
  isSettled: z.optional(z.boolean()),
  steeringMode: z.optional(z.string()),
  interruptMode: z.optional(z.string()),
  autoCompactionEnabled: z.optional(z.boolean()),
  sessionFile: z.optional(z.string()),
  sessionName: z.optional(z.string()),
  messageCount: count,
});
export type PiState = z.infer<typeof PiState>;

export const MessageFrame = z.object({ message: PiMessage });

/** The event inside a `message_update` that starts a tool call. pi ≥ 0.84 has its id and name here, the others in `partial`. */
export const CallStart = z.object({
  assistantMessageEvent: z.object({
    type: z.literal("toolcall_start"),
    contentIndex: z.number(),
    id: z.optional(z.string()),
    toolName: z.optional(z.string()),
    partial: z.optional(z.object({ content: z.array(z.unknown()) })),
  }),
});
export const CallBlock = z.looseObject({ id: z.string(), name: z.string() });

const Result = z.looseObject({
  content: z.catch(z.array(Block), []),
  details: z.optional(z.catch(z.record(z.string(), z.unknown()), {})),
});
export const ToolStart = z.object({ toolCallId: z.string(), toolName: text, args: z.unknown() });
export const ToolUpdate = z.object({ toolCallId: z.string(), partialResult: Result });
export const ToolEnd = z.object({
  toolCallId: z.string(),
  result: Result,
  isError: z.catch(z.boolean(), false),
  durationMs: z.optional(z.catch(z.number(), 0)),
});

export const AgentEnd = z.object({
  /** omp: no retry or compaction follows. */
  isTerminal: z.optional(z.catch(z.boolean(), true)),
  /** pi ≥ 1: a retry follows. */
  willRetry: z.optional(z.catch(z.boolean(), false)),
});
export const PromptResult = z.object({
  id: z.optional(z.string()),
  agentInvoked: z.catch(z.boolean(), true),
  error: z.optional(z.catch(z.object({ message: text }), { message: "" })),
});

export const RetryStart = z.object({
  attempt: count,
  maxAttempts: count,
  delayMs: count,
  errorMessage: text,
});
export const RetryEnd = z.object({
  success: z.catch(z.boolean(), false),
  attempt: count,
  finalError: optionalText,
});
export const CompactionStart = z.object({ reason: text });
export const CompactionEnd = z.object({
  reason: optionalText,
  aborted: z.catch(z.boolean(), false),
  willRetry: z.catch(z.boolean(), false),
  errorMessage: optionalText,
  result: z.optional(
    z.catch(
      z.nullable(
        z.object({
          summary: text,
          firstKeptEntryId: text,
          usage: z.optional(z.catch(z.optional(PiUsage), undefined)),
        }),
      ),
      null,
    ),
  ),
});

export const PiReady = z.object({ supportedProtocolVersions: z.catch(z.array(z.number()), []) });
export const BashUpdate = z.object({ id: text, delta: text });
export const BashResult = z.looseObject({
  output: text,
  exitCode: z.optional(z.catch(z.nullable(z.number()), null)),
  cancelled: z.catch(z.boolean(), false),
  truncated: z.catch(z.boolean(), false),
  fullOutputPath: optionalText,
});
export const Notice = z.object({ level: text, message: text, source: optionalText });
export const CommandOutput = z.object({ text });
export const Forked = z.looseObject({ text, cancelled: z.catch(z.boolean(), false) });
export const ForkMessages = z.object({ messages: z.array(z.object({ entryId: z.string(), text })) });
export const Models = z.object({ models: z.array(PiModel) });
export const Cycled = z.object({
  model: PiModel,
  thinkingLevel: optionalText,
  isScoped: z.catch(z.boolean(), false),
});
export const Messages = z.object({ messages: z.array(z.unknown()) });
export const Commands = z.object({
  commands: z.array(
    z.looseObject({
      name: z.string(),
      description: text,
      source: optionalText,
      input: z.optional(z.catch(z.object({ hint: z.optional(z.string()) }), {})),
    }),
  ),
});
