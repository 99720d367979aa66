// What finished turns keep: everything but the deltas that a message replaced. An answer that was stopped
// before it became a message has only its deltas, and keeps them.
import { DeltaSniffer, type DeltaType, readFrame } from "@patchbay/protocol";

const LF = 10;
const decoder = new TextDecoder();

/** Goes over the lines twice: first to learn which steps got their message, then to pick lines. */
export class SettledFrames {
  #step = 0;
  readonly #answered = new Set<number>();

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
      if (delta === null) this.#follow(line);
      // Progress of a tool shows only until its result is there.
      else if (delta === "tool_progress" || this.#answered.has(this.#step)) return;
      kept.push(line);
    });
    return Buffer.concat(kept);
  }

  #follow(line: Uint8Array): void {
    const reading = readFrame(decoder.decode(line));
    if (reading.kind !== "frame") return;
    if (reading.frame.type === "turn_start" || reading.frame.type === "turn_end") this.#step++;
    if (reading.frame.type === "assistant_message") this.#answered.add(this.#step);
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
