// Opens a session from the store: folds its log, repairs what a crash left unfinished, and catches the ledger and the
// search index up with the log.
import { setImmediate as nextTurn } from "node:timers/promises";
import {
  addUsage,
  type Frame,
  linesOf,
  noUsage,
  type PricedFrame,
  readFrame,
  readTime,
  type UsageEvent,
} from "@patchbay/protocol";
import type { Prices } from "../costs/prices/prices.ts";
import type { MachineDirectories } from "../machine/machine.ts";
import { CallTracker, type Charge } from "../projections/call-tracker.ts";
import { ledgerEntry, pricedFrame, usageOf } from "../projections/ledger-entry.ts";
import { PendingAuthors } from "../projections/pending-authors.ts";
import { type PendingText, readAnswers, SearchTextReader } from "../projections/search-text.ts";
import type { OpenedProjections } from "../projections/session-projections.ts";
import type { ReadLog } from "../projections/unsettled-answer.ts";
import type { LedgerEntry } from "../store/ledger-types.ts";
import type { OwnedSession, QueuedTask, SavedReceipt } from "../store/owned-session.ts";
import type { SearchText } from "../store/search.ts";
import type { SessionRecord } from "../store/session-record.ts";
import { Journal } from "./log/journal.ts";
import { LiveTranscript } from "./log/live-transcript.ts";
import { sortRun } from "./log/sort-run.ts";
import { maxReceipts } from "./record/command-receipts.ts";
import { promptReceipt } from "./record/prompt-receipt.ts";
import type { SessionDependencies } from "./session-dependencies.ts";
import { TurnStates } from "./turns/turn-states.ts";

export interface LoadedSession extends OpenedProjections {
  owned: OwnedSession;
  journal: Journal;
  /** Subscribed to the journal. */
  transcript: LiveTranscript;
  /** Subscribed to the journal. */
  turnStates: TurnStates;
  queue: QueuedTask[];
  receipts: SavedReceipt[];
}

export async function loadSession(
  {
    store,
    prices,
    budgets,
    machine,
    log: logger,
  }: Pick<SessionDependencies, "store" | "prices" | "budgets" | "machine" | "log">,
  record: SessionRecord,
): Promise<LoadedSession> {
  if (record.process !== null) await machine.endLeftBehind(record.process);
  const owned = await store.claim(record.id);
  const log = await owned.openLog();
  const journal = new Journal(log, (err) =>
    logger.error({ session: record.id, err }, "what follows frames failed"),
  );
  let isReading = true;
  const transcript = new LiveTranscript({
    seq: () => (isReading ? 0 : journal.seq),
    read: (after, maxBytes) => journal.readCommitted(after, maxBytes),
  });
  const known = {
    recorded: await store.ledgerPosition(record.id),
    indexed: await store.indexedUpTo(record.id),
  };
  const turnStates = new TurnStates(journal);
  const folds = { transcript, turnStates };
  const history = new HistoryReader(record, known, prices, machine.directories, folds);
  const read: ReadLog = (after, maxBytes) => log.read(after, maxBytes);
  for await (const piece of log.history()) {
    if (piece.seq === null) await history.settled(piece.bytes, piece.from);
    else history.raw(piece.bytes, piece.seq);
    await history.readPending(read);
  }
  isReading = false;
  journal.subscribe(transcript);
  journal.subscribe(turnStates);
  const unsubscribe = journal.subscribe(history);
  const interrupted = history.ended();
  if (interrupted !== null) journal.appendOwn(interrupted);
  for (const entry of history.entries) budgets.spend(entry);
  await store.record(history.entries);
  const newest = history.entries.at(-1);
  if (newest !== undefined) budgets.written(newest.session, newest.seq);
  for (const priced of history.priced) if (!history.shownPrices.has(priced.frame)) journal.appendOwn(priced);
  const { tasks, receipts } = await repairQueue(owned, history, turnStates);
  await repairAfterCrash(journal, owned, record, transcript);
  turnStates.repair();
  unsubscribe();
  await history.readPending(read);
  await store.index([{ session: record.id, ...history.update, upTo: log.seq }]);
  return {
    owned,
    journal,
    transcript,
    turnStates,
    searchText: history.searchText,
    queue: tasks,
    wasHeld: history.wasHeld,
    receipts,
    newUsage: history.entries.map(usageOf).reduce(addUsage, noUsage),
    turn: history.turn,
    causedBy: history.causedBy,
  };
}

/** A settled file holds whole turns and may be large: after so much of it, the event loop gets a turn. */
const pauseBytes = 1024 * 1024;

/** Reads the log: feeds the transcript, and collects what the ledger, the search index and the queue need. */
class HistoryReader {
  readonly entries: LedgerEntry[] = [];
  /** Frames that show viewers the prices of the entries. */
  readonly priced: PricedFrame[] = [];
  /** The numbers of usage frames whose price is in the log. */
  readonly shownPrices = new Set<number>();
  /** The model call that was running when the server died is in it. */
  readonly #calls = new CallTracker();
  /** The number of the newest prompt's frame. */
  turn = 0;
  /** The person who sent it. */
  causedBy: string | undefined;
  readonly #authors = new PendingAuthors();
  /** According to the log, a budget holds the queue. */
  wasHeld = false;
  /** The numbers of the newest frames that show that a task had started. */
  lastStart = { prompt: 0, compact: 0 };
  /** The keys that the worker returned in prompts and steering. */
  readonly keys = new Set<string>();
  readonly searchText: SearchTextReader;
  /** What the search index does not have yet. */
  readonly update: { texts: SearchText[]; forgetBefore: number | undefined } = {
    texts: [],
    forgetBefore: undefined,
  };
  /** Moved to `update` once its answers are read. */
  #pending: PendingText[] = [];
  readonly #record: SessionRecord;
  readonly #recorded: number;
  readonly #indexed: number;
  readonly #prices: Prices;
  readonly #directories: Pick<MachineDirectories, "branch">;
  readonly #transcript: LiveTranscript;
  readonly #turnStates: TurnStates;
  #time: string;
  /** The current branch: the log does not record earlier ones. */
  #branch: string | undefined;

  constructor(
    record: SessionRecord,
    { recorded, indexed }: { recorded: number; indexed: number },
    prices: Prices,
    directories: Pick<MachineDirectories, "branch">,
    { transcript, turnStates }: Pick<LoadedSession, "transcript" | "turnStates">,
  ) {
    this.#turnStates = turnStates;
    this.#record = record;
    this.#recorded = recorded;
    this.#indexed = indexed;
    this.#prices = prices;
    this.#directories = directories;
    this.searchText = new SearchTextReader(record.created_at);
    this.#transcript = transcript;
    this.#time = record.updated_at;
  }

  /** Deltas in a settled file belong to answers that never became a message. */
  async settled(bytes: Uint8Array, from: number): Promise<void> {
    const decoder = new TextDecoder();
    // Settled frames have lost their numbers. Counting from the first keeps them in order and below what follows.
    let seq = from;
    let untilPause = pauseBytes;
    for (const line of linesOf(bytes)) {
      untilPause -= line.length;
      if (untilPause < 0) {
        await nextTurn();
        untilPause = pauseBytes;
      }
      const reading = readFrame(decoder.decode(line));
      if (reading.kind === "frame") {
        this.#transcript.frame(reading.frame);
        this.#turnStates.frame(reading.frame, seq);
        this.#noteHeld(reading.frame);
        this.#noteText(reading.frame, seq, false);
      }
      seq++;
    }
  }

  raw(bytes: Uint8Array, first: number): void {
    let seq = first;
    sortRun(bytes, {
      segment: (_bytes, count, items) => {
        for (const item of items) {
          if (item.kind === "frame") {
            this.#transcript.frame(item.frame);
            this.#turnStates.frame(item.frame, seq + item.index);
            this.frame(item.frame, seq + item.index);
          } else {
            this.#transcript.deltas(seq + item.index - 1, item.count);
            this.searchText.deltas(seq + item.index - 1);
            this.#calls.streamed(item.answerBytes);
          }
        }
        seq += count;
      },
      response: () => {},
      noise: () => {}, // was reported when it was written
    });
  }

  /** Reads answers that only deltas hold. Called after each piece of the log, so that they are not all held at once. */
  async readPending(read: ReadLog): Promise<void> {
    for (const text of await readAnswers(this.#pending, read)) this.update.texts.push(text);
    this.#pending = [];
  }

  #noteText(frame: Frame, seq: number, inLog = true): void {
    const texts = this.searchText.read(frame, seq, inLog);
    if (seq <= this.#indexed) return;
    if (frame.type === "cleared") {
      this.update.texts.length = 0;
      this.#pending = [];
      this.update.forgetBefore = seq;
    } else this.#pending.push(...texts);
  }

  #noteHeld(frame: Frame): void {
    if (frame.type === "budget" && frame.event === "held") this.wasHeld = true;
    else if (frame.type === "user_message" || frame.type === "compact_done") this.wasHeld = false;
  }

  /** Charges what was held, and returns the usage of the call that was running. */
  ended(): UsageEvent | null {
    const { usage, charges } = this.#calls.ended();
    this.#charge(charges);
    return usage;
  }

  #charge(charges: readonly Charge[]): void {
    for (const { usage, seq, reported } of charges) {
      if (usage.imported === true || seq <= this.#recorded) continue;
      this.#branch ??= this.#directories.branch(this.#record.cwd) ?? "";
      const then = { time: this.#time, turn: this.turn, branch: this.#branch, causedBy: this.causedBy };
      const entry = ledgerEntry(usage, seq, this.#record, then, this.#prices);
      const priced = pricedFrame(reported, entry);
      this.entries.push(entry);
      if (priced !== null) this.priced.push(priced);
    }
  }

  frame(frame: Frame, seq: number): void {
    this.#charge(this.#calls.frame(frame, seq));
    this.#calls.unreported(frame);
    this.#noteHeld(frame);
    this.#noteText(frame, seq);
    if ("time" in frame && typeof frame.time === "string" && readTime(frame.time) !== null)
      this.#time = frame.time;
    const author = this.#authors.frame(frame);
    if (frame.type === "user_message") {
      if (frame.steering !== true) {
        this.turn = seq;
        this.causedBy = author?.person;
      }
      if (frame.key !== undefined) this.keys.add(frame.key);
      else if (frame.steering !== true) this.lastStart.prompt = seq;
    }
    if (frame.type === "compact_done") this.lastStart.compact = seq;
    if (frame.type === "priced") this.shownPrices.add(frame.frame);
  }
}

/**
 * A task that was given to a worker when the server died has started if the log shows it. If not, its fate is unknown:
 * the worker may have begun before the log was written.
 */
async function repairQueue(
  owned: OwnedSession,
  { lastStart, keys }: HistoryReader,
  turnStates: TurnStates,
): Promise<{ tasks: QueuedTask[]; receipts: SavedReceipt[] }> {
  const saved = await owned.loadQueue();
  const answers = await owned.loadReceipts(maxReceipts);
  // If the worker returns no keys, the first prompt in the log after the task was given is that task.
  const hasStarted = ({ id, sent_seq, fate, command }: QueuedTask) =>
    keys.has(id) || (sent_seq !== null && fate === undefined && lastStart[command] > sent_seq);
  const tasks = saved
    .filter((task) => !hasStarted(task) && !turnStates.isOver(task))
    .map((task) => (task.sent_seq === null ? task : { ...task, fate: "unknown" as const }));
  const known = new Set(answers.map(({ viewer, id }) => `${viewer}\n${id}`));
  const missing = saved.flatMap((task) => {
    if (task.command_id === null || known.has(`${task.viewer}\n${task.command_id}`)) return [];
    return [receiptFor(task, task.command_id, hasStarted(task))];
  });
  const changed =
    missing.length > 0 || tasks.length < saved.length || saved.some(({ sent_seq }) => sent_seq !== null);
  if (changed) await owned.saveQueue(tasks, missing);
  return { tasks, receipts: [...answers, ...missing] };
}

/** The response that the task's sender got, or would have got. */
function receiptFor(task: QueuedTask, id: string, started: boolean): SavedReceipt {
  const { command, viewer, sent_seq, tracked } = task;
  if (tracked !== undefined) return { viewer, id, response: promptReceipt(task, tracked.content) };
  const fate = sent_seq === null ? {} : { fate: "unknown" };
  const data = started ? { started } : { started, queued: true, ...fate };
  return { viewer, id, response: { type: "response", command, success: true, id, data } };
}

/** Closes what a killed server left open: its worker has ended, so its questions are withdrawn. */
async function repairAfterCrash(
  journal: Journal,
  owned: OwnedSession,
  record: SessionRecord,
  transcript: LiveTranscript,
): Promise<void> {
  const time = new Date().toISOString();
  const questions = await owned.loadQuestions();
  for (const { id } of questions)
    journal.appendOwn({ type: "ui_resolved", id, time, by: "worker_exit", cancelled: true });
  if (questions.length > 0) await owned.saveQuestions([]);
  if (record.process === null) return;
  const reason = "The server stopped while this agent was running. Send a prompt to start it again.";
  journal.appendOwn({
    type: "worker",
    event: "exited",
    time,
    code: null,
    signal: null,
    reason,
    server_ended: true,
  });
  await journal.flushed();
  const { message_count, ...summary } = transcript.summary;
  await owned.update({ process: null, seq: journal.seq, message_count, summary });
}
