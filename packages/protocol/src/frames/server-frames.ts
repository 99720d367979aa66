// Lines that the server itself writes to a viewer. The first group is numbered and part of the log;
// the second belongs to one socket or to the moment and carries no number.
import * as z from "zod/mini";
import { SessionInfo } from "../api/session.ts";
import { Permission } from "../approvals/permission.ts";
import { Usage } from "../costs/usage.ts";
import { Message } from "../events/message.ts";
import { Author } from "../people/author.ts";
import { BashRun, Branch, Mark, PartialTurn, PendingAuthor, QuestionEnd } from "../transcript/transcript.ts";
import { UiState } from "../transcript/ui-state.ts";

const line = <T extends string>(type: T) => z.looseObject({ type: z.literal(type) });
const Seq = z.number().check(z.int(), z.nonnegative());

// --- numbered -------------------------------------------------------------------------------------
export const WorkerFrame = z.extend(line("worker"), {
  event: z.enum(["starting", "ready", "exited"]),
  time: z.string(),
  pid: z.optional(z.number()),
  /** ready: whether the worker remembers the messages from before it started. */
  restored: z.optional(z.boolean()),
  code: z.optional(z.nullable(z.number())),
  signal: z.optional(z.nullable(z.string())),
  /** The last lines of its standard error. */
  stderr: z.optional(z.string()),
  /** Why it ended, for a person; absent when a person asked for it. */
  reason: z.optional(z.string()),
  /** exited: the server ended while it ran; written at the next start. */
  server_ended: z.optional(z.boolean()),
});
export type WorkerFrame = z.infer<typeof WorkerFrame>;

export const UiResolvedFrame = z.extend(line("ui_resolved"), {
  id: z.string(),
  time: z.string(),
  /** How the question ended. `refused`: it was too long, or one too many, to be shown; `permission`: a standing permission answered it. */
  by: QuestionEnd,
  value: z.optional(z.string()),
  confirmed: z.optional(z.boolean()),
  cancelled: z.optional(z.boolean()),
  reason: z.optional(z.string()),
  /** `viewer`: who it was. */
  answered_by: z.optional(Author),
  /** The standing permission that answered it, or that the answer created. */
  permission: z.optional(z.pick(Permission, { id: true, what: true, where: true })),
});
export type UiResolvedFrame = z.infer<typeof UiResolvedFrame>;

export const BudgetFrame = z.extend(line("budget"), {
  time: z.string(),
  /** For a person. */
  message: z.string(),
  /** `held`: a prompt that waits does not start; `waiting`: a model call waits until running calls are over; `alert`: see CostAlert. */
  event: z.optional(
    z.enum(["warned", "exceeded", "stopped", "held", "waiting", "granted", "changed", "alert"]),
  ),
  budget: z.optional(z.string()),
});
export type BudgetFrame = z.infer<typeof BudgetFrame>;

const estimate = {
  estimated: z.optional(z.number()),
  low_usd: z.optional(z.number()),
  high_usd: z.optional(z.number()),
};

/** A call cost something else than its frame says: a catalog, or the operator, knows better than its worker. */
export const PricedFrame = z.extend(line("priced"), {
  time: z.string(),
  /** The number of the usage frame. */
  frame: Seq,
  cost_usd: z.number().check(z.nonnegative()),
  /** Who says so, as in the ledger. */
  price: z.string(),
  /** What the frame says; absent: that its price is not known. */
  was: z.optional(z.object({ cost_usd: z.number(), unpriced: z.number(), ...estimate })),
  /** Where the cost is an estimate, because the call was cut. */
  ...estimate,
  /** The call wrote so many more tokens than the frame says, by the same estimate. */
  more_output: z.optional(z.number().check(z.nonnegative())),
  /** The frame's: a compaction belongs to no turn, unless one is running. */
  purpose: z.optional(z.string()),
});
export type PricedFrame = z.infer<typeof PricedFrame>;
/** A person or a budget asked the running turn to stop: however its agent reports the end, it was stopped. */
export const StopRequestedFrame = z.extend(line("stop_requested"), {
  time: z.string(),
  /** Absent: a budget, or a server without people. */
  by: z.optional(Author),
});
export type StopRequestedFrame = z.infer<typeof StopRequestedFrame>;

/** Whose message the worker is given next. Its own `user_message` follows, which names nobody. Only on a server with people. */
export const AuthoredFrame = z.extend(line("authored"), {
  time: z.string(),
  by: Author,
  command: z.enum(["prompt", "compact"]),
  /** Comes back in the `user_message`, where the worker knows keys. */
  key: z.string(),
});
export type AuthoredFrame = z.infer<typeof AuthoredFrame>;

/** The transcript was dropped by a `clear` command, which zot itself does not announce to other viewers. */
export const ClearedFrame = z.extend(line("cleared"), { time: z.string() });
export type ClearedFrame = z.infer<typeof ClearedFrame>;

/** How a turn stands that a program asked for over HTTP. It says for every kind of worker which frames are that turn's. */
export const TurnStateFrame = z.extend(line("turn_state"), {
  time: z.string(),
  /** The id that the program was given. The server keeps it, so a worker must not make it long. */
  turn: z.string().check(z.maxLength(100)),
  state: z.enum(["running", "done", "failed", "stopped", "interrupted"]),
  queued_at: z.string().check(z.maxLength(40)),
  /** When it has ended: the number of its prompt's frame; absent: the worker has not shown one. */
  prompt: z.optional(Seq),
  error: z.optional(z.string()),
});
export type TurnStateFrame = z.infer<typeof TurnStateFrame>;

/** Everything before it was read from another program's session file. */
export const ImportedFrame = z.extend(line("imported"), {
  time: z.string(),
  program: z.string(),
  /** The program's own id of the session. */
  agent_session: z.string(),
  messages: z.number(),
  /** Lines of the file that could not be read. */
  unreadable: z.number(),
});
export type ImportedFrame = z.infer<typeof ImportedFrame>;

export const ServerEvent = z.discriminatedUnion("type", [
  WorkerFrame,
  UiResolvedFrame,
  BudgetFrame,
  PricedFrame,
  ClearedFrame,
  StopRequestedFrame,
  AuthoredFrame,
  TurnStateFrame,
  ImportedFrame,
]);
export type ServerEvent = z.infer<typeof ServerEvent>;

// --- without a number -----------------------------------------------------------------------------
export const AttachedLine = z.extend(line("attached"), {
  session: SessionInfo,
  seq: Seq,
  verdict: z.enum(["replay", "snapshot"]),
});
export const SnapshotLine = z.extend(line("snapshot"), {
  seq: Seq,
  messages: z.array(Message),
  marks: z.array(Mark),
  partial: z.nullable(PartialTurn),
  usage: Usage,
  context_tokens: z.nullable(z.number()),
  surface: UiState,
  bash: z.array(BashRun),
  branch: z.string(),
  branches: z.array(Branch),
  authors: z.optional(z.readonly(z.array(PendingAuthor))),
});
export type SnapshotLine = z.infer<typeof SnapshotLine>;
export const CaughtUpLine = z.extend(line("caught_up"), { seq: Seq });
export const FramesLine = z.extend(line("frames"), {
  seq: Seq,
  count: z.number().check(z.int(), z.positive()),
  /** One delta follows, with the text of all `count` frames. Only for viewers that asked for it. */
  merged: z.optional(z.literal(true)),
  /** The line that follows refers to text that was streamed. Only for such viewers too. */
  streamed: z.optional(z.literal(true)),
});
export type FramesLine = z.infer<typeof FramesLine>;
export const SessionLine = z.extend(line("session"), { session: SessionInfo });
export const QueueItem = z.looseObject({
  id: z.string(),
  command: z.enum(["prompt", "compact"]),
  message: z.string(),
  /** How many images go with it. */
  images: z.number(),
  queued_at: z.string(),
  /** The message is longer than is shown here. */
  cut: z.optional(z.boolean()),
  /**
   * It was given to an agent that ended, and nothing shows whether it had begun. It does not run until `queue_retry` says so.
   */
  fate: z.optional(z.literal("unknown")),
  /** Whose it is, on a server with people. */
  by: z.optional(Author),
});
export type QueueItem = z.infer<typeof QueueItem>;
export const QueueLine = z.extend(line("queue"), { items: z.array(QueueItem) });
export const PresenceLine = z.extend(line("presence"), {
  viewers: z.number(),
  /** Who they are, on a server with people; nobody twice. */
  people: z.optional(z.array(Author)),
});

export const ServerLine = z.discriminatedUnion("type", [
  AttachedLine,
  SnapshotLine,
  CaughtUpLine,
  FramesLine,
  SessionLine,
  QueueLine,
  PresenceLine,
]);
export type ServerLine = z.infer<typeof ServerLine>;
