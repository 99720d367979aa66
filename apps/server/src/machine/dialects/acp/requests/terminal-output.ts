// What a command has written: the end of it, as much as people are shown; and of that as much as the agent wants.

/** Characters that are kept. Agents ask for less. */
const most = 1024 * 1024;

export class TerminalOutput {
  #text = "";
  #isCut = false;

  append(text: string): void {
    this.#text += text;
    // Cut only when twice over the limit, so that a flood is copied rarely.
    if (this.#text.length <= 2 * most) return;
    const end = this.#text.slice(-most);
    this.#text = /^[\uDC00-\uDFFF]/.test(end) ? end.slice(1) : end; // no half of a character
    this.#isCut = true;
  }

  get text(): string {
    return this.#text;
  }

  /** Its last bytes, from the beginning of a character on. */
  end(bytes: number = most): { output: string; truncated: boolean } {
    const whole = Buffer.from(this.#text);
    if (whole.length <= bytes) return { output: this.#text, truncated: this.#isCut };
    let start = whole.length - bytes;
    while (isContinuation(whole[start])) start++;
    return { output: whole.toString("utf8", start), truncated: true };
  }
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;
