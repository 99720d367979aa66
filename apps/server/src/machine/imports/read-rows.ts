// Reads the rows of a JSON-lines file one at a time from any offset: a file of gigabytes needs the memory of one line. A line
// that cannot be read is returned as such, and reading continues.
import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { foreignBounds, readJson } from "@patchbay/protocol";
import { unreadable } from "./unreadable.ts";

export interface FileRow {
  /** Null: the line is no JSON object, or too long. */
  row: object | null;
  /** Where the next line begins. */
  end: number;
  /** It ends with a line feed. Without one the program may still be writing it. */
  whole: boolean;
}

/** The same limit as for a worker's lines: tool results with images have tens of megabytes. */
const defaultMaxLineBytes = 64 * 1024 * 1024;
/** The first read is small: of most files only the head is needed. */
const firstBytes = 4 * 1024;
const chunkBytes = 256 * 1024;
const tailBytes = 1024;
const LF = 10;

/** Does not follow a link that has replaced the file since it was found. */
export async function openSessionFile(path: string): Promise<FileHandle> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw unreadable("it is not a file");
}

/** A file, or what is decompressed from one. It is read from its beginning to its end. */
export interface ReadableBytes {
  read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ bytesRead: number; buffer: Buffer }>;
}

export async function* rowsOf(
  handle: ReadableBytes,
  from = 0,
  maxLineBytes = defaultMaxLineBytes,
): AsyncGenerator<FileRow> {
  let kept: Buffer[] = [];
  let keptBytes = 0;
  let at = from;
  let tooLong = false;
  for (let size = firstBytes; ; size = chunkBytes) {
    // A new buffer each time: parts of it are kept and must not be overwritten.
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(size), 0, size, at + keptBytes);
    if (bytesRead === 0) break;
    const chunk = buffer.subarray(0, bytesRead);
    let start = 0;
    for (let lf = chunk.indexOf(LF); lf !== -1; lf = chunk.indexOf(LF, start)) {
      tooLong ||= keptBytes + (lf - start) > maxLineBytes;
      const line = Buffer.concat([...kept, chunk.subarray(start, lf)]);
      at += keptBytes + (lf - start) + 1;
      start = lf + 1;
      if (tooLong || !isBlank(line)) yield { row: tooLong ? null : parse(line), end: at, whole: true };
      kept = [];
      keptBytes = 0;
      tooLong = false;
    }
    const rest = chunk.subarray(start);
    if (tooLong || keptBytes + rest.length > maxLineBytes) {
      // Skip to the end of the line.
      tooLong = true;
      at += keptBytes + rest.length;
      kept = [];
      keptBytes = 0;
    } else if (rest.length > 0) {
      kept.push(rest);
      keptBytes += rest.length;
    }
  }
  if (tooLong) yield { row: null, end: at, whole: false };
  else if (keptBytes > 0) {
    const line = Buffer.concat(kept);
    if (!isBlank(line)) yield { row: parse(line), end: at + keptBytes, whole: false };
  }
}

/** Spaces, tabs and the CR before an LF. */
const isBlank = (line: Buffer): boolean => line.every((byte) => byte === 32 || byte === 9 || byte === 13);

/** A file that is one JSON value, or a message. Null: no JSON object, or beyond the bounds. */
export async function readWholeFile(handle: FileHandle): Promise<{ row: object | null; digest: string }> {
  const { size } = await handle.stat();
  if (size > defaultMaxLineBytes) throw unreadable(`it is larger than ${defaultMaxLineBytes / 2 ** 20} MB`);
  const bytes = Buffer.alloc(size);
  let at = 0;
  while (at < size) {
    const { bytesRead } = await handle.read(bytes, at, size - at, at);
    if (bytesRead === 0) break; // it was cut meanwhile
    at += bytesRead;
  }
  const read = bytes.subarray(0, at);
  return { row: parse(read), digest: createHash("sha256").update(read).digest("hex").slice(0, 32) };
}

/** Null: the reader counts it as unreadable. */
function parse(line: Buffer): object | null {
  const json = readJson(line.toString(), foreignBounds);
  const value = json.ok ? json.value : null;
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : null;
}

/** A digest of the bytes before an offset, to check that a file that has grown is still the same file. */
export async function tailDigest(handle: FileHandle, before: number): Promise<string> {
  const length = Math.min(tailBytes, before);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, before - length);
  return createHash("sha256").update(buffer.subarray(0, bytesRead)).digest("hex").slice(0, 32);
}
