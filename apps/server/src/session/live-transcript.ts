// The transcript of a running session, folded as late as possible: deltas are kept as bytes and
// parsed only if somebody needs them before the message that replaces them arrives.
import {
  emptyTranscript,
  type Frame,
  foldTranscript,
  linesOf,
  readFrame,
  type Transcript,
} from "@patchbay/protocol";

type Held = { kind: "deltas"; bytes: Uint8Array } | { kind: "frame"; frame: Frame };

/** After these, what was streamed before no longer shows, so it need not be read. */
const supersedes: ReadonlySet<string> = new Set(["assistant_message", "turn_start", "done"]);
/** These can wait behind deltas until one of the others comes. */
const canWait: ReadonlySet<string> = new Set([
  "tool_use_start",
  "tool_use_end",
  "tool_call",
  "tool_result",
  "usage",
  "assistant_start",
]);

const decoder = new TextDecoder();

export class LiveTranscript {
  #transcript: Transcript = emptyTranscript;
  #held: Held[] = [];
  /** The held deltas are an answer under way, not just the output of tools. */
  #answering = false;

  deltas(bytes: Uint8Array): void {
    this.#held.push({ kind: "deltas", bytes });
    this.#answering ||= !this.#toolsRunning();
  }

  frame(frame: Frame): void {
    if (this.#held.length > 0 && canWait.has(frame.type)) {
      this.#held.push({ kind: "frame", frame });
      return;
    }
    const skipDeltas = frame.type === "assistant_message" || (supersedes.has(frame.type) && !this.#answering);
    this.#foldHeld(skipDeltas);
    this.#transcript = foldTranscript(this.#transcript, frame);
    if (supersedes.has(frame.type) || frame.type === "turn_end") this.#answering = false;
  }

  /** Everything so far, the answer under way included. */
  current(): Transcript {
    this.#foldHeld(false);
    return this.#transcript;
  }

  /** Settled messages only; does not read deltas. */
  get messageCount(): number {
    return this.#transcript.messages.length;
  }

  #toolsRunning(): boolean {
    return this.#transcript.partial?.stop === "tool_use";
  }

  #foldHeld(skipDeltas: boolean): void {
    const held = this.#held;
    this.#held = [];
    for (const item of held) {
      if (item.kind === "frame") this.#transcript = foldTranscript(this.#transcript, item.frame);
      else if (!skipDeltas) this.#foldDeltas(item.bytes);
    }
  }

  #foldDeltas(bytes: Uint8Array): void {
    for (const line of linesOf(bytes)) {
      const reading = readFrame(decoder.decode(line));
      if (reading.kind === "frame") this.#transcript = foldTranscript(this.#transcript, reading.frame);
    }
  }
}
