// The conversation in a session file of zot, pi or omp. Both kinds keep one entry per line; pi's form a tree, of which
// the line of the last entry is read.
import { ForeignEntry, foreignMessage, type Message } from "@patchbay/protocol";
import * as z from "zod/mini";

export function foreignMessages(rows: readonly object[]): Message[] {
  const messages = lastLine(rows).flatMap((entry) => foreignMessage(entry) ?? []);
  return messages.reduce<Message[]>(joinResults, []);
}

/** From the last entry back to the first; entries without a parent (zot's) all count. */
function lastLine(rows: readonly object[]): ForeignEntry[] {
  const entries = rows.flatMap((row) => ForeignEntry.safeParse(row).data ?? []);
  if (!entries.some(({ parentId }) => typeof parentId === "string")) return entries;
  // Entries that are no messages (a model change, a label) stand between messages in pi's tree.
  const parents = new Map<string, string | null>();
  for (const row of rows) {
    const read = z.looseObject({ id: z.string(), parentId: z.nullable(z.string()) }).safeParse(row);
    if (read.success) parents.set(read.data.id, read.data.parentId);
  }
  const line = new Set<string>();
  for (
    let id: string | null | undefined = [...parents.keys()].at(-1);
    typeof id === "string" && !line.has(id);
  ) {
    line.add(id);
    id = parents.get(id);
  }
  return entries.filter(({ id }) => id !== undefined && line.has(id));
}

/** pi writes a message per result, we one per step. */
function joinResults(before: Message[], message: Message): Message[] {
  const last = before.at(-1);
  if (message.role !== "tool" || last?.role !== "tool") return [...before, message];
  return [...before.slice(0, -1), { ...last, content: [...last.content, ...message.content] }];
}
