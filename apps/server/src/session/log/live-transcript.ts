// The transcript of a session, folded as late as possible: deltas are only counted, and read back from the
// log if a snapshot is needed before the message that replaces them arrives.
import {
  deltaTypes,
  emptyTranscript,
  type Frame,
  foldTranscript,
  letGrow,
  linesOf,
  type Message,
  readFrame,
  type SessionInfo,
  settleTranscript,
  type Transcript,
  TurnTracker,
} from "@patchbay/protocol";
import type { LogChunk } from "../../store/session-log.ts";
import type { SessionSummary } from "../../store/session-record.ts";
import { lastLine } from "./last-line.ts";

/** `deltas`: those among the frames `after + 1 … after + count` are still to be read. */
type Held = { kind: "deltas"; after: number; count: number } | { kind: "frame"; frame: Frame };

export interface Snapshot {
  /** The transcript holds every frame up to this one and none after it. */
  seq: number;
  transcript: Transcript;
}

interface Source {
  /** The newest frame that was handed to this transcript. */
  seq(): number;
  /** Committed frames; waits for those that are not committed yet. */
  read(after: number, maxBytes: number): Promise<LogChunk[]>;
}

/** A dropped answer up to this many deltas is read back at once; a longer one only when wanted. */
const readBackDeltas = 50_000;
const readBytes = 1024 * 1024;
const decoder = new TextDecoder();

export class LiveTranscript {
  readonly #source: Source;
  #folded: Transcript = emptyTranscript;
  #held: Held[] = [];
  /** The newest deltas belong to an unfinished answer, not only to the output of tools. */
  #answering = false;
  /** Calls without a result: if the turn ends, their output is kept. */
  readonly #openCalls = new Set<string>();
  /** Up to date even while deltas are still to be read. */
  #lastTurn: SessionInfo["last_turn"];
  /** The server ended during the last turn. */
  #interrupted = false;
  /** Computed once for each newest message. */
  #lastLine: { of: Message | undefined; line: string | undefined } = { of: undefined, line: undefined };
  readonly #turns = new TurnTracker();
  /** Readers, one after the other; while one works, frames wait in `#held`. */
  #reading: Promise<unknown> = Promise.resolve();
  #readers = 0;

  constructor(source: Source) {
    this.#source = source;
  }

  /** What a list of sessions shows of it. Settled messages only; reads nothing. */
  get summary(): SessionSummary & Pick<SessionInfo, "message_count"> {
    const { messages } = this.#folded;
    const newest = messages.at(-1);
    if (this.#lastLine.of !== newest) this.#lastLine = { of: newest, line: lastLine(messages) };
    const { line } = this.#lastLine;
    return {
      message_count: messages.length,
      ...(line === undefined ? {} : { last_line: line }),
      ...(this.#lastTurn === undefined ? {} : { last_turn: this.#lastTurn }),
      ...(this.#interrupted ? { interrupted: true } : {}),
    };
  }

  /** A tool call has no result yet. */
  get runsTool(): boolean {
    return this.#openCalls.size > 0;
  }

  deltas(after: number, count: number): void {
    this.#answering ||= this.#folded.partial?.stop !== "tool_use";
    const last = this.#held.at(-1);
    if (last?.kind === "deltas") last.count = after + count - last.after;
    else this.#held.push({ kind: "deltas", after, count });
  }

  frame(frame: Frame): void {
    const { type } = frame;
    if (type === "user_message") this.#interrupted = false;
    if (type === "worker" && frame.server_ended === true) this.#interrupted = this.#turns.isOpen;
    this.#lastTurn = this.#turns.frame(frame)?.outcome ?? this.#lastTurn;
    if (type === "tool_call") this.#openCalls.add(frame.id);
    if (type === "tool_result") this.#openCalls.delete(frame.id);
    const endsStep = type === "turn_start" || (type === "done" && this.#openCalls.size === 0);
    if (type === "turn_start" || type === "done") this.#openCalls.clear();
    if (type === "assistant_message" || (endsStep && !this.#answering)) this.#dropDeltas();
    if (type === "assistant_message" || type === "turn_end" || type === "turn_start" || type === "done")
      this.#answering = false;
    if (type === "usage" && this.#readers === 0 && this.#held.every((item) => item.kind === "deltas")) {
      // Usage and deltas change different fields, so usage need not wait until many deltas are read.
      this.#folded = foldTranscript(this.#folded, frame);
      return;
    }
    this.#held.push({ kind: "frame", frame });
    if (this.#readers > 0) return;
    this.#foldLeading();
    if (type === "done" && this.#heldDeltas() <= readBackDeltas && this.#held.length > 0) {
      this.snapshot().catch(() => {}); // the next caller gets the error
    }
  }

  /** Everything so far, including an unfinished answer. */
  snapshot(): Promise<Snapshot> {
    this.#readers++;
    const result = this.#reading.then(() => this.#foldAll());
    this.#reading = result
      .catch(() => {})
      .finally(() => {
        this.#readers--;
        if (this.#readers === 0) this.#foldLeading();
      });
    return result;
  }

  /** Called before the log drops the deltas up to `seq`: reads those that are still needed. */
  async readUpTo(seq: number): Promise<void> {
    const isHeld = this.#held.some((item) => item.kind === "deltas" && item.after < seq);
    if (isHeld || this.#readers > 0) await this.snapshot(); // a reader may be using what was held
  }

  /** Drops the deltas of this step: its message, or its tools' results, replaced them. */
  #dropDeltas(): void {
    const boundary = this.#held.findLastIndex((item) => item.kind === "frame" && isBoundary(item.frame));
    this.#held = this.#held.filter((item, index) => index <= boundary || item.kind === "frame");
  }

  #foldLeading(): void {
    const first = this.#held.findIndex((item) => item.kind === "deltas");
    const leading = this.#held.splice(0, first === -1 ? this.#held.length : first);
    if (leading.length === 0) return;
    let transcript = letGrow(this.#folded); // no snapshot shares it: see #foldAll
    for (const item of leading) {
      if (item.kind === "frame") transcript = foldTranscript(transcript, item.frame);
    }
    this.#folded = transcript;
  }

  #heldDeltas(): number {
    return this.#held.reduce((sum, item) => sum + (item.kind === "deltas" ? item.count : 0), 0);
  }

  async #foldAll(): Promise<Snapshot> {
    const seq = this.#source.seq();
    const held = this.#held;
    this.#held = [];
    let transcript = this.#folded;
    settleTranscript(transcript); // the caller will hold it, and after an error it must be unchanged
    try {
      for (const item of held) {
        if (item.kind === "frame") transcript = foldTranscript(transcript, item.frame);
        else transcript = await this.#foldDeltas(transcript, item.after, item.count);
      }
    } catch (error) {
      this.#held = [...held, ...this.#held]; // as before this call
      throw error;
    }
    this.#folded = transcript;
    return { seq, transcript };
  }

  async #foldDeltas(before: Transcript, after: number, count: number): Promise<Transcript> {
    let transcript = before;
    const end = after + count;
    for (let at = after; at < end; ) {
      const chunks = await this.#source.read(at, readBytes);
      if (chunks.length === 0) throw new Error(`the log has lost the frames after ${at}`);
      for (const { seq, count: frames, bytes } of chunks) {
        let number = seq;
        for (const line of linesOf(bytes)) {
          if (number++ > end) break;
          const reading = readFrame(decoder.decode(line));
          if (reading.kind === "frame" && isDelta(reading.frame)) {
            transcript = foldTranscript(transcript, reading.frame);
          }
        }
        at = seq + frames - 1;
      }
    }
    return transcript;
  }
}

const deltas: ReadonlySet<string> = new Set(deltaTypes);
const isDelta = ({ type }: Frame): boolean => deltas.has(type);

const isBoundary = ({ type }: Frame): boolean =>
  type === "turn_start" || type === "turn_end" || type === "user_message" || type === "done";
