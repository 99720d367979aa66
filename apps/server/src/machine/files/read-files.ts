// Read-only access to a session's directory. Links are followed only within it.
import { isUtf8 } from "node:buffer";
import { readdir, realpath, stat } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import { PatchbayError } from "@patchbay/protocol";
import { openRegular } from "./read-bounded.ts";

export interface Entry {
  name: string;
  kind: "file" | "directory" | "link" | "other";
  bytes?: number;
}

export interface FileText {
  bytes: number;
  /** Null: not a text file. */
  text: string | null;
  /** The file is longer than `text`. */
  more: boolean;
}

const maxEntries = 2_000;
const maxBytes = 1024 * 1024;

export async function listDirectory(
  root: string,
  path: string,
): Promise<{ entries: Entry[]; more: boolean }> {
  const directory = await within(root, path);
  if (!(await stat(directory)).isDirectory())
    throw new PatchbayError("bad_request", `${path} is not a directory.`);
  const found = await readdir(directory, { withFileTypes: true });
  const entries = await Promise.all(
    found.slice(0, maxEntries).map(async (entry): Promise<Entry> => {
      if (entry.isDirectory()) return { name: entry.name, kind: "directory" };
      if (entry.isSymbolicLink()) return { name: entry.name, kind: "link" };
      if (!entry.isFile()) return { name: entry.name, kind: "other" };
      const stats = await stat(join(directory, entry.name)).catch(() => null); // removed meanwhile
      return { name: entry.name, kind: "file", ...(stats === null ? {} : { bytes: stats.size }) };
    }),
  );
  const rank = ({ kind }: Entry): number => (kind === "directory" ? 0 : 1);
  entries.sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
  return { entries, more: found.length > maxEntries };
}

/** The text of a file, or the beginning of a very long one; null: not a text file. */
export async function readText(root: string, path: string): Promise<FileText> {
  const real = await within(root, path);
  const file = await openRegular(real);
  if (file === undefined) throw new PatchbayError("bad_request", `${path} is not a readable file.`);
  try {
    const stats = await file.stat();
    const buffer = Buffer.alloc(Math.min(stats.size, maxBytes));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    const more = stats.size > maxBytes;
    const read = wholeCharacters(buffer.subarray(0, bytesRead), more);
    const isText = isUtf8(read) && !read.includes(0);
    return { bytes: stats.size, text: isText ? read.toString("utf8") : null, more };
  } finally {
    await file.close();
  }
}

/** Drops an incomplete character at the cut. */
function wholeCharacters(bytes: Buffer, wasCut: boolean): Buffer {
  if (!wasCut) return bytes;
  for (let back = 0; back < 4; back++) {
    const shorter = bytes.subarray(0, bytes.length - back);
    if (isUtf8(shorter)) return shorter;
  }
  return bytes;
}

async function within(root: string, path: string): Promise<string> {
  const missing = new PatchbayError("not_found", `${path === "" ? "The directory" : path} no longer exists.`);
  const base = await realpath(root).catch(() => {
    throw missing;
  });
  const real = await realpath(resolve(base, path)).catch(() => {
    throw missing;
  });
  if (real !== base && !real.startsWith(base.endsWith(sep) ? base : base + sep))
    throw new PatchbayError("forbidden", `${path} is outside the session's directory.`);
  return real;
}
