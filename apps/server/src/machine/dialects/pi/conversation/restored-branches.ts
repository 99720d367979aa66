// The branches of a transcript that a restarted program is told of: under which file each is, and its prompts. Told in
// pieces; of a message only what tells prompts apart is kept until the last one has come.
import { existsSync } from "node:fs";
import { type Branch, firstBranch, type Message, messagesOf, type RestoreCommand } from "@patchbay/protocol";

export interface Entry {
  id: string;
  /** The beginning of what it says: enough to tell prompts apart. */
  text: string;
}

/** A branch that is not shown. */
export interface Left {
  file: string;
  entries: readonly Entry[];
}

export const longestKept = 1_000;

export class RememberedBranches {
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

  get shown(): { branch: string; entries: readonly Entry[] } {
    return { branch: this.#shown, entries: entriesOf(this.#messages) };
  }

  /** Those that can be opened again. To the programs a path that leads nowhere is a session that has not begun. */
  *left(): Generator<[string, Left]> {
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
  return { role, time, ...known, content: [{ type: "text", text: text.slice(0, longestKept) }] };
};

const entriesOf = (messages: readonly Message[]): Entry[] =>
  messages.flatMap(({ role, entry_id: id, content: [block] }) =>
    role === "user" && id !== undefined && block?.type === "text" ? [{ id, text: block.text }] : [],
  );
