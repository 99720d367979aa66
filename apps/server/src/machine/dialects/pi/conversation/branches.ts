// Going back to before a prompt. Both programs fork their session file for it, so every branch has a file, and switching to
// another branch opens its file. Their frames do not have their ids of prompts: the ids are requested, and matched by the
// prompts' texts, in order.
import { randomUUID } from "node:crypto";
import { explain, firstBranch, RestoreCommand } from "@patchbay/protocol";
import type { WorkerBound } from "../../dialect.ts";
import type { TypedFrameWriter } from "../../frame-writer.ts";
import type { Program } from "../wire/programs.ts";
import { errorOf, type PiClient } from "../wire/rpc-client.ts";
import { Forked, ForkMessages, PiState } from "../wire/schemas.ts";
import {
  type InactiveBranch,
  maxPromptChars,
  type PromptEntry,
  RestoredBranches,
} from "./restored-branches.ts";

export class Branches {
  readonly #program: Program;
  readonly #client: PiClient;
  readonly #out: TypedFrameWriter;
  /** Called when the conversation has moved to another file. */
  readonly #onMoved: () => void;
  #branch = firstBranch;
  /** The prompts of the current branch that this worker has seen. */
  #entries: readonly PromptEntry[] = [];
  readonly #inactive = new Map<string, InactiveBranch>();
  /** Not null while the parts of a `restore` arrive. */
  #restoring: RestoredBranches | null = null;

  constructor(program: Program, client: PiClient, out: TypedFrameWriter, onMoved: () => void) {
    this.#onMoved = onMoved;
    this.#program = program;
    this.#client = client;
    this.#out = out;
  }

  /** Returns the prompt's id, by which viewers can go back to it. */
  addPrompt(text: string): string {
    const entry = { id: randomUUID().slice(0, 8), text: text.slice(0, maxPromptChars) };
    this.#entries = [...this.#entries, entry];
    return entry.id;
  }

  /** After a change of the conversation there is no prompt to go back to. */
  reset(): void {
    this.#branch = firstBranch;
    this.#entries = [];
    this.#inactive.clear();
  }

  /** The program has resumed from its own file; the command has the prompts with the ids that viewers know. */
  restore(command: WorkerBound): void {
    const { data, error } = RestoreCommand.safeParse(command);
    if (data === undefined) return this.#out.respond(command, { error: explain(error) });
    this.#restoring ??= new RestoredBranches();
    this.#restoring.add(data);
    if (data.more !== true) {
      const { branch, entries } = this.#restoring.shown;
      this.#branch = branch;
      this.#entries = entries;
      for (const [id, inactive] of this.#restoring.inactive()) this.#inactive.set(id, inactive);
      this.#restoring = null;
    }
    this.#out.respond(command, { data: { message_count: data.messages.length } });
  }

  fork(command: WorkerBound): void {
    const at = this.#entries.findIndex(({ id }) => id === command["entryId"]);
    const refuse = (error: string) => this.#out.respond(command, { error });
    if (at === -1)
      return refuse(
        `${this.#program.name} no longer knows this prompt: it was sent before the agent restarted.`,
      );
    const list = this.#program.commandNames["get_branch_messages"] ?? "get_branch_messages";
    this.#client.request({ type: list }, (listed) => {
      const entryId = this.#find(at, ForkMessages.safeParse(listed.data).data?.messages ?? []);
      if (entryId === undefined) return refuse(`${this.#program.name} cannot go back to before this prompt.`);
      this.#file((file) => this.#forkAt(command, at, entryId, file));
    });
  }

  switchTo(command: WorkerBound): void {
    const { branch } = command;
    const inactive = typeof branch === "string" ? this.#inactive.get(branch) : undefined;
    if (typeof branch !== "string" || inactive === undefined)
      return this.#out.respond(command, { error: `${this.#program.name} no longer knows this branch.` });
    this.#file((file) => {
      this.#client.request({ type: "switch_session", sessionPath: inactive.file }, (response) => {
        if (!response.success) return this.#out.respond(command, { error: errorOf(response) });
        const from = this.#leave(branch, file, inactive.entries);
        this.#out.batch(() => {
          this.#out.frame({ type: "branch_switched", branch, from, ...named(file), time: now() });
          this.#out.respond(command, { data: { branch } });
        });
        this.#onMoved();
      });
    });
  }

  #forkAt(command: WorkerBound, at: number, entryId: string, file: string): void {
    const commandName = this.#program.commandNames["branch"] ?? "branch";
    this.#client.request({ type: commandName, entryId }, (response) => {
      const forked = Forked.safeParse(response.data).data;
      if (!response.success) return this.#out.respond(command, { error: errorOf(response) });
      if (forked?.cancelled === true)
        return this.#out.respond(command, { error: "An extension prevented going back." });
      const branch = randomUUID().slice(0, 8);
      const entry_id = this.#entries[at]?.id ?? null;
      const from = this.#leave(branch, file, this.#entries.slice(0, at));
      this.#out.batch(() => {
        this.#out.frame({ type: "branched", branch, from, entry_id, ...named(file), time: now() });
        this.#out.respond(command, { data: { text: forked?.text ?? "", branch } });
      });
      this.#onMoved();
    });
  }

  /** Returns the id of the branch that was left. */
  #leave(branch: string, file: string, entries: readonly PromptEntry[]): string {
    const from = this.#branch;
    this.#inactive.set(from, { file, entries: this.#entries });
    this.#branch = branch;
    this.#entries = entries;
    return from;
  }

  /** Requests the session file that the program writes to at the moment. */
  #file(use: (file: string) => void): void {
    this.#client.request({ type: "get_state" }, ({ data }) =>
      use(PiState.safeParse(data).data?.sessionFile ?? ""),
    );
  }

  /** Finds the program's id of a prompt. Its list lacks prompts that never became messages (slash commands). */
  #find(at: number, listed: readonly { entryId: string; text: string }[]): string | undefined {
    let next = 0;
    for (const [index, { text }] of this.#entries.entries()) {
      const found = listed.findIndex(
        (known, place) => place >= next && known.text.slice(0, maxPromptChars) === text,
      );
      if (index === at) return listed[found]?.entryId;
      if (found !== -1) next = found + 1;
    }
    return undefined;
  }
}

/** The file is logged, so that the next worker can open the branch too. */
const named = (file: string) => (file === "" ? {} : { from_agent_session: file });

const now = (): string => new Date().toISOString();
