// Assembles a transcript from several `restore` commands: a long session does not fit in one line.
// What is collected is as large as the session's own log made it; only the server may send it.
import {
  type Branch,
  contextMessages,
  emptyTranscript,
  type Message,
  type RestoreCommand,
  type Transcript,
} from "@patchbay/protocol";

export interface Restored {
  readonly transcript: Transcript;
  /** What the model gets to see. */
  readonly messages: Message[];
  readonly name: string | undefined;
}

export class TranscriptRestorer {
  #parts: RestoreCommand[] = [];

  /** The transcript when this was its last part, else null. */
  take(part: RestoreCommand): Restored | null {
    this.#parts.push(part);
    if (part.more === true) return null;
    const parts = this.#parts;
    this.#parts = [];
    return assemble(parts);
  }
}

function assemble(parts: readonly RestoreCommand[]): Restored {
  const messages = parts.flatMap((part) => part.messages);
  const marks = parts.flatMap((part) => part.marks ?? []);
  const branches = parts.flatMap((part) => part.branches ?? []).reduce(addBranch, []);
  const last = parts.at(-1);
  const branch = last?.branch ?? emptyTranscript.branch;
  const name = last?.name;
  if (branches.length === 0) {
    // Only what the model gets to see, from a server without branches.
    return { transcript: { ...emptyTranscript, messages, marks }, messages, name };
  }
  if (!branches.some(({ id, shares }) => id === branch && shares === null)) {
    throw new Error(`the branch "${branch}" is not among those that were given`);
  }
  const usage = last?.usage ?? emptyTranscript.usage;
  const context_tokens = last?.context_tokens ?? null;
  const transcript = { ...emptyTranscript, messages, marks, branch, branches, usage, context_tokens };
  return { transcript, messages: contextMessages(transcript), name };
}

/** A branch that is sent again continues the known one. */
function addBranch(branches: Branch[], more: Branch): Branch[] {
  const known = branches.find(({ id }) => id === more.id);
  if (known === undefined) return [...branches, more];
  const grown = {
    ...known,
    messages: [...known.messages, ...more.messages],
    marks: [...known.marks, ...more.marks],
  };
  return branches.map((branch) => (branch === known ? grown : branch));
}
