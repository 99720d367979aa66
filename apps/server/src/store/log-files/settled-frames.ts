// Filters the frames of finished turns. It drops the deltas that a message replaced, and the live output of commands that ended. An
// answer that was stopped before its message keeps its deltas.
import { DeltaSniffer, type DeltaType, readFrame } from "@patchbay/protocol";

const LF = 10;
const decoder = new TextDecoder();

/** Two passes: `scan` finds the steps that have a message, `filter` drops lines. */
export class SettledFrames {
  #step = 0;
  #isScanning = true;
  readonly #answered = new Set<number>();
  /** Commands of a person that ended: the end has all of their output. */
  readonly #ended = new Set<string>();
  /** Calls of tools without a result so far: what they put out is all that is left of them. */
  readonly #unfinished = new Set<string>();

  scan(run: Uint8Array): void {
    eachLine(run, (line, delta) => {
      if (delta === null) this.#readLine(line);
    });
  }

  /** Call after the last `scan`, before the first `filter`. */
  rewind(): void {
    this.#step = 0;
    this.#isScanning = false;
  }

  filter(run: Uint8Array): Uint8Array {
    const kept: Uint8Array[] = [];
    eachLine(run, (line, delta) => {
      // The page shows progress of a tool only until its result arrives.
      const replaced = delta === "tool_progress" ? !this.#isUnfinished(line) : this.#answered.has(this.#step);
      if (delta === null ? this.#readLine(line) : !replaced) kept.push(line);
    });
    return Buffer.concat(kept);
  }

  #isUnfinished(progress: Uint8Array): boolean {
    if (this.#unfinished.size === 0) return false;
    const reading = readFrame(decoder.decode(progress));
    if (reading.kind !== "frame" || reading.frame.type !== "tool_progress") return false;
    return this.#unfinished.has(reading.frame.id);
  }

  /** Reads a line that is no delta. Returns whether to keep it. */
  #readLine(line: Uint8Array): boolean {
    const reading = readFrame(decoder.decode(line));
    if (reading.kind !== "frame") return true;
    const { frame } = reading;
    if (frame.type === "turn_start" || frame.type === "turn_end") this.#step++;
    if (frame.type === "assistant_message") this.#answered.add(this.#step);
    if (frame.type === "bash_end") this.#ended.add(frame.id);
    if (this.#isScanning && frame.type === "tool_call") this.#unfinished.add(frame.id);
    if (this.#isScanning && frame.type === "tool_result") this.#unfinished.delete(frame.id);
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
