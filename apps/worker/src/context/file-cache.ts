// The beginnings of text files, read again only when the file has changed. Files are not
// watched: each turn checks them, and an unchanged file costs one system call.
import { open, stat } from "node:fs/promises";

export interface CachedText {
  readonly text: string;
  /** How many bytes follow what was read. */
  readonly left: number;
  /** Changes with the file. */
  readonly version: string;
}

/** The cache is emptied when it has this many entries, which removes those of deleted files. */
const maxKnown = 1_000;

export class FileCache {
  readonly #maxBytes: number;
  readonly #known = new Map<string, CachedText>();

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Null when there is no ordinary file. Rejects when there is one that may not be read. */
  async read(path: string): Promise<CachedText | null> {
    const version = await versionOf(path);
    if (version === null) {
      this.#known.delete(path);
      return null;
    }
    const known = this.#known.get(path);
    if (known?.version === version) return known;
    const read = { ...(await readStart(path, this.#maxBytes)), version };
    if (this.#known.size >= maxKnown) this.#known.clear();
    this.#known.set(path, read);
    return read;
  }
}

/** Null when nothing is there, or no ordinary file: a pipe would block. */
async function versionOf(path: string): Promise<string | null> {
  try {
    const stats = await stat(path);
    return stats.isFile() ? `${stats.ino}.${stats.size}.${stats.mtimeMs}.${stats.ctimeMs}` : null;
  } catch {
    return null; // absent, or in a directory that may not be entered: treated the same
  }
}

export async function readStart(path: string, maxBytes: number): Promise<{ text: string; left: number }> {
  await using file = await open(path, "r");
  const { size } = await file.stat();
  const buffer = Buffer.alloc(Math.min(size, maxBytes));
  const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
  const whole = bytesRead === size;
  const bytes = whole ? buffer.subarray(0, bytesRead) : wholeCharacters(buffer.subarray(0, bytesRead));
  return { text: new TextDecoder().decode(bytes), left: size - bytes.length };
}

/** A cut may split a character; its first bytes are dropped. */
function wholeCharacters(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end--;
  return end > 0 && (bytes[end - 1] ?? 0) >= 0xc0 ? bytes.subarray(0, end - 1) : bytes;
}
