// What a running tool has printed since the last time. `partialResult` is everything so far, or (when there is too
// much) the end of it: the new part is found by where the old one ends.

/** Enough to find the place again, and short enough to search for in every update. */
const anchorLength = 256;
/** Shown when the place cannot be found: the tool printed more than its window in between. */
const freshLength = 8 * 1024;

export class ToolOutput {
  #shown = "";

  /** The part of `output` that was not shown yet. */
  next(output: string): string {
    const before = this.#shown;
    this.#shown = output;
    if (output.startsWith(before)) return output.slice(before.length);
    const anchor = before.slice(-anchorLength);
    const at = anchor === "" ? -1 : output.lastIndexOf(anchor);
    return at === -1 ? output.slice(-freshLength) : output.slice(at + anchor.length);
  }
}
