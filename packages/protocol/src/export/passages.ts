// A transcript as a flat list of passages to print: messages, the marks between them, and tool calls
// together with their results.
import type { ContentBlock, ResultContent, ToolResultBlock } from "../message.ts";
import type { Session } from "../session.ts";
import type { Mark, Transcript } from "../transcript/transcript.ts";

/** What stands above a transcript. */
export type ExportHead = Pick<Session, "name" | "worker" | "provider" | "model" | "cwd" | "created_at">;

export type Passage =
  | { kind: "text"; who: "You" | "Agent"; time: string; text: string }
  | { kind: "thinking"; text: string }
  | { kind: "image"; mimeType: string; bytes: number }
  | { kind: "tool"; name: string; args: unknown; output: string; failed: boolean }
  | { kind: "note"; text: string };

export function passages(transcript: Transcript): Passage[] {
  const results = new Map<string, ToolResultBlock>();
  for (const message of transcript.messages) {
    for (const block of message.content) if (block.type === "tool_result") results.set(block.call_id, block);
  }
  const found: Passage[] = [];
  transcript.messages.forEach((message, index) => {
    found.push(...notesAt(transcript.marks, index));
    const who = message.role === "user" ? "You" : "Agent";
    found.push(...message.content.flatMap((block) => passage(block, who, message.time, results)));
  });
  return [...found, ...notesAt(transcript.marks, transcript.messages.length)];
}

function passage(
  block: ContentBlock,
  who: "You" | "Agent",
  time: string,
  results: ReadonlyMap<string, ToolResultBlock>,
): Passage[] {
  switch (block.type) {
    case "text":
      // What a prompt mentions was the model's to read; the prompt names it.
      return block.mention === undefined ? [{ kind: "text", who, time, text: block.text }] : [];
    case "thinking":
      return [{ kind: "thinking", text: block.text }];
    case "image":
      return [{ kind: "image", mimeType: block.mime_type, bytes: block.bytes }];
    case "tool_call": {
      const result = results.get(block.id);
      const output = (result?.content ?? []).map(resultText).join("\n");
      return [
        { kind: "tool", name: block.name, args: block.args, output, failed: result?.is_error ?? false },
      ];
    }
    case "tool_result":
      return []; // printed with its call
  }
}

const resultText = (content: ResultContent): string =>
  content.type === "text" ? content.text : `[image: ${content.mime_type}, ${content.bytes} bytes]`;

const notesAt = (marks: readonly Mark[], at: number): Passage[] =>
  marks.filter((mark) => mark.at === at).map((mark) => ({ kind: "note", text: noteText(mark) }));

function noteText(mark: Mark): string {
  switch (mark.kind) {
    case "turn": {
      const { input, output, cache_read, cost_usd, unpriced } = mark.usage;
      const cost = unpriced === undefined ? `$${cost_usd.toFixed(4)}` : "unpriced";
      const ending = mark.error === null ? "" : ` · ${mark.stop}: ${mark.error}`;
      return `turn · ${mark.calls} calls · ${input + cache_read} in · ${output} out · ${cost}${ending}`;
    }
    case "unkept":
      return "The agent did not keep the answer that was stopped here.";
    case "error":
      return `Error: ${mark.message}`;
    case "compaction":
      return `Compacted. Summary: ${mark.summary}`;
    case "notice":
      return `[${mark.source}] ${mark.text}`;
    case "question":
      return `Asked: ${mark.title} · ${mark.answer ?? "no answer"}`;
    case "retry":
      return `Tried again (attempt ${mark.attempt} of ${mark.max_attempts}) after: ${mark.error}`;
    case "worker_exit":
      return mark.reason;
  }
}
