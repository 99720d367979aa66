// Finds what a running tool has printed since the last update. `partialResult` has all output so far or, if that is too much,
// the end of it: the new part is found by searching for the end of the old one.

/** Long enough to be unique, and short enough to search for in every update. */
const anchorLength = 256;
/** Shown when the old end is not found: the tool printed more than the window in between. */
const freshLength = 8 * 1024;

export class PiToolOutput {
  #shown = "";

  /** Returns the part of `output` that was not shown yet. */
  next(output: string): string {
    const before = this.#shown;
    this.#shown = output;
    if (output.startsWith(before)) return output.slice(before.length);
    const anchor = before.slice(-anchorLength);
    const at = anchor === "" ? -1 : output.lastIndexOf(anchor);
    return at === -1 ? output.slice(-freshLength) : output.slice(at + anchor.length);
  }
}
