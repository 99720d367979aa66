// The sessions that zot, pi and omp left for a directory: found by the head of each file, and described by reading on,
// as far as a list is worth it.
import { realpathSync } from "node:fs";
import {
  ForeignEntry,
  type FoundSession,
  foreignMessage,
  ImportProgram,
  messageText,
} from "@patchbay/protocol";
import * as z from "zod/mini";
import { filesIn, type Place, type PlacedFile, rowReaders } from "./places.ts";
import { openSessionFile, rowsOf } from "./read-rows.ts";
import { type FileState, newFile, toTime } from "./recorded-call.ts";

export interface SessionFile extends Omit<FoundSession, "workers" | "continued_as"> {
  path: string;
}

/** omp's title stands before the head; more is no session file. */
const headRows = 4;
/** Thousands of files are usual, and each costs a few waits for the disk. */
const headsAtOnce = 32;
const mostListed = 50;
/** Reading that much takes about a second; what is longer is listed without its figures. */
const describedBytes = 64 * 1024 * 1024;
const longestExcerpt = 200;

/** Newest first. */
export async function findSessions(places: readonly Place[], cwd: string): Promise<SessionFile[]> {
  const found: { program: ImportProgram; file: PlacedFile }[] = [];
  for (const place of places) {
    const program = ImportProgram.safeParse(place.program).data;
    if (program === undefined) continue;
    const files = (await filesIn(place)).filter(({ nested }) => !nested);
    for (let at = 0; at < files.length; at += headsAtOnce) {
      const some = files.slice(at, at + headsAtOnce);
      const ours = await Promise.all(some.map((file) => isOf(program, file, cwd)));
      for (const [index, file] of some.entries()) if (ours[index] === true) found.push({ program, file });
    }
  }
  found.sort((a, b) => b.file.modified - a.file.modified);
  const sessions: SessionFile[] = [];
  let left = describedBytes;
  for (const { program, file } of found.slice(0, mostListed)) {
    left -= file.bytes;
    const session = await describe(program, file, left >= 0);
    if (session !== null) sessions.push(session);
  }
  return sessions;
}

async function isOf(program: ImportProgram, { path }: PlacedFile, cwd: string): Promise<boolean> {
  const head = await headOf(program, path);
  return head !== null && (head.cwd === cwd || realPath(head.cwd) === cwd);
}

async function headOf(program: ImportProgram, path: string): Promise<FileState | null> {
  const handle = await openSessionFile(path).catch(() => null); // gone, or not ours to read: not in the list
  if (handle === null) return null;
  try {
    let state = newFile;
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

/** Null: there is nothing in it to go on with. */
async function describe(
  program: ImportProgram,
  { path, bytes, modified }: PlacedFile,
  whole: boolean,
): Promise<SessionFile | null> {
  const handle = await openSessionFile(path);
  try {
    let state = newFile;
    let started = "";
    let title = "";
    let first_prompt = "";
    let message_count = 0;
    let micros = 0;
    let unpriced = 0;
    let unreadable = 0;
    for await (const { row } of rowsOf(handle)) {
      const told = row === null ? null : rowReaders[program](state, row);
      if (row === null || told === null) {
        unreadable++;
        continue;
      }
      if (isHidden(row)) return null;
      ({ state } = told);
      started ||= state.time;
      title = titleIn(row) ?? title;
      const said = saidIn(row);
      if (said !== null) message_count++;
      if (said?.role === "user") first_prompt ||= said.text;
      if (told.call !== undefined) {
        micros += Math.round((told.call.cost_usd ?? 0) * 1e6);
        if (told.call.cost_usd === null) unpriced++;
        state = { ...state, provider: told.call.provider, model: told.call.model };
      }
      if (!whole && first_prompt !== "") break;
    }
    if (message_count === 0) return null;
    const figures = { message_count, cost_usd: micros / 1e6, ...(unpriced > 0 ? { unpriced } : {}) };
    return {
      program,
      path,
      bytes,
      session: state.session,
      title: excerpt(title),
      first_prompt: excerpt(first_prompt),
      started_at: toTime(started),
      updated_at: toTime(whole ? state.time : "", new Date(modified).toISOString()),
      ...(whole ? figures : {}),
      ...(unreadable > 0 ? { unreadable } : {}),
      ...(state.model === "" ? {} : { provider: state.provider, model: state.model }),
    };
  } finally {
    await handle.close();
  }
}

const words = z.optional(z.catch(z.string(), ""));
const Named = z.object({
  type: z.enum(["session_info", "title", "title_change", "rename", "session", "meta"]),
  name: words,
  title: words,
  meta: z.optional(z.catch(z.object({ title: words }), {})),
});

function titleIn(row: object): string | undefined {
  const { name, title, meta } = Named.safeParse(row).data ?? {};
  return [name, title, meta?.title].find((text) => text !== undefined && text.trim() !== "");
}

function saidIn(row: object): { role: string; text: string } | null {
  const entry = ForeignEntry.safeParse(row).data;
  const message = entry === undefined ? null : foreignMessage(entry);
  if (message === null || entry?.message.role === "toolResult" || message.role === "tool") return null;
  return { role: entry?.message.role ?? "", text: messageText(message) };
}

/** zot's own: a branch that only its tree shows. */
const isHidden = (row: object): boolean =>
  z.looseObject({ meta: z.looseObject({ hide_from_sessions: z.literal(true) }) }).safeParse(row).success;

function excerpt(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > longestExcerpt ? `${line.slice(0, longestExcerpt - 1)}…` : line;
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined; // the directory is gone: nobody can ask for it
  }
}
