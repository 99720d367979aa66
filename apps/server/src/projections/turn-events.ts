// Follows the frames of one session and emits events for turns, model calls, tools and questions. Uses only frames,
// so it works for every kind of worker.
import {
  type Frame,
  isUnpriced,
  questionMethods,
  type TurnEnding,
  TurnTracker,
  type UiRequestEvent,
} from "@patchbay/protocol";
import type { LedgerEntry } from "../store/ledger-types.ts";
import type { SessionRecord } from "../store/session-record.ts";
import type { EventSession, TurnEventListener } from "./turn-event.ts";

interface Turn {
  seq: number;
  started: number;
  calls: number;
  input: number;
  output: number;
  cost_nanos: number;
  unpriced: number;
}

/** Bounds the memory of a worker that never ends its tools. */
const maxTools = 1_000;
const longestTitle = 500;

export class TurnEvents {
  readonly #emit: TurnEventListener;
  readonly #isCovered: (question: UiRequestEvent) => boolean;
  #turn: Turn | null = null;
  readonly #turns = new TurnTracker();
  #callStarted: number | undefined;
  readonly #tools = new Map<string, { name: string; started: number }>();

  /** `isCovered`: a question needs nobody. */
  constructor(emit: TurnEventListener, isCovered: (question: UiRequestEvent) => boolean = () => false) {
    this.#emit = emit;
    this.#isCovered = isCovered;
  }

  frame(frame: Frame, seq: number, record: SessionRecord): void {
    const now = Date.now();
    const ending = this.#turns.frame(frame);
    switch (frame.type) {
      case "user_message":
        if (frame.steering !== true) this.#begin(seq, record, now);
        break;
      case "turn_start":
        this.#callStarted = now;
        break;
      case "tool_call":
        if (this.#tools.size < maxTools) this.#tools.set(frame.id, { name: frame.name, started: now });
        break;
      case "tool_result":
        this.#toolEnded(frame.id, frame.is_error, record, now);
        break;
      case "extension_ui_request":
        this.#asked(frame, record, now);
        break;
      case "worker":
        if (frame.event === "exited") this.#tools.clear();
        break;
      default:
    }
    if (ending !== null) this.#end(record, now, ending);
  }

  spent(entry: LedgerEntry, purpose: string | undefined, record: SessionRecord): void {
    const ended = Date.parse(entry.time);
    const started = this.#callStarted ?? this.#turn?.started ?? ended;
    this.#callStarted = undefined;
    if (this.#turn !== null) {
      this.#turn.calls += 1;
      this.#turn.input += entry.input + entry.cache_read + entry.cache_write;
      this.#turn.output += entry.output;
      this.#turn.cost_nanos += entry.cost_nanos;
      this.#turn.unpriced += isUnpriced(entry.price) ? 1 : 0;
    }
    this.#emit({ type: "call", session: sessionOf(record), started, ended, entry, purpose });
  }

  #begin(seq: number, record: SessionRecord, started: number): void {
    if (this.#turn !== null) return; // several messages begin one turn
    const nothing = { calls: 0, input: 0, output: 0, cost_nanos: 0, unpriced: 0 };
    this.#turn = { seq, started, ...nothing };
    this.#callStarted = undefined;
    this.#emit({ type: "turn_started", session: sessionOf(record), turn: seq, started });
  }

  #end(record: SessionRecord, ended: number, { outcome, error }: TurnEnding): void {
    const turn = this.#turn;
    if (turn === null) return; // the turn began before this session was opened
    this.#turn = null;
    this.#callStarted = undefined;
    const { seq, ...sums } = turn;
    const why = outcome === "failed" ? { error: error ?? "No reason given." } : {};
    this.#emit({
      type: "turn_ended",
      session: sessionOf(record),
      turn: seq,
      ended,
      outcome,
      ...sums,
      ...why,
    });
  }

  #toolEnded(id: string, failed: boolean, record: SessionRecord, ended: number): void {
    const tool = this.#tools.get(id);
    if (tool === undefined) return;
    this.#tools.delete(id);
    this.#emit({ type: "tool", session: sessionOf(record), id, ...tool, ended, failed });
  }

  #asked(frame: UiRequestEvent, record: SessionRecord, time: number): void {
    if (!questionMethods.has(frame.method) || this.#isCovered(frame)) return;
    const title = (frame.title ?? frame.message ?? "").slice(0, longestTitle);
    const { id, method } = frame;
    this.#emit({ type: "question", session: sessionOf(record), time, id, method, title });
  }
}

const sessionOf = ({ id, name, worker, cwd, provider, model }: SessionRecord): EventSession => ({
  id,
  name,
  worker,
  cwd,
  provider,
  model,
});
