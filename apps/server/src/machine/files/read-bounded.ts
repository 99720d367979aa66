// Reads files of a directory that an agent can write. The path may be a pipe, a device, a link or a file of
// terabytes: opening never waits, no link is followed, only regular files are read, and never more than a bound.
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";

/** O_NONBLOCK: opening a pipe without a writer would otherwise wait for one. O_NOCTTY: a terminal does not become the server's own. */
const harmless = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW | constants.O_NOCTTY;
const chunkBytes = 256 * 1024;

/**
 * The content of a regular file of at most `maxBytes`; undefined for everything else. Synchronous, and never waits.
 * `accept` may refuse what was opened.
 */
export function readBounded(
  path: string | Buffer,
  maxBytes: number,
  accept: (descriptor: number) => boolean = () => true,
): Buffer | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, harmless);
    const stats = fstatSync(descriptor);
    if (!stats.isFile() || stats.size > maxBytes || !accept(descriptor)) return undefined;
    const content = Buffer.alloc(stats.size); // 0 for files of /proc, which are read as empty
    let length = 0;
    while (length < content.length) {
      const count = readSync(descriptor, content, length, content.length - length, length);
      if (count === 0) break;
      length += count;
    }
    return content.subarray(0, length);
  } catch {
    return undefined; // absent, a link, or not readable
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** The same as text. */
export const readBoundedText = (path: string, maxBytes: number): string | undefined =>
  readBounded(path, maxBytes)?.toString("utf8");

/** A regular file, opened without waiting or following a link in the last part of its path; undefined: not a regular file. */
export async function openRegular(path: string | Buffer): Promise<FileHandle | undefined> {
  let file: FileHandle;
  try {
    file = await open(path, harmless);
  } catch {
    return undefined; // absent, a link, or not readable
  }
  try {
    if ((await file.stat()).isFile()) return file;
  } catch (error) {
    await file.close();
    throw error;
  }
  await file.close();
  return undefined;
}

/** The current content, if it is at most `maxBytes`; what is appended meanwhile is not read. */
export async function readHandle(file: FileHandle, maxBytes: number): Promise<Buffer | undefined> {
  const { size } = await file.stat();
  if (size > maxBytes) return undefined;
  const content = Buffer.alloc(size);
  let length = 0;
  while (length < size) {
    const { bytesRead } = await file.read(content, length, size - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return content.subarray(0, length);
}

/** Copies a regular file to a new path; false, with no copy left, when it is not a regular file or larger than `maxBytes`. */
export async function copyRegular(from: string, to: string, maxBytes: number): Promise<boolean> {
  const file = await openRegular(from);
  if (file === undefined) return false;
  try {
    if ((await file.stat()).size > maxBytes) return false;
    const whole = await copyHandle(file, to, maxBytes);
    if (!whole) await rm(to, { force: true }); // the file has grown meanwhile
    return whole;
  } finally {
    await file.close();
  }
}

async function copyHandle(from: FileHandle, to: string, maxBytes: number): Promise<boolean> {
  const target = await open(to, "wx", 0o600);
  try {
    const chunk = Buffer.allocUnsafe(chunkBytes);
    for (let position = 0; ; ) {
      const { bytesRead } = await from.read(chunk, 0, chunk.length, position);
      if (bytesRead === 0) return true;
      position += bytesRead;
      if (position > maxBytes) return false;
      await target.writeFile(chunk.subarray(0, bytesRead));
    }
  } finally {
    await target.close();
  }
}
