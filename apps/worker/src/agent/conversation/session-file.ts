// Reads a conversation from a file: our own export (a message per line), or a session file of zot, pi or omp.
// What cannot be read is an error; a file is never silently taken for an empty one.
import { Message } from "@patchbay/protocol";
import * as z from "zod/mini";
import { type FileAccess, locate, openFile } from "../../tools/files/files.ts";
import { newEntryId } from "./conversation.ts";
import { foreignMessages } from "./foreign-messages.ts";

/** Months of work; more would not fit a session's snapshot. */
const maxFileBytes = 64 * 1024 * 1024;

const Line = z.looseObject({ type: z.optional(z.string()) });

export async function readSessionFile(
  sessionPath: string,
  /** The jail holds for this file, too. */
  place: FileAccess,
): Promise<{ path: string; messages: Message[] }> {
  const path = locate(sessionPath, place);
  const lines = (await readText(path, place)).split("\n");
  const rows = lines.flatMap((line, index) => readLine(path, line, index, lines.length));
  const own = rows.every((row) => row.type === undefined);
  const messages = own ? rows.map((row, index) => readMessage(path, row, index)) : foreignMessages(rows);
  if (messages.length === 0) throw new Error(`${path} has no messages; it is not a session file`);
  return { path, messages: withEntryIds(messages) };
}

async function readText(path: string, place: FileAccess): Promise<string> {
  const handle = await openFile(path, path, place);
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) throw new Error(`${path} cannot be read: it is not a file`);
    if (stat.size > maxFileBytes)
      throw new Error(`${path} cannot be read: it is larger than ${maxFileBytes / 1024 / 1024} MiB`);
    return await handle.readFile("utf8");
  } finally {
    await handle.close();
  }
}

function readLine(path: string, line: string, index: number, count: number): z.infer<typeof Line>[] {
  if (line.trim() === "") return [];
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    // A line without its end: its writer was killed. Everything before it counts.
    if (index === count - 1 && index > 0) return [];
    throw new Error(`${path} is not a session file: line ${index + 1} is not JSON`);
  }
  const read = Line.safeParse(value);
  if (!read.success) throw new Error(`${path} is not a session file: line ${index + 1} is not an object`);
  return [read.data];
}

function readMessage(path: string, row: unknown, index: number): Message {
  const read = Message.safeParse(row);
  if (!read.success) throw new Error(`${path} is not a session file: line ${index + 1} is not a message`);
  return read.data;
}

/** Every prompt can be gone back to; those of a file that was read twice differ by their branch. */
const withEntryIds = (messages: readonly Message[]): Message[] =>
  messages.map((message) =>
    message.role === "user" && message.bash === undefined && message.entry_id === undefined
      ? { ...message, entry_id: newEntryId() }
      : message,
  );
