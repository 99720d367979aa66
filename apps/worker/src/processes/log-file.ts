// The log of an extension or an MCP server: its stderr and the host's notes. Rotated: a full file becomes `.1`, and
// the `.1` before it is deleted. Several sessions may write to the same file.
import { type FileHandle, mkdir, open, rename, stat } from "node:fs/promises";
import { dirname } from "node:path";

/** Weeks of an extension that logs now and then; two files of it hardly cost disk space. */
const maxBytes = 1024 * 1024;

export class LogFile {
  readonly path: string;
  readonly #failed: (error: unknown) => void;
  #file: Promise<FileHandle | null> | undefined;
  #last: Promise<void> = Promise.resolve();
  #closed = false;

  /** `failed` is called once; after that nothing is written. */
  constructor(path: string, failed: (error: unknown) => void) {
    this.path = path;
    this.#failed = failed;
  }

  /** A note of the host, marked as such. */
  note(message: string): void {
    void this.append(Buffer.from(`[patchbay] ${new Date().toISOString()} ${message}\n`));
  }

  /** In order; await it before appending more. Never rejects. */
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
      if ((await file.stat()).size >= maxBytes) await this.#rotate(file);
    } catch (error) {
      this.#file = Promise.resolve(null);
      this.#failed(error);
    }
  }

  async #open(): Promise<FileHandle> {
    await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
    return open(this.path, "a", 0o600);
  }

  async #rotate(file: FileHandle): Promise<void> {
    const mine = await file.stat();
    const now = await stat(this.path).catch(() => null);
    // Another session may have rotated it already.
    if (now?.ino === mine.ino) await rename(this.path, `${this.path}.1`);
    await file.close();
    this.#file = this.#open();
  }
}
