// A session file that is not read line by line from an offset: one JSON value, a directory of messages, a compressed file, a database.
// It is read as a whole when it changed.
import { createHash } from "node:crypto";
import { type FileHandle, lstat, readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline, type Transform } from "node:stream";
import zlib from "node:zlib";
import { errorCode } from "../../diagnostics/error-code.ts";
import { expandGeminiRow } from "./formats/gemini-rows.ts";
import { type FileState, initialState } from "./formats/recorded-call.ts";
import { OpencodeDatabase } from "./opencode-database.ts";
import type { ProgramName } from "./program-directories.ts";
import { openSessionFile, type ReadableBytes, readWholeFile, rowsOf } from "./read-rows.ts";
import { type Unreadable, unreadable } from "./unreadable.ts";

export interface WholeSource {
  /** Differs when the source has changed. */
  version: string;
  /** The rows of each of its sessions. Null: a row that cannot be read. */
  sessions(): AsyncGenerator<AsyncIterable<object | null>>;
  /** What is kept for the next reading. */
  state(): string;
  close(): Promise<void>;
}

/** Null: the file is read line by line. */
export async function openWholeSource(
  program: ProgramName,
  path: string,
  knownState: string | undefined,
): Promise<WholeSource | null> {
  if (program === "opencode")
    return path.endsWith(".db") ? openDatabase(path, knownState) : openMessages(path);
  if (path.endsWith(".json")) return openDocument(path);
  if (path.endsWith(".zst")) return openCompressed(path);
  return null;
}

async function openDocument(path: string): Promise<WholeSource> {
  const handle = await openSessionFile(path);
  const { row, digest } = await readAndClose(handle);
  return {
    version: digest,
    async *sessions() {
      yield each(row === null ? [null] : expandGeminiRow(row));
    },
    state: () => "",
    close: async () => {},
  };
}

async function readAndClose(handle: FileHandle): ReturnType<typeof readWholeFile> {
  try {
    return await readWholeFile(handle);
  } finally {
    await handle.close();
  }
}

/** A directory with a file for each message. */
async function openMessages(path: string): Promise<WholeSource> {
  if ((await realpath(path)) !== path) throw unreadable("it is a link");
  const names = (await readdir(path, { withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith(".json"))
    .map(({ name }) => name)
    .sort(); // the ids of messages ascend with time
  const hash = createHash("sha256");
  for (const name of names) {
    const facts = await stat(join(path, name)).catch(() => undefined);
    hash.update(`${name} ${facts?.size} ${facts?.mtimeMs}\n`);
  }
  return {
    version: hash.digest("hex").slice(0, 32),
    async *sessions() {
      yield messageFiles(path, names);
    },
    state: () => "",
    close: async () => {},
  };
}

async function* messageFiles(path: string, names: readonly string[]): AsyncGenerator<object | null> {
  for (const name of names) {
    const handle = await openSessionFile(join(path, name)).catch(() => null); // removed meanwhile, or replaced by a link
    if (handle === null) continue;
    yield (await readAndClose(handle).catch(withoutRow)).row;
  }
}

/** One message that cannot be read leaves the others. */
function withoutRow(error: unknown): { row: null } {
  const code: Unreadable = "UNREADABLE";
  if (errorCode(error) !== code) throw error;
  return { row: null };
}

async function openDatabase(path: string, knownState: string | undefined): Promise<WholeSource> {
  const [file, wal] = await Promise.all([lstat(path), lstat(`${path}-wal`).catch(() => undefined)]);
  const since = Number(knownState ?? 0);
  let newest = since;
  const database = await OpencodeDatabase.open(path);
  return {
    version: [file.size, file.mtimeMs, wal?.size, wal?.mtimeMs].join(" "),
    async *sessions() {
      for (const messages of (await database.index()).values()) {
        const updated = Math.max(...messages.map(({ time_updated }) => time_updated));
        newest = Math.max(newest, updated);
        if (updated >= since) yield database.messages(messages);
      }
    },
    state: () => String(newest),
    close: async () => database[Symbol.dispose](),
  };
}

/** Codex compresses files that were not used for long. */
async function openCompressed(path: string): Promise<WholeSource> {
  const handle = await openSessionFile(path);
  const { size, mtimeMs } = await handle.stat();
  return {
    version: `${size} ${mtimeMs}`,
    async *sessions() {
      yield decompressedRows(handle);
    },
    state: () => "",
    close: () => handle.close(),
  };
}

async function* decompressedRows(handle: FileHandle): AsyncGenerator<object | null> {
  const create: unknown = Reflect.get(zlib, "createZstdDecompress"); // not in every version of Node
  if (typeof create !== "function")
    throw unreadable(`it is compressed, which Node ${process.versions.node} cannot read (22.15 can)`);
  const decompressor: Transform = Reflect.apply(create, zlib, []);
  // An error of the file reaches the reader through the decompressor, which is destroyed with it.
  pipeline(handle.createReadStream({ autoClose: false }), decompressor, () => {});
  try {
    for await (const { row } of rowsOf(asReadable(decompressor))) yield row;
  } finally {
    decompressor.destroy(); // an import that was stopped leaves the rest
  }
}

/** The most that a compressed file may contain. */
const maxDecompressedBytes = 8 * 1024 ** 3;

function asReadable(stream: Transform): ReadableBytes {
  const chunks = stream.iterator();
  let total = 0;
  return {
    async read(buffer) {
      const { value, done } = await chunks.next().catch((error: unknown) => {
        throw unreadable("it cannot be decompressed", error);
      });
      if (done === true) return { bytesRead: 0, buffer };
      total += value.length;
      if (total > maxDecompressedBytes) throw unreadable("it contains too much");
      return { bytesRead: value.length, buffer: value };
    },
  };
}

async function* each(rows: readonly (object | null)[]): AsyncGenerator<object | null> {
  yield* rows;
}

/** What the place of a file says of it. Gemini CLI keeps the directory of the project beside its sessions. */
export async function stateAt(program: ProgramName, path: string): Promise<FileState> {
  if (program !== "gemini") return initialState;
  const [, root] = /^(.*\/tmp\/[^/]+)\/chats\//.exec(path) ?? [];
  const handle =
    root === undefined ? null : await openSessionFile(join(root, ".project_root")).catch(() => null);
  if (handle === null) return initialState;
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(maxPathBytes), 0, maxPathBytes, 0);
    return { ...initialState, cwd: buffer.toString("utf8", 0, bytesRead).trim() };
  } finally {
    await handle.close();
  }
}
const maxPathBytes = 4_096;
