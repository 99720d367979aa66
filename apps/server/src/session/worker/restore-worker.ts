// Restores the transcript in a worker: all of it, branches included, if the worker knows branches, else the messages
// that its model needs. It is sent in parts, because a worker refuses a line that is too long.
import {
  type Branch,
  contextMessages,
  type ImageBlock,
  type Message,
  type Transcript,
} from "@patchbay/protocol";
import type { WorkerLink } from "./worker-link.ts";

/** Half of what the built-in worker takes in one line; the other half is room for the last item. */
const partBytes = 8 * 1024 * 1024;

interface Part {
  messages: Message[];
  marks: Transcript["marks"][number][];
  branches: Branch[];
}

/** Resolves with the worker's reason for refusing the transcript, or null when it was restored. */
export async function restoreWorker(
  link: WorkerLink,
  transcript: Transcript,
  name: string,
  knowsBranches: boolean,
): Promise<string | null> {
  const parts = knowsBranches
    ? restoreParts(transcript, name, partBytes)
    : [{ messages: contextMessages(transcript) }];
  for (const part of parts) {
    const response = await link.ask({ type: "restore", ...part });
    if (!response.success) return response.error ?? "it did not say why";
  }
  return null;
}

function* restoreParts(
  transcript: Transcript,
  name: string,
  maxBytes: number,
): Generator<Part & Record<string, unknown>> {
  let part: Part = { messages: [], marks: [], branches: [] };
  let bytes = 0;
  for (const { item, put } of items(transcript, maxBytes)) {
    const size = Buffer.byteLength(JSON.stringify(item)) + 1;
    if (bytes > 0 && bytes + size > maxBytes) {
      yield { ...part, more: true };
      part = { messages: [], marks: [], branches: [] };
      bytes = 0;
    }
    put(part);
    bytes += size;
  }
  const { branch, usage, context_tokens } = transcript;
  yield { ...part, branch, usage, context_tokens, name };
}

interface Item {
  item: unknown;
  put(part: Part): void;
}

function* items(transcript: Transcript, maxBytes: number): Generator<Item> {
  for (const message of transcript.messages) {
    const item = light(message, maxBytes);
    yield { item, put: (part) => part.messages.push(item) };
  }
  for (const item of transcript.marks) yield { item, put: (part) => part.marks.push(item) };
  for (const branch of transcript.branches) {
    const bare = { ...branch, messages: [], marks: [] };
    yield { item: bare, put: (part) => openBranch(part, branch) };
    for (const message of branch.messages) {
      const item = light(message, maxBytes);
      yield { item, put: (part) => openBranch(part, branch).messages.push(item) };
    }
    for (const item of branch.marks) yield { item, put: (part) => openBranch(part, branch).marks.push(item) };
  }
}

/** The branch in this part; a branch may continue in the next part. */
function openBranch(part: Part, branch: Branch): Branch {
  const last = part.branches.at(-1);
  if (last?.id === branch.id) return last;
  const opened = { ...branch, messages: [], marks: [] };
  part.branches.push(opened);
  return opened;
}

/** A message that does not fit in one line loses its images: several large ones in one answer. */
function light(message: Message, maxBytes: number): Message {
  if (Buffer.byteLength(JSON.stringify(message)) <= maxBytes) return message;
  const content = message.content.map((block) => {
    if (block.type === "image") return withoutData(block);
    if (block.type !== "tool_result") return block;
    const inner = block.content.map((part) => (part.type === "image" ? withoutData(part) : part));
    return { ...block, content: inner };
  });
  return { ...message, content };
}

const withoutData = ({ mime_type, bytes }: ImageBlock): ImageBlock => ({ type: "image", mime_type, bytes });
