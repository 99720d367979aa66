// The end of a worker's standard error: the newest 64 KiB, with secrets redacted, because it is shown to
// people and kept in the log.

const keepBytes = 64 * 1024;
/** This much goes into the log when the worker ends; a screenful explains most exits. */
const lastLines = 30;
const lastBytes = 8 * 1024;

export class StderrTail {
  readonly #secrets: readonly string[];
  #text = "";

  constructor(secrets: readonly string[]) {
    // Redacting a very short "secret" would hide ordinary text and protect nothing.
    this.#secrets = secrets.filter((secret) => secret.length >= 8);
  }

  push(text: string): void {
    this.#text += text;
    if (this.#text.length > 2 * keepBytes) this.#text = this.#text.slice(-keepBytes);
  }

  /** All that is kept. */
  text(): string {
    return this.#redact(this.#text.slice(-keepBytes));
  }

  last(): string {
    return this.text().trimEnd().split("\n").slice(-lastLines).join("\n").slice(-lastBytes);
  }

  #redact(text: string): string {
    return this.#secrets.reduce((kept, secret) => kept.replaceAll(secret, "[secret]"), text);
  }
}
