// How the turns stand that programs asked for over HTTP, and what they answered. Every change of a state is a frame of the log, so
// the same fold gives the states to a running server and to one that was killed and opens the session again.
import {
  type Frame,
  messageText,
  type TurnEnding,
  type TurnStateFrame,
  TurnTracker,
} from "@patchbay/protocol";
import type { QueuedTask } from "../../store/owned-session.ts";
import type { Journal } from "../log/journal.ts";

/** Per session: as many as there are receipts, which name them. */
const maxTurns = 1_000;
/** Texts of answers that are kept in memory, per session; the messages of the session have all of them. */
const maxTextLength = 1024 * 1024;
/** A provider may send back the whole prompt as the reason of an error. */
const longestError = 4_000;

interface TurnRecord {
  id: string;
  state: TurnStateFrame["state"];
  queued_at: string;
  started_at: string | null;
  ended_at: string | null;
  /** The number of its prompt's frame. */
  prompt: number | null;
  /** Of its newest message with a text; null: none, or no longer kept. */
  text: string | null;
  error: string | null;
}

type Ending = Pick<TurnStateFrame, "state" | "error">;

export class TurnStates {
  readonly #journal: Journal;
  /** Oldest first. */
  readonly #known = new Map<string, TurnRecord>();
  readonly #running = new Set<TurnRecord>();
  /** Of the turn that is running. */
  #tracker = new TurnTracker();
  /** How the running turn ended. `exited`: with its worker. */
  #ending: (TurnEnding & { exited: boolean }) | null = null;
  #textLength = 0;
  /** Callers that wait until something holds. */
  readonly #waiting = new Set<{ holds: () => boolean; resolve: () => void }>();
  #isClosed = false;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  find(id: string): TurnRecord | undefined {
    return this.#known.get(id);
  }

  /** The log says how the turn of this task ended: it must not run again, though the task is still saved. */
  isOver({ id, tracked }: QueuedTask): boolean {
    const turn = this.#known.get(id);
    return tracked !== undefined && turn !== undefined && isFinal(turn);
  }

  /** The worker is about to be given these tasks. */
  begin(tasks: readonly QueuedTask[]): void {
    this.#append(tasks, () => ({ state: "running" }));
  }

  /** The agent has ended the turn of these tasks, in the run of lines that is being read. */
  finish(tasks: readonly QueuedTask[]): void {
    this.#append(tasks, () => endingOf(this.#ending));
  }

  /** The worker has ended before the turn. `wanted`: a person may have stopped it; else the server ends. */
  interrupt(tasks: readonly QueuedTask[], wanted: boolean): void {
    this.#append(tasks, () => {
      if (wanted && this.#ending?.outcome === "stopped") return { state: "stopped" };
      return { state: "interrupted", error: this.#ending?.error ?? interrupted };
    });
  }

  /** Ends tasks that the worker has not begun. */
  end(tasks: readonly QueuedTask[], state: "stopped" | "failed", error: string): void {
    this.#append(tasks, () => ({ state, error }));
  }

  /** A person removed the task from the queue. Resolves when the log says so: until then the task stays saved. */
  removed(task: QueuedTask): Promise<void> | undefined {
    if (task.tracked === undefined) return undefined;
    const ending: Ending =
      task.fate === undefined
        ? { state: "stopped", error: "It was removed from the queue before it started." }
        : { state: "interrupted", error: `${unknownFate} It was removed from the queue.` };
    this.#append([task], () => ending);
    return this.#journal.flushed();
  }

  /** After the log was read: turns that it does not show the end of. Their server was killed. */
  repair(): void {
    for (const { id, queued_at } of [...this.#running]) {
      const isCut = this.#ending === null || (this.#ending.exited && this.#ending.outcome !== "stopped");
      this.#write(id, queued_at, isCut ? killed : endingOf(this.#ending));
    }
  }

  /** Resolves when `holds`, which is asked again after every end of a turn and every question, when the session closes, or on `signal`. */
  until(holds: () => boolean, signal: AbortSignal): Promise<void> {
    if (this.#isClosed || signal.aborted || holds()) return Promise.resolve();
    return new Promise((resolve) => {
      const waiting = { holds, resolve };
      this.#waiting.add(waiting);
      const leave = (): void => {
        this.#waiting.delete(waiting);
        resolve();
      };
      signal.addEventListener("abort", leave, { once: true });
    });
  }

  close(): void {
    this.#isClosed = true;
    for (const { resolve } of this.#waiting) resolve();
    this.#waiting.clear();
  }

  frame(frame: Frame, seq: number): void {
    if (frame.type === "turn_state") return this.#note(frame);
    if (this.#running.size === 0) return;
    const ending = this.#tracker.frame(frame);
    // A slash command ends without having shown a message of a person.
    if (ending !== null) this.#ending = { ...ending, exited: frame.type === "worker" };
    else if (frame.type === "done") this.#ending ??= { outcome: "done", error: null, exited: false };
    if (frame.type === "user_message" && frame.steering !== true)
      for (const turn of this.#running) turn.prompt = seq;
    if (frame.type === "assistant_message") this.#answered(messageText(frame));
    if (frame.type === "extension_ui_request") this.#wakeWhenShown();
  }

  #append(tasks: readonly QueuedTask[], ending: () => Ending): void {
    const tracked = tasks.filter(({ tracked }) => tracked !== undefined);
    if (tracked.length === 0) return;
    // Everything that the lines say that are being read must be known.
    this.#journal.afterRun(() => {
      const { state, error } = ending();
      for (const { id, queued_at } of tracked) this.#write(id, queued_at, { state, error });
    });
  }

  #write(id: string, queued_at: string, { state, error }: Ending): void {
    const prompt = this.#known.get(id)?.prompt ?? null;
    const has = state !== "running" && prompt !== null ? { prompt } : {};
    const why = error === undefined ? {} : { error: error.slice(0, longestError) };
    const time = new Date().toISOString();
    this.#journal.appendOwn({ type: "turn_state", time, turn: id, state, queued_at, ...has, ...why });
    if (state !== "running") this.#wakeWhenShown();
  }

  #note({ turn: id, state, time, queued_at, prompt, error }: TurnStateFrame): void {
    const known = this.#known.get(id);
    if (known !== undefined && isFinal(known)) return; // a worker may write such frames, too
    const turn = known ?? this.#add(id, queued_at);
    turn.state = state;
    turn.error = error?.slice(0, longestError) ?? null;
    if (state === "running") {
      if (this.#running.size === 0) this.#tracker = new TurnTracker();
      this.#ending = null;
      turn.started_at = time;
      turn.ended_at = null;
      this.#running.add(turn);
    } else {
      turn.ended_at = time;
      turn.prompt = prompt ?? turn.prompt;
      this.#running.delete(turn);
    }
  }

  #add(id: string, queued_at: string): TurnRecord {
    const empty = { started_at: null, ended_at: null, prompt: null, text: null, error: null };
    const turn: TurnRecord = { id, state: "running", queued_at, ...empty };
    this.#known.set(id, turn);
    const [oldest] = this.#known.values();
    if (this.#known.size > maxTurns && oldest !== undefined) {
      this.#setText(oldest, null);
      this.#running.delete(oldest); // as above
      this.#known.delete(oldest.id);
    }
    return turn;
  }

  #answered(text: string): void {
    if (text === "") return;
    for (const turn of this.#running) this.#setText(turn, text.length > maxTextLength ? null : text);
    for (const turn of this.#known.values()) {
      if (this.#textLength <= maxTextLength) return;
      this.#setText(turn, null);
    }
  }

  #setText(turn: TurnRecord, text: string | null): void {
    this.#textLength += (text?.length ?? 0) - (turn.text?.length ?? 0);
    turn.text = text;
  }

  #wakeWhenShown(): void {
    if (this.#waiting.size > 0) this.#journal.afterShown(() => this.#wake());
  }

  #wake(): void {
    for (const waiting of this.#waiting) {
      if (!waiting.holds()) continue;
      this.#waiting.delete(waiting);
      waiting.resolve();
    }
  }
}

/** An interrupted one may run again: a person decides. */
const isFinal = ({ state }: TurnRecord): boolean => state !== "running" && state !== "interrupted";

export const unknownFate =
  "The agent ended after it was given the prompt and before it showed it: it may have begun.";

const interrupted = "The agent was ended before the turn was.";
const killed: Ending = {
  state: "interrupted",
  error:
    "The server stopped while this turn was running. Look at the session before you send the prompt again.",
};

const endingOf = (ending: TurnEnding | null): Ending => ({
  state: ending?.outcome ?? "done",
  ...(ending?.outcome === "failed" ? { error: ending.error ?? "No reason given." } : {}),
});
