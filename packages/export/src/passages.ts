// A transcript as a flat list of passages to print: messages, the marks between them, tool calls together with
// their results, and a person's own commands.
import {
  bashOutput,
  type ContentBlock,
  type Mark,
  type Message,
  type PersonCommand,
  type ResultContent,
  type SessionInfo,
  type ToolResultBlock,
  type Transcript,
} from "@patchbay/protocol";
import { noteText } from "./notes.ts";

/** What stands above a transcript. */
export type ExportHead = Pick<SessionInfo, "name" | "worker" | "provider" | "model" | "cwd" | "created_at">;

/** Its author and time. */
interface Speaker {
  who: "You" | "Agent";
  /** The person's name, on a server with people. */
  name?: string;
  time: string;
}

export type Passage =
  | (Speaker &
      (
        | { kind: "text"; text: string }
        | { kind: "mention"; name: string }
        | { kind: "thinking"; text: string; durationMs: number | undefined }
        | { kind: "image"; mimeType: string; bytes: number; data: string | undefined }
        | { kind: "command"; command: string; output: string; ending: string; failed: boolean }
        | ToolPassage
      ))
  /** `quiet`: how a turn went, which one may skip. */
  | { kind: "note"; text: string; quiet: boolean };

export interface ToolPassage {
  kind: "tool";
  name: string;
  args: unknown;
  output: string;
  failed: boolean;
  /** A unified diff, or its lines without headings. */
  diff: string | undefined;
  durationMs: number | undefined;
}

/** Without branches, nothing is said of others. */
export type PrintedTranscript = Pick<Transcript, "messages" | "marks"> &
  Partial<Pick<Transcript, "branches">>;

type Results = ReadonlyMap<string, ToolResultBlock>;

export function passages(transcript: PrintedTranscript): Passage[] {
  const results: Results = new Map(transcript.messages.flatMap(resultsIn));
  const notes = groupMarks(transcript.marks);
  const notesAt = (at: number): Passage[] => (notes.get(at) ?? []).map(note);
  const { messages, branches = [] } = transcript;
  const others = Math.max(0, branches.length - 1);
  const away: Passage[] =
    others === 0
      ? []
      : [
          {
            kind: "note",
            text: `${others} other ${others === 1 ? "branch is" : "branches are"} not in this file.`,
            quiet: false,
          },
        ];
  return [
    ...messages.flatMap((message, index) => [...notesAt(index), ...messagePassages(message, results)]),
    ...notesAt(messages.length),
    ...away,
  ];
}

function groupMarks(marks: readonly Mark[]): Map<number, Mark[]> {
  const groups = new Map<number, Mark[]>();
  for (const mark of marks) {
    const group = groups.get(mark.at);
    if (group === undefined) groups.set(mark.at, [mark]);
    else group.push(mark);
  }
  return groups;
}

const note = (mark: Mark): Passage => ({ kind: "note", text: noteText(mark), quiet: mark.kind === "turn" });

const resultsIn = (message: Message): [string, ToolResultBlock][] =>
  message.content.flatMap((block) => (block.type === "tool_result" ? [[block.call_id, block]] : []));

function messagePassages(message: Message, results: Results): Passage[] {
  if (message.bash !== undefined) return [commandPassage(message, message.bash)];
  const author: Speaker = {
    who: message.role === "user" ? "You" : "Agent",
    ...(message.by === undefined ? {} : { name: message.by.label }),
    time: message.time,
  };
  return message.content.flatMap((block) => passage(block, author, results));
}

function commandPassage(message: Message, bash: PersonCommand): Passage {
  const { command, exit_code, cancelled } = bash;
  const ending = cancelled ? "stopped" : `exit ${exit_code ?? "unknown"}`;
  const failed = cancelled || exit_code !== 0;
  const author: Speaker = { who: "You", time: message.time };
  return { ...author, kind: "command", command, output: bashOutput(message), ending, failed };
}

function passage(block: ContentBlock, author: Speaker, results: Results): Passage[] {
  switch (block.type) {
    case "text":
      if (block.mention !== undefined) return [{ ...author, kind: "mention", name: block.mention }];
      return [{ ...author, kind: "text", text: block.text }];
    case "thinking":
      return [{ ...author, kind: "thinking", text: block.text, durationMs: block.duration_ms }];
    case "image":
      return [{ ...author, kind: "image", mimeType: block.mime_type, bytes: block.bytes, data: block.data }];
    case "tool_call":
      return [{ ...author, ...toolPassage(block.name, block.args, results.get(block.id)) }];
    case "tool_result":
      return []; // printed with its call
  }
}

function toolPassage(name: string, args: unknown, result: ToolResultBlock | undefined): ToolPassage {
  const output = (result?.content ?? []).map(resultText).join("\n");
  const failed = result?.is_error ?? false;
  const given = result?.details?.["diff"];
  // zot answers an edit with the lines that changed, and nothing else.
  const diff =
    typeof given === "string" ? given : name === "edit" && !failed && output !== "" ? output : undefined;
  return { kind: "tool", name, args, output, failed, diff, durationMs: result?.duration_ms };
}

const resultText = (content: ResultContent): string =>
  content.type === "text" ? content.text : `[image: ${content.mime_type}, ${content.bytes} bytes]`;
