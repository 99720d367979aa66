// An extension's log: its standard error and what the host has to say about it. Bounded: a full file
// becomes the old one, and the old one before it goes. Several sessions may write to the same file.
import { type FileHandle, mkdir, open, rename, stat } from "node:fs/promises";
import { dirname } from "node:path";

/** Weeks of an extension that says something now and then; and two of them are nothing on a disk. */
const maxBytes = 1024 * 1024;

export class LogFile {
  readonly path: string;
  readonly #failed: (error: unknown) => void;
  #file: Promise<FileHandle | null> | undefined;
  #last: Promise<void> = Promise.resolve();
  #closed = false;

  /** `failed` is told once; after that nothing is kept. */
  constructor(path: string, failed: (error: unknown) => void) {
    this.path = path;
    this.#failed = failed;
  }

  /** The host's own words, marked as such. */
  note(words: string): void {
    void this.append(Buffer.from(`[patchbay] ${new Date().toISOString()} ${words}\n`));
  }

  /** In order; await it before giving more. Never rejects. */
  append(bytes: Uint8Array): Promise<void> {
    this.#last = this.#last.then(() => this.#write(bytes));
    return this.#last;
  }

  async close(): Promise<void> {
    await this.#last;
    this.#closed = true;
    await (await this.#file)?.close();
  }

  async #write(bytes: Uint8Array): Promise<void> {
    if (this.#closed) return;
    try {
      this.#file ??= this.#open();
      const file = await this.#file;
      if (file === null) return;
      await file.write(bytes);
      if ((await file.stat()).size >= maxBytes) await this.#turnOver(file);
    } catch (error) {
      this.#file = Promise.resolve(null);
      this.#failed(error);
    }
  }

  async #open(): Promise<FileHandle> {
    await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
    return open(this.path, "a", 0o600);
  }

  async #turnOver(file: FileHandle): Promise<void> {
    const mine = await file.stat();
    const now = await stat(this.path).catch(() => null);
    // Another session may have turned it over already.
    if (now?.ino === mine.ino) await rename(this.path, `${this.path}.1`);
    await file.close();
    this.#file = this.#open();
  }
}
