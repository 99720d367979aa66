// What frames say that somebody may look for later: prompts, answers, tool calls with what came of them, a
// person's own commands, summaries. Thinking is left out: nobody remembers it.
import {
  type ContentBlock,
  type Frame,
  firstBranch,
  type Message,
  messageText,
  readTime,
} from "@patchbay/protocol";
import type { SearchText, SearchTextKind } from "../store/search.ts";
import { AnswerUnderWay, type ReadLog, readAnswer, type UnsettledAnswer } from "./unsettled-answer.ts";

/** Whole answers are found, but for the endless; of arguments and output the beginning tells what they are. */
const longest: Readonly<Record<SearchTextKind, number>> = {
  prompt: 256 * 1024,
  answer: 256 * 1024,
  summary: 64 * 1024,
  tool: 4 * 1024,
  output: 16 * 1024,
  command: 16 * 1024,
};

type Texts = readonly (readonly [SearchTextKind, string])[];

/** Said by an answer that has yet to be read. */
interface Unread extends Omit<SearchText, "kind" | "text"> {
  answer: UnsettledAnswer;
}

/** In the order in which it was said. */
export type PendingText = SearchText | Unread;

export class SearchTextReader {
  /** Where the conversation is: another way it went says other things. */
  #branch = firstBranch;
  #time: string;
  /** That of the newest message, by which an answer without one is shown. */
  #messageTime: string;
  readonly #answer = new AnswerUnderWay();
  /** A person's commands that run, and what they have written. */
  readonly #running = new Map<string, string>();

  constructor(time: string) {
    this.#time = time;
    this.#messageTime = time;
  }

  deltas(after: number): void {
    this.#answer.deltas(after);
  }

  /** `inLog`: the log has it under that number. */
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
    const said = texts.map(([kind, text], part) => ({
      ...{ seq, part, kind, branch: this.#branch, time: this.#time },
      text: text.slice(0, longest[kind]),
    }));
    return unread === null ? said : [{ ...unread, part: said.length }, ...said];
  }

  #unread(frame: Frame, seq: number, inLog: boolean): Unread | null {
    const answer = this.#answer.frame(frame, seq, inLog);
    return answer && { answer, seq, part: 0, branch: this.#branch, time: this.#messageTime };
  }

  /** What a person's commands had written when their worker ended. */
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

/** The same with its answers read. */
export async function readAnswers(pending: readonly PendingText[], read: ReadLog): Promise<SearchText[]> {
  const said: SearchText[] = [];
  for (const item of pending) {
    if (!("answer" in item)) {
      said.push(item);
      continue;
    }
    const { answer, part: first, ...shared } = item;
    const texts = answerTexts(await readAnswer(answer, read, longest.answer));
    said.push(
      ...texts
        .filter(([, text]) => text.trim() !== "")
        .map(([kind, text], index) => ({
          ...{ ...shared, part: first + index, kind },
          text: text.slice(0, longest[kind]),
        })),
    );
  }
  return said;
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
