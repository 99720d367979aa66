// The transcript: what a session looks like after its frames so far. It is exactly what a snapshot
// carries, so a viewer that starts from a snapshot and one that saw every frame hold equal values.
import * as z from "zod/mini";
import { Permission } from "../approvals/permission.ts";
import { noUsage, Usage } from "../costs/usage.ts";
import { StopReason } from "../events/events.ts";
import { ContentBlock, Message, PersonCommand, ResultContent, ResultDetails } from "../events/message.ts";
import { Author } from "../people/author.ts";
import { emptyUiState, type UiState } from "./ui-state.ts";

/** A tool call of the step that is running. */
export const ToolRun = z.object({
  id: z.string(),
  name: z.string(),
  /** streaming: the model is still writing the arguments; called: it may run; done: it has a result. */
  state: z.enum(["streaming", "called", "done"]),
  args_text: z.string(),
  args: z.unknown(),
  /** The newest output so far; the oldest is forgotten beyond `outputLimit`. */
  output: z.string(),
  result: z.optional(z.array(ResultContent)),
  is_error: z.optional(z.boolean()),
  duration_ms: z.optional(z.number()),
  details: z.optional(ResultDetails),
});
export type ToolRun = z.infer<typeof ToolRun>;

/** A live terminal shows the end of its output; 256 KiB is some thousand lines of it. */
export const outputLimit = 256 * 1024;

/** The turn that is running. */
export const PartialTurn = z.object({
  step: z.number(),
  /** The assistant message under way; a tool call in it is a place holder for its ToolRun. */
  content: z.array(ContentBlock),
  tools: z.array(ToolRun),
  calls: z.number(),
  usage: Usage,
  stop: z.nullable(StopReason),
  error: z.nullable(z.string()),
  /** The time of the last message, for messages that the worker did not write itself. */
  time: z.string(),
  /** A person or a budget wants it to end. */
  stop_requested: z.optional(z.boolean()),
});
export type PartialTurn = z.infer<typeof PartialTurn>;

const mark = <T extends string>(kind: T) =>
  z.object({
    kind: z.literal(kind),
    /** How many messages stand before it. */
    at: z.number(),
  });

/** How a question to a person ended. */
export const QuestionEnd = z.enum(["viewer", "timeout", "worker_exit", "withdrawn", "refused", "permission"]);

/** What a reader sees between messages. */
export const Mark = z.discriminatedUnion("kind", [
  z.extend(mark("turn"), {
    /** interrupted: the worker died before the turn was over. */
    stop: z.union([StopReason, z.literal("interrupted")]),
    error: z.nullable(z.string()),
    calls: z.number(),
    usage: Usage,
    duration_ms: z.optional(z.number()),
    /** The model that was chosen when it ended, where the worker tells. */
    model: z.optional(z.string()),
    /** How full the context window was when it ended, where that is known. */
    context_tokens: z.optional(z.number()),
  }),
  /** Streamed content that the worker then dropped, as zot does when a tool call is aborted. */
  z.extend(mark("unkept"), { content: z.array(ContentBlock) }),
  z.extend(mark("error"), { message: z.string() }),
  z.extend(mark("compaction"), { summary: z.string(), kept: z.number(), by: z.optional(Author) }),
  z.extend(mark("notice"), {
    source: z.string(),
    level: z.string(),
    text: z.string(),
    /** How often it came in a row; absent: once. */
    count: z.optional(z.number()),
  }),
  /** A question to a person that is settled; the open ones travel with the session. */
  z.extend(mark("question"), {
    id: z.string(),
    method: z.string(),
    title: z.string(),
    /** As text; null: there was none. */
    answer: z.nullable(z.string()),
    by: QuestionEnd,
    /** Of an approval: the call that it was about, and whether that may run. */
    call_id: z.optional(z.string()),
    decision: z.optional(z.enum(["allowed", "denied"])),
    /** Why it was denied. */
    reason: z.optional(z.string()),
    answered_by: z.optional(Author),
    permission: z.optional(z.pick(Permission, { id: true, what: true, where: true })),
  }),
  /** A model call that failed in a way that may pass, and was tried again. */
  z.extend(mark("retry"), {
    attempt: z.number(),
    max_attempts: z.number(),
    delay_ms: z.number(),
    /** From when the delay is counted, where the worker says so. */
    time: z.optional(z.string()),
    error: z.string(),
    outcome: z.enum(["waiting", "succeeded", "failed"]),
  }),
  z.extend(mark("worker_exit"), {
    reason: z.string(),
    code: z.nullable(z.number()),
    signal: z.nullable(z.string()),
    stderr: z.string(),
    time: z.string(),
  }),
]);
export type Mark = z.infer<typeof Mark>;

/** A person's own command that is running, or waits for the end of the turn to become a message. */
export const BashRun = z.object({
  id: z.string(),
  command: z.string(),
  time: z.string(),
  /** While it runs the newest output, bounded like a tool's; then what is kept of it. */
  output: z.string(),
  /** Null while it runs. */
  ended: z.nullable(PersonCommand),
});
export type BashRun = z.infer<typeof BashRun>;

/**
 * One way the conversation went. All of them form a tree whose root is the one that is shown: another one
 * holds only what it does not share, so nothing is kept twice and walking to it swaps two ends.
 */
export const Branch = z.object({
  id: z.string(),
  /** How much of which other branch stands before what it holds itself; null: it is the one that is shown. */
  shares: z.nullable(z.object({ with: z.string(), messages: z.number(), marks: z.number() })),
  messages: z.array(Message),
  marks: z.array(Mark),
  context_tokens: z.nullable(z.number()),
  /** Which of the branches was left last: the highest. */
  left: z.number(),
  /** What the agent itself calls it, as reported when the branch was left. */
  agent_session: z.optional(z.string()),
});
export type Branch = z.infer<typeof Branch>;

/** Whose message the worker was given and has not shown yet. */
export const PendingAuthor = z.object({
  key: z.string(),
  by: Author,
  command: z.enum(["prompt", "compact"]),
});
export type PendingAuthor = z.infer<typeof PendingAuthor>;

/** The branch that every session begins with. */
export const firstBranch = "main";

export interface Transcript {
  messages: readonly Message[];
  marks: readonly Mark[];
  partial: PartialTurn | null;
  /** Of the whole session, cleared and compacted parts included. */
  usage: Usage;
  /** How full the context window is, as of the last model call; null when it is not known. */
  context_tokens: number | null;
  surface: UiState;
  /** A person's own commands that are not messages yet, in the order they were started. */
  bash: readonly BashRun[];
  /** The branch whose messages these are. */
  branch: string;
  /** All branches in the order they were made, this one included. */
  branches: readonly Branch[];
  /** Absent: none. */
  authors?: readonly PendingAuthor[] | undefined;
}

export const emptyTranscript: Transcript = {
  messages: [],
  marks: [],
  partial: null,
  usage: noUsage,
  context_tokens: null,
  surface: emptyUiState,
  bash: [],
  branch: firstBranch,
  branches: [{ id: firstBranch, shares: null, messages: [], marks: [], context_tokens: null, left: 0 }],
};
