// The text of frames that the search indexes: prompts, answers, tool calls with their output, a person's own
// commands, summaries. Thinking is left out: people do not search for it.
import {
  type ContentBlock,
  type Frame,
  firstBranch,
  type Message,
  messageText,
  readTime,
} from "@patchbay/protocol";
import type { SearchText, SearchTextKind } from "../store/search.ts";
import { type ReadLog, readAnswer, UnfinishedAnswer, type UnsettledAnswer } from "./unsettled-answer.ts";

/** In characters. Answers are indexed whole up to a bound; of arguments and output the beginning is enough. */
const longest: Readonly<Record<SearchTextKind, number>> = {
  prompt: 256 * 1024,
  answer: 256 * 1024,
  summary: 64 * 1024,
  tool: 4 * 1024,
  output: 16 * 1024,
  command: 16 * 1024,
};

type Texts = readonly (readonly [SearchTextKind, string])[];

/** The text of an answer whose deltas are still to be read from the log. */
interface Unread extends Omit<SearchText, "kind" | "text"> {
  answer: UnsettledAnswer;
}

/** In the order of the log. */
export type PendingText = SearchText | Unread;

export class SearchTextReader {
  /** The current branch of the conversation. */
  #branch = firstBranch;
  #time: string;
  /** The time of the newest message, which an answer without a time is shown with. */
  #messageTime: string;
  readonly #answer = new UnfinishedAnswer();
  /** A person's running commands by id, with their output so far. */
  readonly #running = new Map<string, string>();

  constructor(time: string) {
    this.#time = time;
    this.#messageTime = time;
  }

  deltas(after: number): void {
    this.#answer.deltas(after);
  }

  /** `inLog`: the frame can be read from the log under that number. */
  read(frame: Frame, seq: number, inLog = true): PendingText[] {
    const time = "time" in frame && typeof frame.time === "string" ? frame.time : "";
    const isTime = readTime(time) !== null;
    if (isTime) this.#time = time;
    const unread = this.#unread(frame, seq, inLog);
    if (frame.type === "branched" || frame.type === "branch_switched") this.#branch = frame.branch;
    if (frame.type === "cleared") this.#branch = firstBranch;
    if (isTime && (frame.type === "user_message" || frame.type === "assistant_message"))
      this.#messageTime = time;
    const texts = [...textsOf(frame), ...this.#commandsLeft(frame)].filter(([, text]) => text.trim() !== "");
    const pending = texts.map(([kind, text], part) => ({
      ...{ seq, part, kind, branch: this.#branch, time: this.#time },
      text: text.slice(0, longest[kind]),
    }));
    return unread === null ? pending : [{ ...unread, part: pending.length }, ...pending];
  }

  #unread(frame: Frame, seq: number, inLog: boolean): Unread | null {
    const answer = this.#answer.frame(frame, seq, inLog);
    return answer && { answer, seq, part: 0, branch: this.#branch, time: this.#messageTime };
  }

  /** The output of a person's commands that were running when their worker ended. */
  #commandsLeft(frame: Frame): Texts {
    const running = this.#running;
    if (frame.type === "bash_start") running.set(frame.id, `${frame.command}\n`);
    if (frame.type === "bash_output") {
      const written = running.get(frame.id);
      if (written !== undefined && written.length < longest.command)
        running.set(frame.id, written + frame.text);
    }
    if (frame.type === "bash_end") running.delete(frame.id);
    const isOver = frame.type === "worker" && frame.event === "exited";
    const left = isOver ? [...running.values()].map((text) => ["command", text] as const) : [];
    if (isOver || frame.type === "cleared") running.clear();
    return left;
  }
}

/** Replaces unread answers by their text. */
export async function readAnswers(pending: readonly PendingText[], read: ReadLog): Promise<SearchText[]> {
  const result: SearchText[] = [];
  for (const item of pending) {
    if (!("answer" in item)) {
      result.push(item);
      continue;
    }
    const { answer, part: first, ...shared } = item;
    const texts = answerTexts(await readAnswer(answer, read, longest.answer));
    result.push(
      ...texts
        .filter(([, text]) => text.trim() !== "")
        .map(([kind, text], index) => ({
          ...{ ...shared, part: first + index, kind },
          text: text.slice(0, longest[kind]),
        })),
    );
  }
  return result;
}

function textsOf(frame: Frame): Texts {
  switch (frame.type) {
    case "user_message":
      return [["prompt", messageText(frame)]];
    case "assistant_message":
      return answerTexts(frame.content);
    case "tool_result":
      return [["output", resultText(frame.content)]];
    case "bash_end":
      return [["command", `${frame.command}\n${frame.output}`]];
    case "compact_done":
      return [["summary", frame.summary]];
    case "messages_loaded":
      return frame.messages.flatMap(messageTexts);
    default:
      return [];
  }
}

function messageTexts(message: Message): Texts {
  if (message.bash !== undefined) return [["command", messageText(message)]];
  if (message.role === "user") return [["prompt", messageText(message)]];
  const results = message.content.flatMap((block) =>
    block.type === "tool_result" ? [resultText(block.content)] : [],
  );
  return [...answerTexts(message.content), ...results.map((text) => ["output", text] as const)];
}

const answerTexts = (content: readonly ContentBlock[]): Texts => [
  ["answer", messageText({ content: [...content] })],
  ...calls(content),
];

const calls = (content: readonly ContentBlock[]): Texts =>
  content.flatMap((block) =>
    block.type === "tool_call" ? [["tool", `${block.name} ${stringsIn(block.args).join(" ")}`] as const] : [],
  );

const resultText = (content: readonly { type: string; text?: unknown }[]): string =>
  content.flatMap(({ text }) => (typeof text === "string" ? [text] : [])).join("\n");

/** The strings in a call's arguments, whatever their shape; a model does not nest them deeply. */
function stringsIn(value: unknown, depth = 0): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null || depth > 8) return [];
  return Object.values(value).flatMap((inner) => stringsIn(inner, depth + 1));
}
