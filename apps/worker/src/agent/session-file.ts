// Reads a conversation from a file: our own export (a message per line), or a session file of zot, pi or omp.
// Whatever cannot be read is said; a file is never silently taken for an empty one.
import { open } from "node:fs/promises";
import { homedir } from "node:os";
import { resolve } from "node:path";
import { Message } from "@patchbay/protocol";
import * as z from "zod/mini";
import { newEntryId } from "./conversation.ts";
import { foreignMessages } from "./foreign-messages.ts";

/** Months of work; more would not fit a session's snapshot. */
const maxFileBytes = 64 * 1024 * 1024;

const Line = z.looseObject({ type: z.optional(z.string()) });

export async function readSessionFile(
  cwd: string,
  sessionPath: string,
): Promise<{ path: string; messages: Message[] }> {
  const path = resolve(cwd, sessionPath.replace(/^~(?=\/|$)/, homedir()));
  const lines = (await readText(path)).split("\n");
  const rows = lines.flatMap((line, index) => readLine(path, line, index, lines.length));
  const own = rows.every((row) => row.type === undefined);
  const messages = own ? rows.map((row, index) => readMessage(path, row, index)) : foreignMessages(rows);
  if (messages.length === 0)
    throw new Error(`${path} holds no messages; it is no session file that can be read here`);
  return { path, messages: withEntryIds(messages) };
}

async function readText(path: string): Promise<string> {
  try {
    await using file = await openFile(path);
    const stat = await file.handle.stat();
    if (!stat.isFile()) throw new Error("it is not a file");
    if (stat.size > maxFileBytes) throw new Error(`it is larger than ${maxFileBytes / 1024 / 1024} MiB`);
    return await file.handle.readFile("utf8");
  } catch (error) {
    const missing = error instanceof Error && "code" in error && error.code === "ENOENT";
    const why = missing ? "there is no such file" : error instanceof Error ? error.message : String(error);
    throw new Error(`${path} cannot be read: ${why}`, { cause: error });
  }
}

/** Node 20's own handles cannot be disposed of. */
async function openFile(path: string) {
  const handle = await open(path, "r");
  return { handle, [Symbol.asyncDispose]: () => handle.close() };
}

function readLine(path: string, line: string, index: number, count: number): z.infer<typeof Line>[] {
  if (line.trim() === "") return [];
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    // A line without its end: whoever wrote it was killed. Everything before it counts.
    if (index === count - 1 && index > 0) return [];
    throw new Error(`${path} is no session file: its line ${index + 1} is not JSON`);
  }
  const read = Line.safeParse(value);
  if (!read.success) throw new Error(`${path} is no session file: its line ${index + 1} is no object`);
  return [read.data];
}

function readMessage(path: string, row: unknown, index: number): Message {
  const read = Message.safeParse(row);
  if (!read.success) throw new Error(`${path} is no session file: its line ${index + 1} is no message`);
  return read.data;
}

/** Every prompt can be gone back to; those of a file that was read twice are told apart by their branch. */
const withEntryIds = (messages: readonly Message[]): Message[] =>
  messages.map((message) =>
    message.role === "user" && message.bash === undefined && message.entry_id === undefined
      ? { ...message, entry_id: newEntryId() }
      : message,
  );
