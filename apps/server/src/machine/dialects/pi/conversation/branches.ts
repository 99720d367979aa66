// Going back to before a prompt. Both programs do it by forking their session file, so every branch has a file, and
// walking to another branch is opening its file. Their ids of prompts are not in their frames: they are found by asking,
// and matched by what the prompts say, in order.
import { randomUUID } from "node:crypto";
import { explain, firstBranch, RestoreCommand } from "@patchbay/protocol";
import type { WorkerBound } from "../../dialect.ts";
import type { TypedFrameOutput } from "../../frame-output.ts";
import type { Program } from "../wire/programs.ts";
import { type Asks, errorOf } from "../wire/rpc-client.ts";
import { Forked, ForkMessages, PiState } from "../wire/schemas.ts";
import { type Entry, type Left, longestKept, RememberedBranches } from "./restored-branches.ts";

export class Branches {
  readonly #program: Program;
  readonly #asks: Asks;
  readonly #out: TypedFrameOutput;
  /** The conversation is in another file now. */
  readonly #moved: () => void;
  #branch = firstBranch;
  /** The prompts of this branch that this worker has seen. */
  #entries: readonly Entry[] = [];
  readonly #left = new Map<string, Left>();
  /** Not null while the pieces of a `restore` come. */
  #remembered: RememberedBranches | null = null;

  constructor(program: Program, asks: Asks, out: TypedFrameOutput, moved: () => void) {
    this.#moved = moved;
    this.#program = program;
    this.#asks = asks;
    this.#out = out;
  }

  /** A prompt is said; answers the id under which it can be gone back to. */
  said(text: string): string {
    const entry = { id: randomUUID().slice(0, 8), text: text.slice(0, longestKept) };
    this.#entries = [...this.#entries, entry];
    return entry.id;
  }

  /** Another conversation: there is nothing to go back to. */
  forget(): void {
    this.#branch = firstBranch;
    this.#entries = [];
    this.#left.clear();
  }

  /** The program has gone on with its own file; these are its prompts, under the names that viewers know. */
  restore(command: WorkerBound): void {
    const { data, error } = RestoreCommand.safeParse(command);
    if (data === undefined) return this.#out.respond(command, { error: explain(error) });
    this.#remembered ??= new RememberedBranches();
    this.#remembered.add(data);
    if (data.more !== true) {
      const { branch, entries } = this.#remembered.shown;
      this.#branch = branch;
      this.#entries = entries;
      for (const [id, left] of this.#remembered.left()) this.#left.set(id, left);
      this.#remembered = null;
    }
    this.#out.respond(command, { data: { message_count: data.messages.length } });
  }

  start(command: WorkerBound): void {
    const at = this.#entries.findIndex(({ id }) => id === command["entryId"]);
    const refuse = (error: string) => this.#out.respond(command, { error });
    if (at === -1)
      return refuse(`${this.#program.name} no longer knows that prompt: it was said to an earlier worker.`);
    const list = this.#program.words["get_branch_messages"] ?? "get_branch_messages";
    this.#asks.ask({ type: list }, (listed) => {
      const entryId = this.#find(at, ForkMessages.safeParse(listed.data).data?.messages ?? []);
      if (entryId === undefined) return refuse(`${this.#program.name} cannot go back to before that prompt.`);
      this.#file((file) => this.#fork(command, at, entryId, file));
    });
  }

  walk(command: WorkerBound): void {
    const { branch } = command;
    const left = typeof branch === "string" ? this.#left.get(branch) : undefined;
    if (typeof branch !== "string" || left === undefined)
      return this.#out.respond(command, { error: `${this.#program.name} no longer knows that branch.` });
    this.#file((file) => {
      this.#asks.ask({ type: "switch_session", sessionPath: left.file }, (response) => {
        if (!response.success) return this.#out.respond(command, { error: errorOf(response) });
        const from = this.#leave(branch, file, left.entries);
        this.#out.batch(() => {
          this.#out.frame({ type: "branch_switched", branch, from, ...named(file), time: now() });
          this.#out.respond(command, { data: { branch } });
        });
        this.#moved();
      });
    });
  }

  #fork(command: WorkerBound, at: number, entryId: string, file: string): void {
    const word = this.#program.words["branch"] ?? "branch";
    this.#asks.ask({ type: word, entryId }, (response) => {
      const forked = Forked.safeParse(response.data).data;
      if (!response.success) return this.#out.respond(command, { error: errorOf(response) });
      if (forked?.cancelled === true)
        return this.#out.respond(command, { error: "An extension did not let the conversation go back." });
      const branch = randomUUID().slice(0, 8);
      const entry_id = this.#entries[at]?.id ?? null;
      const from = this.#leave(branch, file, this.#entries.slice(0, at));
      this.#out.batch(() => {
        this.#out.frame({ type: "branched", branch, from, entry_id, ...named(file), time: now() });
        this.#out.respond(command, { data: { text: forked?.text ?? "", branch } });
      });
      this.#moved();
    });
  }

  /** Answers the branch that was left. */
  #leave(branch: string, file: string, entries: readonly Entry[]): string {
    const from = this.#branch;
    this.#left.set(from, { file, entries: this.#entries });
    this.#branch = branch;
    this.#entries = entries;
    return from;
  }

  /** The session file that the program writes to at the moment. */
  #file(hear: (file: string) => void): void {
    this.#asks.ask({ type: "get_state" }, ({ data }) =>
      hear(PiState.safeParse(data).data?.sessionFile ?? ""),
    );
  }

  /** Prompts that never became messages (slash commands) are missing in the program's list. */
  #find(at: number, listed: readonly { entryId: string; text: string }[]): string | undefined {
    let next = 0;
    for (const [index, { text }] of this.#entries.entries()) {
      const found = listed.findIndex(
        (known, place) => place >= next && known.text.slice(0, longestKept) === text,
      );
      if (index === at) return listed[found]?.entryId;
      if (found !== -1) next = found + 1;
    }
    return undefined;
  }
}

/** In the log, so that the next worker can open the branch too. */
const named = (file: string) => (file === "" ? {} : { from_agent_session: file });

const now = (): string => new Date().toISOString();
