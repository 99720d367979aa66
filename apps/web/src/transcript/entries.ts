// The transcript as a list of entries to draw. The answer under way has the key that its settled
// message will have, so that settling it replaces nothing on the screen.
import type {
  BranchPoint,
  ContentBlock,
  ImageBlock,
  Mark,
  Message,
  PromptImage,
  ToolResultBlock,
  Transcript,
} from "@patchbay/protocol";
import { messageText } from "@patchbay/protocol";

export type Entry =
  | { kind: "user"; key: string; message: Message; point: BranchPoint | null }
  /** A command that a person ran. */
  | { kind: "command"; key: string; message: Message; point: BranchPoint | null }
  | { kind: "answer"; key: string; content: readonly ContentBlock[]; live: boolean }
  | { kind: "mark"; key: string; mark: Mark };

/** A prompt that did not get its answer and can be sent again. */
export interface Retry {
  message: string;
  images: PromptImage[];
}

export function settledEntries(
  messages: readonly Message[],
  marks: readonly Mark[],
  points: readonly BranchPoint[] = [],
): Entry[] {
  const entries: Entry[] = [];
  let next = 0;
  const marksUpTo = (at: number): void => {
    for (let mark = marks[next]; mark !== undefined && mark.at <= at; mark = marks[++next]) {
      entries.push({ kind: "mark", key: `mark-${next}`, mark });
    }
  };
  messages.forEach((message, index) => {
    marksUpTo(index);
    const key = `message-${index}`;
    const point = points.find(({ at }) => at === index) ?? null;
    if (message.role === "user")
      entries.push({ kind: message.bash === undefined ? "user" : "command", key, message, point });
    else if (message.role === "assistant")
      entries.push({ kind: "answer", key, content: message.content, live: false });
    // A `tool` message is shown inside the calls it answers.
  });
  marksUpTo(Number.POSITIVE_INFINITY);
  return entries;
}

export function liveEntry(transcript: Transcript): Entry | null {
  const content = transcript.partial?.content ?? [];
  if (content.length === 0) return null;
  return { kind: "answer", key: `message-${transcript.messages.length}`, content, live: true };
}

/** The last prompt, when its turn was cut short and nothing was asked since; null when a picture of it is gone. */
export function retryOf({ messages, marks, partial }: Transcript): { mark: Mark; prompt: Retry } | null {
  const mark = marks.findLast(({ kind }) => kind === "turn");
  const asked = messages.findLastIndex(({ role, bash }) => role === "user" && bash === undefined);
  const message = messages[asked];
  if (mark?.kind !== "turn" || message === undefined || partial !== null || mark.at <= asked) return null;
  if (mark.stop !== "interrupted" && mark.stop !== "error") return null;
  const pictures = message.content.flatMap((block) => (isAttached(block) ? [block] : []));
  const images = pictures.flatMap(({ mime_type, data }) => (data === undefined ? [] : [{ mime_type, data }]));
  if (images.length < pictures.length) return null;
  return { mark, prompt: { message: messageText(message), images } };
}

/** Attached by the person; what their words mention is added again when they are sent again. */
const isAttached = (block: ContentBlock): block is ImageBlock =>
  block.type === "image" && block.mention === undefined;

const known = new WeakMap<readonly Message[], ReadonlyMap<string, ToolResultBlock>>();

/** The results of all tool calls, by call. Made once per list of messages. */
export function resultsOf(messages: readonly Message[]): ReadonlyMap<string, ToolResultBlock> {
  const made = known.get(messages) ?? new Map(messages.flatMap(resultsIn));
  known.set(messages, made);
  return made;
}

const resultsIn = (message: Message): [string, ToolResultBlock][] =>
  message.content.flatMap((block) => (block.type === "tool_result" ? [[block.call_id, block]] : []));
