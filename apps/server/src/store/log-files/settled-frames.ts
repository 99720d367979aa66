// What finished turns keep: everything but the deltas that a message replaced, and the live output of commands
// that ended. An answer that was stopped before it became a message has only its deltas, and keeps them.
import { DeltaSniffer, type DeltaType, readFrame } from "@patchbay/protocol";

const LF = 10;
const decoder = new TextDecoder();

/** Goes over the lines twice: first to learn which steps got their message, then to pick lines. */
export class SettledFrames {
  #step = 0;
  readonly #answered = new Set<number>();
  /** A person's own commands whose end has all of their output. */
  readonly #ended = new Set<string>();

  learn(run: Uint8Array): void {
    eachLine(run, (line, delta) => {
      if (delta === null) this.#follow(line);
    });
  }

  /** Call when everything has been learnt, before the first `pick`. */
  rewind(): void {
    this.#step = 0;
  }

  pick(run: Uint8Array): Uint8Array {
    const kept: Uint8Array[] = [];
    eachLine(run, (line, delta) => {
      // Progress of a tool shows only until its result is there.
      const replaced = delta === "tool_progress" || this.#answered.has(this.#step);
      if (delta === null ? this.#follow(line) : !replaced) kept.push(line);
    });
    return Buffer.concat(kept);
  }

  /** Whether the line still says something. */
  #follow(line: Uint8Array): boolean {
    const reading = readFrame(decoder.decode(line));
    if (reading.kind !== "frame") return true;
    const { frame } = reading;
    if (frame.type === "turn_start" || frame.type === "turn_end") this.#step++;
    if (frame.type === "assistant_message") this.#answered.add(this.#step);
    if (frame.type === "bash_end") this.#ended.add(frame.id);
    return frame.type !== "bash_output" || !this.#ended.has(frame.id);
  }
}

function eachLine(run: Uint8Array, visit: (line: Uint8Array, delta: DeltaType | null) => void): void {
  const sniffer = new DeltaSniffer(run);
  for (let start = 0; start < run.length; ) {
    const lf = run.indexOf(LF, start);
    const end = lf === -1 ? run.length : lf + 1;
    visit(run.subarray(start, end), sniffer.at(start, lf === -1 ? end : lf));
    start = end;
  }
}
