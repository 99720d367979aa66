// Converts a session's record to a row and back: times are milliseconds, booleans are 1 and 0.
import { SessionAccess } from "@patchbay/protocol";
import type { Selectable } from "kysely";
import * as z from "zod/mini";
import { type ProcessMark, type SessionRecord, SessionSummary } from "../session-record.ts";
import { Worktree } from "../worktree.ts";
import type { Tables } from "./database/tables.ts";

type Row = Selectable<Tables["sessions"]>;

export const toSessionRow = ({
  created_at,
  updated_at,
  process,
  pinned,
  archived,
  deletes_at,
  agent_session,
  project,
  worktree,
  summary,
  capabilities,
  owner,
  access,
  ...plain
}: SessionRecord): Row => ({
  ...plain,
  agent_session: agent_session ?? null,
  project: project ?? null,
  worktree: json(worktree),
  summary: json(summary),
  capabilities: json(capabilities),
  owner: owner ?? null,
  access: json(access),
  created_at: Date.parse(created_at),
  updated_at: Date.parse(updated_at),
  ...processColumns(process),
  pinned: Number(pinned),
  archived: Number(archived),
  deletes_at: deletes_at === null ? null : Date.parse(deletes_at),
});

/** Only the columns that change. */
export function toColumns(change: Partial<Omit<SessionRecord, "id">>): Partial<Row> {
  const {
    created_at,
    updated_at,
    process,
    pinned,
    archived,
    deletes_at,
    worktree,
    summary,
    capabilities,
    access,
    ...plain
  } = change;
  return {
    ...plain,
    ...(worktree === undefined ? {} : { worktree: json(worktree) }),
    ...(summary === undefined ? {} : { summary: json(summary) }),
    ...(capabilities === undefined ? {} : { capabilities: json(capabilities) }),
    ...(access === undefined ? {} : { access: json(access) }),
    ...(created_at === undefined ? {} : { created_at: Date.parse(created_at) }),
    ...(updated_at === undefined ? {} : { updated_at: Date.parse(updated_at) }),
    ...(process === undefined ? {} : processColumns(process)),
    ...(pinned === undefined ? {} : { pinned: Number(pinned) }),
    ...(archived === undefined ? {} : { archived: Number(archived) }),
    ...(deletes_at === undefined ? {} : { deletes_at: deletes_at === null ? null : Date.parse(deletes_at) }),
  };
}

const processColumns = (process: ProcessMark | null) => ({
  process_pid: process?.pid ?? null,
  process_tag: process?.tag ?? null,
  process_started: process?.started ?? null,
});

export function fromSessionRow(row: Row): SessionRecord {
  const { created_at, updated_at, deletes_at, pinned, archived, ...others } = row;
  const {
    process_pid,
    process_tag,
    process_started,
    agent_session,
    project,
    worktree,
    summary,
    capabilities,
    owner,
    access,
    ...plain
  } = others;
  const made = parsed(Worktree, worktree);
  const shown = parsed(SessionSummary, summary);
  const able = parsed(z.array(z.string()), capabilities);
  const shared = parsed(SessionAccess, access); // unreadable: private
  return {
    ...plain,
    created_at: new Date(created_at).toISOString(),
    updated_at: new Date(updated_at).toISOString(),
    process:
      process_pid === null ? null : { pid: process_pid, tag: process_tag ?? "", started: process_started },
    pinned: pinned === 1,
    archived: archived === 1,
    deletes_at: deletes_at === null ? null : new Date(deletes_at).toISOString(),
    ...(agent_session === null ? {} : { agent_session }),
    ...(project === null ? {} : { project }),
    ...(made === undefined ? {} : { worktree: made }),
    ...(shown === undefined ? {} : { summary: shown }),
    ...(able === undefined ? {} : { capabilities: able }),
    ...(owner === null ? {} : { owner }),
    ...(shared === undefined ? {} : { access: shared }),
  };
}

const json = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));

/** An unreadable value counts as absent: the session can be opened, and a worktree that cannot be read is not removed. */
function parsed<T>(schema: z.ZodMiniType<T>, text: string | null): T | undefined {
  if (text === null) return undefined;
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
