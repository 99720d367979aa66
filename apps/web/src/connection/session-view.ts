// What the page knows of one session, and how each message of the socket changes it. Pure, so that a
// replay and a live stream are the same code and a test needs no socket.
import {
  type Author,
  emptyTranscript,
  type Frame,
  type FrameReading,
  foldTranscript,
  type PromptImage,
  type QueueItem,
  readFrame,
  readFrameValue,
  restoreStreamed,
  type SessionInfo,
  type SnapshotLine,
  type Transcript,
} from "@patchbay/protocol";
import type { Decoded } from "./socket/decode.ts";
import { connectionTexts } from "./texts.ts";

/** Text for the composer: `insert` goes into what is written there, `join` before it, `replace` takes its place. */
export interface EditorText {
  kind: "insert" | "join" | "replace";
  text: string;
  source: string;
  /** Pictures that come with it. */
  images?: readonly PromptImage[];
}

/** What an extension may put into an unattended composer; the newest count. */
const editorTextLimit = 10;

export interface SessionView {
  session: SessionInfo | null;
  transcript: Transcript;
  /** The last frame that is part of `transcript`; null before the first snapshot. */
  seq: number | null;
  queue: readonly QueueItem[];
  viewers: number;
  /** Who they are; nobody on a server without people. */
  people: readonly Author[];
  /** False while a snapshot or a replay is still arriving. */
  caughtUp: boolean;
  /** What extensions put into the composer and it has not taken yet. */
  editorTexts: readonly EditorText[];
  /** Counts the changes of the worker's slash commands. */
  commandsEdition: number;
  /** Frames are missing between `seq` and those that arrived: a new snapshot is needed. */
  gap: boolean;
}

export const emptyView: SessionView = {
  session: null,
  transcript: emptyTranscript,
  seq: null,
  queue: [],
  viewers: 0,
  people: [],
  caughtUp: false,
  editorTexts: [],
  commandsEdition: 0,
  gap: false,
};

export function applyDecoded(
  view: SessionView,
  decoded: Exclude<Decoded, { kind: "response" }>,
): SessionView {
  if (decoded.kind === "malformed") return view; // a line we cannot read changes nothing we show
  if (decoded.kind === "frames") return applyFrames(view, decoded);
  const line = decoded.line;
  switch (line.type) {
    case "attached":
      return { ...view, session: line.session, viewers: line.session.viewers, caughtUp: false, gap: false };
    case "snapshot":
      return { ...view, transcript: fromSnapshot(line), seq: line.seq, gap: false };
    case "caught_up":
      return { ...view, caughtUp: true };
    case "session":
      return { ...view, session: line.session };
    case "queue":
      return { ...view, queue: line.items };
    case "presence":
      return { ...view, viewers: line.viewers, people: line.people ?? [] };
  }
}

function editorText(frame: Frame): EditorText | null {
  if (frame.type === "ext_insert") return { kind: "insert", text: frame.text, source: frame.extension };
  if (frame.type !== "extension_ui_request" || frame.method !== "set_editor_text") return null;
  const { text, extension } = frame;
  if (typeof text !== "string") return null;
  return {
    kind: "replace",
    text,
    source: typeof extension === "string" ? extension : connectionTexts.anExtension,
  };
}

function fromSnapshot(line: SnapshotLine): Transcript {
  const { messages, marks, partial, usage, context_tokens, surface, bash, branch, branches, authors } = line;
  const transcript = { messages, marks, partial, usage, context_tokens, surface, bash, branch, branches };
  return authors === undefined ? transcript : { ...transcript, authors };
}

type FrameRun = Extract<Decoded, { kind: "frames" }>;

function applyFrames(view: SessionView, run: FrameRun): SessionView {
  const { seq: first, count, lines } = run;
  const seen = view.seq ?? 0;
  const last = first + count - 1;
  if (last <= seen) return view;
  // Of merged frames that are partly known, the rest cannot be told apart.
  if (first > seen + 1 || (lines.length < count && first <= seen)) return { ...view, gap: true };
  let { transcript, editorTexts, commandsEdition } = view;
  for (const line of lines.slice(seen + 1 - first)) {
    const read = readRunLine(line, run, transcript);
    if (read === null) return { ...view, gap: true };
    if (read.kind !== "frame") continue;
    transcript = foldTranscript(transcript, read.frame);
    const put = editorText(read.frame);
    if (put !== null) editorTexts = [...editorTexts, put].slice(-editorTextLimit);
    if (read.frame.type === "commands_changed") commandsEdition++;
  }
  return {
    ...view,
    transcript,
    editorTexts,
    commandsEdition,
    seq: last,
  };
}

/** Null: it refers to text that this page does not have. */
function readRunLine(line: string, { streamed }: FrameRun, { partial }: Transcript): FrameReading | null {
  if (!streamed) return readFrame(line);
  const frame = restoreStreamed(line, partial?.content ?? []);
  return frame === undefined ? null : readFrameValue(frame);
}
