// One session, as its owner writes it: the log, the queue, receipts, questions and the record. Every write of an owner belongs to
// one epoch; a store that several servers share refuses the writes of an earlier one. SQLite has one server: epoch 1, always granted.
import type { Question, QueueItem, Response } from "@patchbay/protocol";
import type { SessionLog } from "./session-log.ts";
import type { SessionRecord } from "./session-record.ts";

/** A prompt or compaction that was accepted and has not started yet. */
export interface QueuedTask extends QueueItem {
  /** The worker's command without type and id. */
  payload: Record<string, unknown>;
  /** The viewer that sent it, and the command's id; null: no response is expected. */
  viewer: string;
  command_id: string | null;
  /** The newest frame when the worker received it; null: it waits. */
  sent_seq: number | null;
  /** A program asked for it over HTTP and may ask for its turn. `content`: a digest of what it sent. */
  tracked?: { content: string } | undefined;
  /** A person had stopped the queue when this was saved: after a restart it does not start by itself. */
  held?: boolean | undefined;
}

/** A command whose effect must not be repeated, and its response. */
export interface SavedReceipt {
  viewer: string;
  id: string;
  response: Response;
}

export interface OwnedSession {
  /** Counts the owners that the session has had. */
  readonly epoch: number;
  openLog(): Promise<SessionLog>;
  update(change: Partial<Omit<SessionRecord, "id">>): Promise<void>;

  /** Adds or changes one task. A prompt waits for this before the worker receives it, so it writes nothing else. */
  saveTask(task: QueuedTask): Promise<void>;
  /** Replaces the queue with these tasks. The receipts are saved in the same transaction. */
  saveQueue(tasks: readonly QueuedTask[], receipts: readonly SavedReceipt[]): Promise<void>;
  loadQueue(): Promise<QueuedTask[]>;
  saveReceipt(receipt: SavedReceipt): Promise<void>;
  /** The newest `limit`, oldest first. */
  loadReceipts(limit: number): Promise<SavedReceipt[]>;
  saveQuestions(questions: readonly Question[]): Promise<void>;
  loadQuestions(): Promise<Question[]>;
}
