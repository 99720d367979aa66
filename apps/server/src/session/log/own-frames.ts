// Frames of the server's own: numbered and folded like any other.
import type { Frame, UiRequestEvent, WorkerFrame } from "@patchbay/protocol";
import type { SaidReader } from "../../projections/search-text.ts";
import type { SessionRecord, Store } from "../../store/store.ts";
import type { Journal } from "./journal.ts";
import type { LiveTranscript } from "./live-transcript.ts";

export interface Book {
  journal: Journal;
  transcript: LiveTranscript;
  /** Goes on reading what is said. */
  said: SaidReader;
}

export function appendOwn({ journal, transcript }: Omit<Book, "said">, event: Frame): void {
  transcript.frame(event);
  journal.append(Buffer.from(`${JSON.stringify(event)}\n`), 1);
}

/** A question of the server's own counts like one of a worker's: it is interpreted, then written, then shown. */
export function sayOwn(
  { journal }: Pick<Book, "journal">,
  question: UiRequestEvent,
  interpret: (frame: Frame, seq: number) => void,
): void {
  interpret(question, journal.seq + 1);
  journal.append(Buffer.from(`${JSON.stringify(question)}\n`), 1);
}

/**
 * What a killed server left open is closed: its worker is gone, and so are the worker's questions. The frame that says
 * so is the newest then; null when nothing was left open.
 */
export async function mendAfterCrash(
  book: Book,
  store: Store,
  record: SessionRecord,
): Promise<WorkerFrame | null> {
  const time = new Date().toISOString();
  const questions = await store.loadQuestions(record.id);
  for (const { id } of questions)
    appendOwn(book, { type: "ui_resolved", id, time, by: "worker_exit", cancelled: true });
  if (questions.length > 0) await store.saveQuestions(record.id, []);
  if (record.process === null) return null;
  const reason = "The server ended while this agent was running. Send a prompt to start it again.";
  const exited: WorkerFrame = { type: "worker", event: "exited", time, code: null, signal: null, reason };
  appendOwn(book, exited);
  await book.journal.flushed();
  await store.updateSession(record.id, { process: null });
  return exited;
}

export const now = (): string => new Date().toISOString();
