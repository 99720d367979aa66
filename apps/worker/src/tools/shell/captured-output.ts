// A command's output: its beginning and its end in memory, and all of it in a file once it is too much
// to show. The end matters most (that is where errors are), so it is never what gets cut.
import { createWriteStream, type WriteStream } from "node:fs";
import { newOutputFile } from "./kept-outputs.ts";

/** As much as zot shows, half from each end. */
const headBytes = 25 * 1024;
const tailBytes = 25 * 1024;
/** A command that prints without end must not fill the disk. */
const maxFileBytes = 256 * 1024 * 1024;

export interface Captured {
  readonly text: string;
  /** Null when the text is everything, or when it could not be kept. */
  readonly file: string | null;
  /** Something is missing in the text. */
  readonly cut: boolean;
}

export class CapturedOutput {
  readonly #directory: string;
  #head: Uint8Array[] = [];
  #headBytes = 0;
  #tail: Uint8Array[] = [];
  #tailBytes = 0;
  #total = 0;
  #file: WriteStream | null = null;
  #fileBroken = false;

  /** What is too much to show is kept in `directory`. */
  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Await what it returns before the next chunk: it is the disk's backpressure. */
  add(chunk: Uint8Array): Promise<void> | undefined {
    const drained = this.#spill(chunk);
    const room = Math.max(0, headBytes - this.#headBytes);
    if (room > 0) {
      const part = chunk.slice(0, room);
      this.#head.push(part);
      this.#headBytes += part.length;
    }
    if (chunk.length > room) {
      this.#tail.push(chunk.slice(room));
      this.#tailBytes += chunk.length - room;
      this.#trimTail();
    }
    this.#total += chunk.length;
    return drained;
  }

  #trimTail(): void {
    while (this.#tailBytes > tailBytes) {
      const first = this.#tail[0];
      if (first === undefined) return;
      const over = this.#tailBytes - tailBytes;
      if (first.length <= over) this.#tail.shift();
      else this.#tail[0] = first.subarray(over);
      this.#tailBytes -= Math.min(first.length, over);
    }
  }

  /** Opens the file just before memory would lose something, so the file begins with all of memory. */
  #spill(chunk: Uint8Array): Promise<void> | undefined {
    if (this.#total + chunk.length <= headBytes + tailBytes || this.#total >= maxFileBytes) return undefined;
    if (!this.#fileBroken) this.#file ??= this.#openFile();
    const file = this.#file;
    if (file === null || this.#fileBroken || file.write(chunk.slice())) return undefined;
    return new Promise((resolve) => file.once("drain", () => resolve()));
  }

  #openFile(): WriteStream | null {
    const path = newOutputFile(this.#directory);
    if (path === null) {
      this.#fileBroken = true; // the answer then names no file
      return null;
    }
    const file = createWriteStream(path, { flags: "wx", mode: 0o600 });
    file.on("error", () => {
      this.#fileBroken = true;
      file.emit("drain"); // `add` must not wait for the disk for ever
    });
    for (const part of [...this.#head, ...this.#tail]) file.write(part);
    return file;
  }

  async end(): Promise<Captured> {
    const file = this.#file;
    if (file !== null && !this.#fileBroken) {
      await new Promise<void>((resolve) => {
        file.once("error", () => resolve());
        file.end(() => resolve());
      });
    }
    const path = file === null || this.#fileBroken ? null : String(file.path);
    const head = Buffer.concat(this.#head);
    const tail = Buffer.concat(this.#tail);
    const left = this.#total - head.length - tail.length;
    if (left <= 0) return { text: decode(Buffer.concat([head, tail])), file: null, cut: false };
    const text = `${decode(toLineEnd(head))}\n... [${left} bytes left out here; the end follows] ...\n${decode(fromLineStart(tail))}`;
    return { text, file: path, cut: true };
  }
}

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** Whole lines where there are any; at least whole characters. */
function toLineEnd(bytes: Buffer): Buffer {
  const lf = bytes.lastIndexOf(10);
  if (lf > bytes.length / 2) return bytes.subarray(0, lf);
  let end = bytes.length;
  while (end > 0 && isContinuation(bytes[end - 1])) end--;
  return end > 0 && (bytes[end - 1] ?? 0) >= 0xc0 ? bytes.subarray(0, end - 1) : bytes;
}

function fromLineStart(bytes: Buffer): Buffer {
  const lf = bytes.indexOf(10);
  if (lf !== -1 && lf < bytes.length / 2) return bytes.subarray(lf + 1);
  let start = 0;
  while (start < bytes.length && isContinuation(bytes[start])) start++;
  return bytes.subarray(start);
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;
