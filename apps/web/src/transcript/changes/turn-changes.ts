// What the edits of one turn have changed, read from its calls and their results. Exact, or not told: lines are counted
// only where every edit came with its difference and no file was edited twice, for then their sum says something else.
import type { ContentBlock, Mark, Message, ToolResultBlock } from "@patchbay/protocol";
import { countChanges, parseDiff } from "../../code/diff/diff-lines.ts";
import { evictedSize } from "../../connection/messages/evict-messages.ts";
import { resultsOf } from "../entries/entries.ts";
import { readCall } from "../tools/tool-args.ts";

export interface TurnChanges {
  files: number;
  /** Null: not known exactly. */
  lines: { added: number; removed: number } | null;
}

type TurnMark = Extract<Mark, { kind: "turn" }>;

/**
 * Null: nothing was edited, or the messages of the turn are not on the page. Nothing is remembered by mark: marks stay for
 * as long as the page does, and would keep the list of messages that they were read from.
 */
export function turnChanges(messages: readonly Message[], mark: TurnMark): TurnChanges | null {
  const turn = messages.slice(promptBefore(messages, mark.at), mark.at);
  if (turn.some((message) => evictedSize(message) !== undefined)) return null;
  const results = resultsOf(turn);
  const edits = turn.flatMap(({ content }) => content.flatMap((block) => editIn(block, results)));
  if (edits.length === 0) return null;
  const files = new Set(edits.map(({ path }) => path)).size;
  const counted = edits.flatMap(({ lines }) => lines ?? []);
  const isExact = files === edits.length && counted.length === edits.length;
  const sum = (side: "added" | "removed"): number => counted.reduce((total, lines) => total + lines[side], 0);
  return { files, lines: isExact ? { added: sum("added"), removed: sum("removed") } : null };
}

/** The prompt that began the turn: steering only joins it. */
function promptBefore(messages: readonly Message[], at: number): number {
  for (let index = Math.min(at, messages.length) - 1; index >= 0; index--) {
    const message = messages[index];
    if (message?.role === "user" && message.bash === undefined && message.steering !== true) return index;
  }
  return 0;
}

interface Edit {
  path: string;
  lines: TurnChanges["lines"];
}

/** An edit that was made: what failed or has no result has changed nothing that is known. */
function editIn(block: ContentBlock, results: ReadonlyMap<string, ToolResultBlock>): Edit[] {
  if (block.type !== "tool_call") return [];
  const call = readCall(block.name, block.args);
  if (call.tool !== "edit" && call.tool !== "write") return [];
  const result = results.get(block.id);
  if (result === undefined || result.is_error) return [];
  const diff = result.details?.["diff"];
  const lines = typeof diff === "string" ? parseDiff(diff) : null;
  return [{ path: call.path, lines: lines === null ? null : countChanges(lines) }];
}
