// Where an entry of the transcript has the terms of a search: in its text, or in a call or its result, which are folded
// until the reader opens them.
import { type ContentBlock, messageText, type ToolCallBlock, type ToolResultBlock } from "@patchbay/protocol";
import { groupContent, groupId } from "../entries/content-groups.ts";
import type { TranscriptEntry } from "../entries/entries.ts";
import { resultText } from "../tools/tool-state.ts";
import { hasAll } from "./search-terms.ts";

interface MatchedCall {
  call: string;
  /** The group that holds it, when it was made together with others. */
  group: string | null;
}

export interface MatchPlace {
  key: string;
  calls: readonly MatchedCall[];
}

type Results = ReadonlyMap<string, ToolResultBlock>;

/** So many entries around the one that the link names are looked at: about a turn. */
const around = 30;

/** The entry nearest to that one which has all the terms; null when none has. */
export function matchNear(
  entries: readonly TranscriptEntry[],
  at: number,
  terms: readonly RegExp[],
  results: Results,
): MatchPlace | null {
  for (let away = 0; away <= around; away++) {
    for (const index of away === 0 ? [at] : [at - away, at + away]) {
      const entry = entries[index];
      const place = entry === undefined ? null : matchIn(entry, terms, results);
      if (place !== null) return place;
    }
  }
  return null;
}

export function matchIn(
  entry: TranscriptEntry,
  terms: readonly RegExp[],
  results: Results,
): MatchPlace | null {
  if (entry.kind === "user" || entry.kind === "command")
    return hasAll(messageText(entry.message), terms) ? { key: entry.key, calls: [] } : null;
  if (entry.kind !== "answer") return null;
  const calls = callsIn(entry.content).filter(({ block }) => hasAllTerms(block, terms, results));
  if (calls.length === 0 && !hasAll(messageText({ content: [...entry.content] }), terms)) return null;
  return { key: entry.key, calls: calls.map(({ block, group }) => ({ call: block.id, group })) };
}

interface CallIn {
  block: ToolCallBlock;
  group: string | null;
}

function callsIn(content: readonly ContentBlock[]): CallIn[] {
  return groupContent(content).flatMap((group): CallIn[] => {
    if (group.kind === "calls") return group.calls.map((block) => ({ block, group: groupId(group.calls) }));
    return group.block.type === "tool_call" ? [{ block: group.block, group: null }] : [];
  });
}

function hasAllTerms(block: ToolCallBlock, terms: readonly RegExp[], results: Results): boolean {
  const result = results.get(block.id);
  return (
    hasAll(`${block.name} ${textsIn(block.args).join(" ")}`, terms) ||
    (result !== undefined && hasAll(resultText(result.content), terms))
  );
}

/** As the server reads them out of a call's arguments. */
export function textsIn(value: unknown, depth = 0): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null || depth > 8) return [];
  return Object.values(value).flatMap((inner) => textsIn(inner, depth + 1));
}
