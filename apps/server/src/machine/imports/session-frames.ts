// Converts a session file of zot, pi or omp to frames, row by row. pi's entries form a tree: a first pass finds the branch that
// leads to the last entry, a second pass converts it. So only ids are kept in memory, however long the file is.
import type { FileHandle } from "node:fs/promises";
import { ForeignEntry, foreignBlocks, type ImportProgram } from "@patchbay/protocol";
import * as z from "zod/mini";
import { ConversationFrames, type ConversationItem } from "./conversation-frames.ts";
import { initialState } from "./formats/recorded-call.ts";
import { rowReaders } from "./program-directories.ts";
import { openSessionFile, rowsOf } from "./read-rows.ts";

const isMessage = (row: object): boolean => "type" in row && row.type === "message";
const TreeEntry = z.looseObject({ id: z.string(), parentId: z.nullable(z.string()) });
const PiCompaction = z.looseObject({
  type: z.literal("compaction"),
  summary: z.string(),
  firstKeptEntryId: z.optional(z.string()),
});
const ZotCompaction = z.looseObject({
  type: z.literal("compaction"),
  messages: z.array(z.looseObject({ content: z.optional(z.array(z.looseObject({}))) })),
});
/** omp's `/clear`: the model does not see what was before. */
const Cleared = z.looseObject({ type: z.literal("reset_boundary"), timestamp: z.catch(z.string(), "") });
const BranchSummary = z.looseObject({ type: z.literal("branch_summary"), summary: z.string() });
/** Written by an extension, for the model and (with `display`) for people. */
const CustomMessage = z.looseObject({
  type: z.literal("custom_message"),
  customType: z.catch(z.string(), "extension"),
  content: z.union([z.string(), z.array(z.looseObject({}))]),
  display: z.catch(z.boolean(), false),
});

export interface FrameBatch {
  items: ConversationItem[];
  /** The sum so far. */
  messages: number;
  unreadable: number;
}

export async function* sessionFrames(
  program: ImportProgram,
  path: string,
  { entryIds }: { entryIds: boolean },
): AsyncGenerator<FrameBatch> {
  const handle = await openSessionFile(path);
  try {
    const branch = program === "zot" ? null : await currentBranch(handle);
    const conversation = new ConversationFrames({ entryIds });
    const batch = (): FrameBatch => ({
      items: conversation.takeItems(),
      messages: conversation.messages,
      unreadable: conversation.unreadable,
    });
    let state = initialState;
    /** The number of messages before each entry, to find where the kept part of a compaction begins. */
    const messagesBefore = new Map<string, number>();
    for await (const { row } of rowsOf(handle)) {
      const read = row === null ? null : rowReaders[program](state, row);
      if (row === null || read === null) {
        conversation.unreadable++;
        continue;
      }
      ({ state } = read);
      const id = TreeEntry.safeParse(row).data?.id;
      if (branch !== null && id !== undefined && !branch.has(id)) continue; // on another branch
      if (id !== undefined) messagesBefore.set(id, conversation.messages);
      const entry = ForeignEntry.safeParse(row).data;
      if (entry !== undefined) conversation.addEntry(entry, read.call);
      else if (isMessage(row)) conversation.unreadable++;
      else {
        if (read.call !== undefined) conversation.addCall(read.call);
        addOther(row, conversation, messagesBefore);
      }
      yield batch();
    }
    conversation.end();
    yield batch();
  } finally {
    await handle.close();
  }
}

/** The ids from the last entry back to the first. Null: the entries have no ids. */
async function currentBranch(handle: FileHandle): Promise<ReadonlySet<string> | null> {
  const parents = new Map<string, string | null>();
  let last: string | null = null;
  for await (const { row } of rowsOf(handle)) {
    const read = TreeEntry.safeParse(row).data;
    if (read === undefined) continue;
    parents.set(read.id, read.parentId);
    last = read.id;
  }
  if (last === null) return null;
  const branch = new Set<string>();
  for (let id: string | null = last; id !== null && !branch.has(id); id = parents.get(id) ?? null)
    branch.add(id);
  return branch;
}

function addOther(
  row: object,
  conversation: ConversationFrames,
  messagesBefore: ReadonlyMap<string, number>,
): void {
  const pi = PiCompaction.safeParse(row).data;
  if (pi !== undefined) {
    const first = messagesBefore.get(pi.firstKeptEntryId ?? "") ?? conversation.messages;
    return conversation.addCompaction(pi.summary, conversation.messages - first);
  }
  const zot = ZotCompaction.safeParse(row).data;
  if (zot !== undefined) {
    const [summary, ...kept] = zot.messages;
    const text = textOf(summary?.content ?? []).replace(/^## Context Summary \(compacted\)\s*/, "");
    return conversation.addCompaction(text, kept.length);
  }
  const cleared = Cleared.safeParse(row).data;
  if (cleared !== undefined) return conversation.addCleared(cleared.timestamp);
  const branch = BranchSummary.safeParse(row).data;
  if (branch !== undefined) return conversation.addNote("summary of a branch", branch.summary);
  const custom = CustomMessage.safeParse(row).data;
  if (custom?.display === true) conversation.addNote(custom.customType, textOf(custom.content));
}

const textOf = (content: string | readonly object[]): string =>
  foreignBlocks(content)
    .flatMap((block) => (block.type === "text" ? [block.text] : []))
    .join("\n");
