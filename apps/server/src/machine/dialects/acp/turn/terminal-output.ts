// The output of a command: keeps its end, as much as is shown to people, and returns of that as much as the agent asks for.

/** Characters that are kept. Agents ask for less. */
const maxChars = 1024 * 1024;

export class TerminalOutput {
  #text = "";
  #isCut = false;

  append(text: string): void {
    this.#text += text;
    // Cut only when twice over the limit, so that a flood is copied rarely.
    if (this.#text.length <= 2 * maxChars) return;
    const end = this.#text.slice(-maxChars);
    this.#text = /^[\uDC00-\uDFFF]/.test(end) ? end.slice(1) : end; // no half of a character
    this.#isCut = true;
  }

  get text(): string {
    return this.#text;
  }

  /** Returns the last bytes, beginning with a whole character. */
  end(bytes: number = maxChars): { output: string; truncated: boolean } {
    const whole = Buffer.from(this.#text);
    if (whole.length <= bytes) return { output: this.#text, truncated: this.#isCut };
    let start = whole.length - bytes;
    while (isContinuation(whole[start])) start++;
    return { output: whole.toString("utf8", start), truncated: true };
  }
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;
