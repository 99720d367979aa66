// How a turn ended, decided in one place for the transcript, the session list, webhooks and the local socket. Agents report
// it in many ways: a stop before the first byte is an "error" of zot's, one during a tool looks like an ordinary end. What
// the server did counts more: after a stop was requested, the turn was stopped.
import type { StopReason } from "../events/events.ts";
import type { Frame } from "../frames/frame.ts";

export type TurnOutcome = "done" | "failed" | "stopped";

export interface TurnEnding {
  outcome: TurnOutcome;
  /** Why it failed, where the agent reports it. */
  error: string | null;
}

/** What is known of a turn when it ends. */
interface Facts {
  /** How its last model call ended; null: none has. `interrupted`: the worker ended before the turn did. */
  stop: StopReason | "interrupted" | null;
  error: string | null;
  stopRequested: boolean;
}

export function turnOutcome({ stop, error, stopRequested }: Facts): TurnOutcome {
  if (stopRequested || stop === "aborted") return "stopped";
  if (stop === "interrupted") return error === null ? "stopped" : "failed"; // without a reason, a person ended it
  // A step that ended with tool calls and no further call was stopped while its tools ran.
  if (stop === "tool_use") return error === null ? "stopped" : "failed";
  return stop === "error" || error !== null ? "failed" : "done";
}

/** zot calls an abort before the answer's first byte an error, with Go's message. */
export const wasStopped = (stop: StopReason, error: string | undefined): boolean =>
  stop === "aborted" || (stop === "error" && error?.endsWith("context canceled") === true);

/** Follows the frames of a session and reports how each turn ends. */
export class TurnTracker {
  #turn: Facts | null = null;

  /** A turn is running. */
  get isOpen(): boolean {
    return this.#turn !== null;
  }

  /** For an observer that starts while a turn is running. */
  begin(): void {
    this.#turn ??= { stop: null, error: null, stopRequested: false };
  }

  /** The ending, if the frame is the end of a turn. */
  frame(frame: Frame): TurnEnding | null {
    const turn = this.#turn;
    if (frame.type === "user_message") {
      this.begin();
      return null;
    }
    if (turn === null) return null; // a compaction is no turn
    switch (frame.type) {
      case "stop_requested":
        turn.stopRequested = true;
        return null;
      case "turn_end": {
        const isStop = wasStopped(frame.stop, frame.error);
        // A call that failed and was tried again within its step: how the last one ended counts.
        const before = turn.stop === "error" && frame.stop !== "error" ? null : turn.error;
        turn.stop = isStop ? "aborted" : frame.stop;
        turn.error = isStop ? before : (frame.error ?? before);
        return null;
      }
      case "error":
        turn.error = frame.message;
        return null;
      case "done":
        return this.#end(turn);
      case "worker":
        if (frame.event !== "exited") return null;
        return this.#end({ ...turn, stop: "interrupted", error: frame.reason ?? null });
      default:
        return null;
    }
  }

  #end(turn: Facts): TurnEnding {
    this.#turn = null;
    const outcome = turnOutcome(turn);
    return { outcome, error: outcome === "failed" ? turn.error : null };
  }
}
