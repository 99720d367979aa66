// The blocks of an answer in the order they are shown: calls that follow each other without text between them were
// made together.
import type { ContentBlock, ToolCallBlock } from "@patchbay/protocol";

export type ContentGroup =
  | { kind: "block"; at: number; block: ContentBlock }
  | { kind: "calls"; calls: readonly ToolCallBlock[] };

export function groupContent(content: readonly ContentBlock[]): ContentGroup[] {
  const groups: ContentGroup[] = [];
  for (let at = 0; at < content.length; ) {
    const calls = callsFrom(content, at);
    const block = content[at];
    if (calls.length > 1) groups.push({ kind: "calls", calls });
    else if (block !== undefined) groups.push({ kind: "block", at, block });
    at += Math.max(1, calls.length);
  }
  return groups;
}

/** The key of a group among the open cards. */
export const groupId = (calls: readonly ToolCallBlock[]): string => `group-${calls[0]?.id ?? ""}`;

function callsFrom(content: readonly ContentBlock[], from: number): ToolCallBlock[] {
  const calls: ToolCallBlock[] = [];
  for (const block of content.slice(from)) {
    if (block.type !== "tool_call") break;
    calls.push(block);
  }
  return calls;
}
