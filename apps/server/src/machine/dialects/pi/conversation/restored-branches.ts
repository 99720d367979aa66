// The branches of a transcript that the server sends to a restarted program: the file of each, and its prompts. They arrive in
// parts. Until the last part, only the beginning of each message is kept, which is enough to identify its prompt.
import { existsSync } from "node:fs";
import { type Branch, firstBranch, type Message, messagesOf, type RestoreCommand } from "@patchbay/protocol";

export interface PromptEntry {
  id: string;
  /** The beginning of its text: enough to identify it. */
  text: string;
}

/** A branch that is not the current one. */
export interface InactiveBranch {
  file: string;
  entries: readonly PromptEntry[];
}

export const maxPromptChars = 1_000;

export class RestoredBranches {
  readonly #messages: Message[] = [];
  readonly #branches: Branch[] = [];
  #shown = firstBranch;

  add({ messages, branches = [], branch }: RestoreCommand): void {
    this.#messages.push(...messages.map(slim));
    for (const part of branches) {
      const own = part.messages.map(slim);
      const known = this.#branches.find(({ id }) => id === part.id);
      if (known === undefined) this.#branches.push({ ...part, messages: own, marks: [] });
      else known.messages.push(...own);
    }
    if (branch !== undefined) this.#shown = branch;
  }

  get shown(): { branch: string; entries: readonly PromptEntry[] } {
    return { branch: this.#shown, entries: entriesOf(this.#messages) };
  }

  /** The branches whose file exists. For a missing file the programs would start a new session. */
  *inactive(): Generator<[string, InactiveBranch]> {
    const line = {
      messages: this.#messages,
      marks: [],
      context_tokens: null,
      branch: this.#shown,
      branches: this.#branches,
    };
    for (const { id, agent_session: file } of this.#branches) {
      if (id === this.#shown || file === undefined || !existsSync(file)) continue;
      yield [id, { file, entries: entriesOf(messagesOf(line, id)) }];
    }
  }
}

const slim = ({ role, time, entry_id, content }: Message): Message => {
  const text = content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
  const known = entry_id === undefined ? {} : { entry_id };
  return { role, time, ...known, content: [{ type: "text", text: text.slice(0, maxPromptChars) }] };
};

const entriesOf = (messages: readonly Message[]): PromptEntry[] =>
  messages.flatMap(({ role, entry_id: id, content: [block] }) =>
    role === "user" && id !== undefined && block?.type === "text" ? [{ id, text: block.text }] : [],
  );
