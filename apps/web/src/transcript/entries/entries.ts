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
import { evictedSize } from "../../connection/messages/evict-messages.ts";
import { answerHeight, markHeight, messageHeight } from "./estimate-height.ts";

interface EntryBase {
  key: string;
  /** Estimated, until it is on the page. */
  height: number;
  /** When it was said; empty where that is not known. */
  time: string;
}

export type TranscriptEntry = EntryBase &
  (
    | { kind: "user"; message: Message; point: BranchPoint | null }
    /** A command that a person ran. */
    | { kind: "command"; message: Message; point: BranchPoint | null }
    /** An answer that the page has evicted: its place among the messages. */
    | { kind: "evicted"; index: number }
    | { kind: "answer"; content: readonly ContentBlock[]; live: boolean }
    | { kind: "mark"; mark: Mark }
  );

/** A prompt that did not get its answer and can be sent again. */
export interface Retry {
  message: string;
  images: PromptImage[];
}

/** Entries that were made before are given again, so that what shows them is not rendered again. */
const made = new WeakMap<Message | Mark, TranscriptEntry>();

export function settledEntries(
  messages: readonly Message[],
  marks: readonly Mark[],
  points: readonly BranchPoint[] = [],
): TranscriptEntry[] {
  const entries: TranscriptEntry[] = [];
  const pointAt = new Map(points.map((point) => [point.at, point]));
  let next = 0;
  const marksUpTo = (at: number): void => {
    for (let mark = marks[next]; mark !== undefined && mark.at <= at; mark = marks[++next]) {
      entries.push(markEntry(mark, next));
    }
  };
  messages.forEach((message, index) => {
    marksUpTo(index);
    // A `tool` message is shown inside the calls it answers.
    if (message.role !== "tool") entries.push(messageEntry(message, index, pointAt.get(index) ?? null));
  });
  marksUpTo(Number.POSITIVE_INFINITY);
  return entries;
}

function markEntry(mark: Mark, index: number): TranscriptEntry {
  const key = `mark-${index}`;
  const known = made.get(mark);
  if (known?.key === key) return known;
  const entry: TranscriptEntry = { kind: "mark", key, height: markHeight(mark), time: "", mark };
  made.set(mark, entry);
  return entry;
}

function messageEntry(message: Message, index: number, point: BranchPoint | null): TranscriptEntry {
  const key = `message-${index}`;
  const known = made.get(message);
  const same = known !== undefined && (!("point" in known) || known.point === point);
  if (known?.key === key && same) return known;
  const evicted = evictedSize(message);
  const height = evicted === undefined ? messageHeight(message) : answerHeight(evicted);
  const shared = { key, height, time: message.time };
  const entry: TranscriptEntry =
    message.role === "user"
      ? { ...shared, kind: message.bash === undefined ? "user" : "command", message, point }
      : evicted === undefined
        ? { ...shared, kind: "answer", content: message.content, live: false }
        : { ...shared, kind: "evicted", index };
  made.set(message, entry);
  return entry;
}

export function liveEntry(transcript: Transcript): TranscriptEntry | null {
  const content = transcript.partial?.content ?? [];
  if (content.length === 0) return null;
  const key = `message-${transcript.messages.length}`;
  return { kind: "answer", key, height: 0, time: "", content, live: true };
}

/**
 * The last prompt, when its turn was cut short and nothing was asked since; null when a picture of it is gone. `mark` is
 * where it is offered: with the mark that says why.
 */
export function retryOf({ messages, marks, partial }: Transcript): { mark: Mark; prompt: Retry } | null {
  const mark = marks.findLast(({ kind }) => kind === "turn");
  const asked = messages.findLastIndex(({ role, bash }) => role === "user" && bash === undefined);
  const message = messages[asked];
  if (mark?.kind !== "turn" || message === undefined || partial !== null || mark.at <= asked) return null;
  if (mark.stop !== "interrupted" && mark.stop !== "error") return null;
  const images = attachedImages(message);
  if (images === null) return null;
  const reason = marks.findLast(({ kind, at }) => kind === "worker_exit" && at >= mark.at);
  return { mark: reason ?? mark, prompt: { message: messageText(message), images } };
}

/** The pictures that a person attached to a prompt; null when one of them is gone. */
export function attachedImages({ content }: Message): PromptImage[] | null {
  const pictures = content.flatMap((block) => (isAttached(block) ? [block] : []));
  const images = pictures.flatMap(({ mime_type, data }) => (data === undefined ? [] : [{ mime_type, data }]));
  return images.length < pictures.length ? null : images;
}

/** Attached by the person; files that the text mentions are added again when it is sent again. */
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
