// The last words of a worker: the newest 64 KiB of its standard error, with secrets blotted out,
// because they are shown to people and kept in the log.

const keepBytes = 64 * 1024;
/** What goes into the log when the worker ends; a screenful explains most deaths. */
const lastLines = 30;
const lastBytes = 8 * 1024;

export class StderrTail {
  readonly #secrets: readonly string[];
  #text = "";

  constructor(secrets: readonly string[]) {
    // A very short "secret" would blot out ordinary words and protects nothing.
    this.#secrets = secrets.filter((secret) => secret.length >= 8);
  }

  push(text: string): void {
    this.#text += text;
    if (this.#text.length > 2 * keepBytes) this.#text = this.#text.slice(-keepBytes);
  }

  /** All that is kept. */
  text(): string {
    return this.#blot(this.#text.slice(-keepBytes));
  }

  last(): string {
    return this.text().trimEnd().split("\n").slice(-lastLines).join("\n").slice(-lastBytes);
  }

  #blot(text: string): string {
    return this.#secrets.reduce((kept, secret) => kept.replaceAll(secret, "[secret]"), text);
  }
}
