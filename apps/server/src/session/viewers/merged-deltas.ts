// Frames for viewers that asked for merged deltas, as the page does: the text of a moment is gathered and sent as one delta. Everything
// else is sent at once, after the text before it.
import type { Frames } from "../log/journal.ts";
import { FrameMerger } from "./frame-merger.ts";

/** Streamed text that changes this often looks continuous, and costs a page a third of what every display frame would. */
const momentMs = 50;
/** More is not gathered: a page shows it in pieces. */
const maxFrames = 4_000;

export class MergedDeltas {
  readonly #merger = new FrameMerger();
  readonly #push: (seq: number, count: number, message: string) => void;
  #timer: NodeJS.Timeout | undefined;
  #pushedAt = 0;
  #gathered = 0;

  constructor(push: (seq: number, count: number, message: string) => void) {
    this.#push = push;
  }

  /** Copies what it needs of the frames. */
  add({ seq, parts }: Frames): void {
    let next = seq;
    let onlyText = true;
    for (const part of parts) {
      const { count, onlyDeltas } = this.#merger.add(next, part);
      next += count;
      onlyText &&= onlyDeltas;
    }
    this.#gathered += next - seq;
    const wait = this.#pushedAt + momentMs - performance.now();
    if (!onlyText || wait <= 0 || this.#gathered > maxFrames) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), wait);
  }

  /** Sends what was gathered. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#gathered = 0;
    const message = this.#merger.take();
    if (message === undefined) return;
    this.#pushedAt = performance.now();
    this.#push(message.seq, message.count, message.text);
  }

  /** No viewer wants them. What was gathered is in the log. */
  reset(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#gathered = 0;
    this.#merger.reset();
  }
}
