// Finds the sessions of zot, pi and omp for a directory: by the head of each file. The newest are described by reading their
// files, up to a bound.
import { realpathSync } from "node:fs";
import {
  ForeignEntry,
  type FoundSession,
  foreignMessage,
  ImportProgram,
  messageText,
} from "@patchbay/protocol";
import * as z from "zod/mini";
import { type FileState, initialState, toIsoTime } from "./formats/recorded-call.ts";
import { filesIn, type ProgramDirectory, rowReaders, type SessionFileInfo } from "./program-directories.ts";
import { openSessionFile, rowsOf } from "./read-rows.ts";

export interface SessionFile extends Omit<FoundSession, "workers" | "continued_as"> {
  path: string;
}

/** omp writes a title before the head. A file without a head in these rows is no session file. */
const headRows = 4;
/** Thousands of files are usual, and each needs a few disk reads. */
const headsAtOnce = 32;
const maxListed = 50;
/** Reading that much takes about a second. Sessions beyond it are listed without their figures. */
const describedBytes = 64 * 1024 * 1024;
const maxExcerptChars = 200;

/** Newest first. */
export async function findSessions(
  directories: readonly ProgramDirectory[],
  cwd: string,
): Promise<SessionFile[]> {
  const found: { program: ImportProgram; file: SessionFileInfo }[] = [];
  for (const directory of directories) {
    const program = ImportProgram.safeParse(directory.program).data;
    if (program === undefined) continue;
    const files = (await filesIn(directory)).filter(({ nested }) => !nested);
    for (let at = 0; at < files.length; at += headsAtOnce) {
      const some = files.slice(at, at + headsAtOnce);
      const matches = await Promise.all(some.map((file) => isInDirectory(program, file, cwd)));
      for (const [index, file] of some.entries()) if (matches[index] === true) found.push({ program, file });
    }
  }
  found.sort((a, b) => b.file.modified - a.file.modified);
  const sessions: SessionFile[] = [];
  let left = describedBytes;
  for (const { program, file } of found.slice(0, maxListed)) {
    left -= file.bytes;
    const session = await describe(program, file, left >= 0);
    if (session !== null) sessions.push(session);
  }
  return sessions;
}

async function isInDirectory(
  program: ImportProgram,
  { path }: SessionFileInfo,
  cwd: string,
): Promise<boolean> {
  const head = await headOf(program, path);
  return head !== null && (head.cwd === cwd || realPath(head.cwd) === cwd);
}

async function headOf(program: ImportProgram, path: string): Promise<FileState | null> {
  const handle = await openSessionFile(path).catch(() => null); // gone, or not readable: not in the list
  if (handle === null) return null;
  try {
    let state = initialState;
    let count = 0;
    for await (const { row } of rowsOf(handle)) {
      state = (row === null ? null : rowReaders[program](state, row))?.state ?? state;
      if (state.session !== "" || ++count >= headRows) break;
    }
    return state.session === "" ? null : state;
  } finally {
    await handle.close();
  }
}

/** Null: there is nothing in it to continue. */
async function describe(
  program: ImportProgram,
  { path, bytes, modified }: SessionFileInfo,
  whole: boolean,
): Promise<SessionFile | null> {
  const handle = await openSessionFile(path);
  try {
    let state = initialState;
    let started = "";
    let title = "";
    let first_prompt = "";
    let message_count = 0;
    let nanos = 0;
    let unpriced = 0;
    let unreadable = 0;
    for await (const { row } of rowsOf(handle)) {
      const read = row === null ? null : rowReaders[program](state, row);
      if (row === null || read === null) {
        unreadable++;
        continue;
      }
      if (isHidden(row)) return null;
      ({ state } = read);
      started ||= state.time;
      title = titleIn(row) ?? title;
      const message = messageIn(row);
      if (message !== null) message_count++;
      if (message?.role === "user") first_prompt ||= message.text;
      if (read.call !== undefined) {
        nanos += Math.round((read.call.cost_usd ?? 0) * 1e9);
        if (read.call.cost_usd === null) unpriced++;
        state = { ...state, provider: read.call.provider, model: read.call.model };
      }
      if (!whole && first_prompt !== "") break;
    }
    if (message_count === 0) return null;
    const figures = { message_count, cost_usd: nanos / 1e9, ...(unpriced > 0 ? { unpriced } : {}) };
    return {
      program,
      path,
      bytes,
      session: state.session,
      title: excerpt(title),
      first_prompt: excerpt(first_prompt),
      started_at: toIsoTime(started),
      updated_at: toIsoTime(whole ? state.time : "", new Date(modified).toISOString()),
      ...(whole ? figures : {}),
      ...(unreadable > 0 ? { unreadable } : {}),
      ...(state.model === "" ? {} : { provider: state.provider, model: state.model }),
    };
  } finally {
    await handle.close();
  }
}

const optionalText = z.optional(z.catch(z.string(), ""));
const Named = z.object({
  type: z.enum(["session_info", "title", "title_change", "rename", "session", "meta"]),
  name: optionalText,
  title: optionalText,
  meta: z.optional(z.catch(z.object({ title: optionalText }), {})),
});

function titleIn(row: object): string | undefined {
  const { name, title, meta } = Named.safeParse(row).data ?? {};
  return [name, title, meta?.title].find((text) => text !== undefined && text.trim() !== "");
}

function messageIn(row: object): { role: string; text: string } | null {
  const entry = ForeignEntry.safeParse(row).data;
  const message = entry === undefined ? null : foreignMessage(entry);
  if (message === null || entry?.message.role === "toolResult" || message.role === "tool") return null;
  return { role: entry?.message.role ?? "", text: messageText(message) };
}

/** zot marks branches that only its own tree view shows. */
const isHidden = (row: object): boolean =>
  z.looseObject({ meta: z.looseObject({ hide_from_sessions: z.literal(true) }) }).safeParse(row).success;

function excerpt(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > maxExcerptChars ? `${line.slice(0, maxExcerptChars - 1)}…` : line;
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined; // the directory is gone: no session can be started in it
  }
}
