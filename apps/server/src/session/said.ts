// What frames say that somebody may look for later: prompts, answers, tool calls with what came of them, a
// person's own commands, summaries. Thinking is left out: nobody remembers it.
import { type ContentBlock, type Frame, firstBranch, type Message, messageText } from "@patchbay/protocol";
import type { Said, SaidKind } from "../store/search.ts";

/** Whole answers are found, but for the endless; of arguments and output the beginning tells what they are. */
const longest: Readonly<Record<SaidKind, number>> = {
  prompt: 256 * 1024,
  answer: 256 * 1024,
  summary: 64 * 1024,
  tool: 4 * 1024,
  output: 16 * 1024,
  command: 16 * 1024,
};

type Words = readonly (readonly [SaidKind, string])[];

export class SaidReader {
  /** Where the conversation is: another way it went says other things. */
  #branch = firstBranch;
  #time: string;

  constructor(time: string) {
    this.#time = time;
  }

  read(frame: Frame, seq: number): Said[] {
    if ("time" in frame && typeof frame.time === "string") this.#time = frame.time;
    if (frame.type === "branched" || frame.type === "branch_switched") this.#branch = frame.branch;
    if (frame.type === "cleared") this.#branch = firstBranch;
    return wordsOf(frame)
      .filter(([, text]) => text.trim() !== "")
      .map(([kind, text], part) => ({
        seq,
        part,
        kind,
        branch: this.#branch,
        time: this.#time,
        text: text.slice(0, longest[kind]),
      }));
  }
}

function wordsOf(frame: Frame): Words {
  switch (frame.type) {
    case "user_message":
      return [["prompt", messageText(frame)]];
    case "assistant_message":
      return [["answer", messageText(frame)], ...calls(frame.content)];
    case "tool_result":
      return [["output", resultText(frame.content)]];
    case "bash_end":
      return [["command", `${frame.command}\n${frame.output}`]];
    case "compact_done":
      return [["summary", frame.summary]];
    case "messages_loaded":
      return frame.messages.flatMap(messageWords);
    default:
      return [];
  }
}

function messageWords(message: Message): Words {
  if (message.bash !== undefined) return [["command", messageText(message)]];
  if (message.role === "user") return [["prompt", messageText(message)]];
  const results = message.content.flatMap((block) =>
    block.type === "tool_result" ? [resultText(block.content)] : [],
  );
  return [
    ["answer", messageText(message)],
    ...calls(message.content),
    ...results.map((text) => ["output", text] as const),
  ];
}

const calls = (content: readonly ContentBlock[]): Words =>
  content.flatMap((block) =>
    block.type === "tool_call" ? [["tool", `${block.name} ${texts(block.args).join(" ")}`] as const] : [],
  );

const resultText = (content: readonly { type: string; text?: unknown }[]): string =>
  content.flatMap(({ text }) => (typeof text === "string" ? [text] : [])).join("\n");

/** The words in a call's arguments, whatever their shape; a model does not nest them deeply. */
function texts(value: unknown, depth = 0): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null || depth > 8) return [];
  return Object.values(value).flatMap((inner) => texts(inner, depth + 1));
}
