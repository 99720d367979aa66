// Tells a session file of zot, pi or omp in frames, row by row. pi's entries form a tree: a first reading finds the line
// that leads to the last one, a second tells it, so that only ids are kept of however long a file.
import type { FileHandle } from "node:fs/promises";
import { ForeignEntry, foreignBlocks, type ImportProgram } from "@patchbay/protocol";
import * as z from "zod/mini";
import type { PriceCall } from "./call-pricer.ts";
import { Retelling } from "./conversation-frames.ts";
import { rowReaders } from "./places.ts";
import { openSessionFile, rowsOf } from "./read-rows.ts";
import { newFile } from "./recorded-call.ts";

const isMessage = (row: object): boolean => "type" in row && row.type === "message";
const Placed = z.looseObject({ id: z.string(), parentId: z.nullable(z.string()) });
const PiCompaction = z.looseObject({
  type: z.literal("compaction"),
  summary: z.string(),
  firstKeptEntryId: z.optional(z.string()),
});
const ZotCompaction = z.looseObject({
  type: z.literal("compaction"),
  messages: z.array(z.looseObject({ content: z.optional(z.array(z.looseObject({}))) })),
});
/** omp's `/clear`: the model is told nothing of what was before. */
const Cleared = z.looseObject({ type: z.literal("reset_boundary"), timestamp: z.catch(z.string(), "") });
const BranchSummary = z.looseObject({ type: z.literal("branch_summary"), summary: z.string() });
/** Written by an extension, for the model and (unless hidden) for a reader. */
const CustomMessage = z.looseObject({
  type: z.literal("custom_message"),
  customType: z.catch(z.string(), "extension"),
  content: z.union([z.string(), z.array(z.looseObject({}))]),
  display: z.catch(z.boolean(), false),
});

export interface Told {
  frames: object[];
  /** So far. */
  messages: number;
  unreadable: number;
}

export async function* tellSession(
  program: ImportProgram,
  path: string,
  { entryIds, price }: { entryIds: boolean; price: PriceCall },
): AsyncGenerator<Told> {
  const handle = await openSessionFile(path);
  try {
    const line = program === "zot" ? null : await lastLine(handle);
    const retelling = new Retelling({ entryIds, price });
    const told = (): Told => ({
      frames: retelling.take(),
      messages: retelling.messages,
      unreadable: retelling.unreadable,
    });
    let state = newFile;
    /** How many messages stood before each entry: where a compaction's tail begins. */
    const before = new Map<string, number>();
    for await (const { row } of rowsOf(handle)) {
      const read = row === null ? null : rowReaders[program](state, row);
      if (row === null || read === null) {
        retelling.unreadable++;
        continue;
      }
      ({ state } = read);
      const id = Placed.safeParse(row).data?.id;
      if (line !== null && id !== undefined && !line.has(id)) continue; // a way that was left
      if (id !== undefined) before.set(id, retelling.messages);
      const entry = ForeignEntry.safeParse(row).data;
      if (entry !== undefined) retelling.say(entry, read.call);
      else if (isMessage(row)) retelling.unreadable++;
      else if (read.call !== undefined) retelling.spent(read.call);
      else tellOther(row, retelling, before);
      yield told();
    }
    retelling.end();
    yield told();
  } finally {
    await handle.close();
  }
}

/** The ids from the last entry back to the first; null where entries have none. */
async function lastLine(handle: FileHandle): Promise<ReadonlySet<string> | null> {
  const parents = new Map<string, string | null>();
  let last: string | null = null;
  for await (const { row } of rowsOf(handle)) {
    const read = Placed.safeParse(row).data;
    if (read === undefined) continue;
    parents.set(read.id, read.parentId);
    last = read.id;
  }
  if (last === null) return null;
  const line = new Set<string>();
  for (let id: string | null = last; id !== null && !line.has(id); id = parents.get(id) ?? null) line.add(id);
  return line;
}

function tellOther(row: object, retelling: Retelling, before: ReadonlyMap<string, number>): void {
  const pi = PiCompaction.safeParse(row).data;
  if (pi !== undefined) {
    const first = before.get(pi.firstKeptEntryId ?? "") ?? retelling.messages;
    return retelling.compacted(pi.summary, retelling.messages - first);
  }
  const zot = ZotCompaction.safeParse(row).data;
  if (zot !== undefined) {
    const [summary, ...kept] = zot.messages;
    const text = textOf(summary?.content ?? []).replace(/^## Context Summary \(compacted\)\s*/, "");
    return retelling.compacted(text, kept.length);
  }
  const cleared = Cleared.safeParse(row).data;
  if (cleared !== undefined) return retelling.cleared(cleared.timestamp);
  const branch = BranchSummary.safeParse(row).data;
  if (branch !== undefined) return retelling.note("summary of a branch", branch.summary);
  const custom = CustomMessage.safeParse(row).data;
  if (custom?.display === true) retelling.note(custom.customType, textOf(custom.content));
}

const textOf = (content: string | readonly object[]): string =>
  foreignBlocks(content)
    .flatMap((block) => (block.type === "text" ? [block.text] : []))
    .join("\n");
