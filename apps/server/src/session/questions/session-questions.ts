// The questions of a session: saved, their answers delivered to the sender, and the outcome of each logged. The sender is a
// worker, or the server itself before there is a worker.
import { randomUUID } from "node:crypto";
import type { Frame } from "@patchbay/protocol";
import type { Journal } from "../log/journal.ts";
import type { Coalesced } from "../record/coalesced.ts";
import type { SessionWrites } from "../record/session-writes.ts";
import type { AskPeople } from "../worker/project-trust.ts";
import { HeldQuestions, type Resolution } from "./held-questions.ts";

/** Sends the answer to the worker that asked. */
export type DeliverAnswer = (
  answer: { type: "extension_ui_response"; id: string } & Omit<Resolution, "by">,
) => void;

export class SessionQuestions extends HeldQuestions {
  readonly #journal: Journal;
  /** Callbacks of open questions of the server's own. */
  readonly #waiting = new Map<string, (value: string | null) => void>();
  #deliver: DeliverAnswer = () => {};

  constructor(journal: Journal, writes: SessionWrites, changes: Coalesced) {
    super({
      resolved: (id, how) => this.#resolved(id, how),
      changed: (pending) => {
        writes.questions(pending);
        changes.signal();
      },
    });
    this.#journal = journal;
  }

  /** `deliver` gets the answers to a worker's questions. */
  deliverTo(deliver: DeliverAnswer): void {
    this.#deliver = deliver;
  }

  frame(frame: Frame): void {
    if (frame.type === "extension_ui_request") this.ask(frame);
  }

  /** Asks a question of the server's own. */
  readonly askPeople: AskPeople = (question, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve(null);
      const id = `server-${randomUUID()}`;
      const withdraw = () => this.resolve(id, { by: "withdrawn", cancelled: true });
      signal.addEventListener("abort", withdraw, { once: true });
      this.#waiting.set(id, (value) => {
        signal.removeEventListener("abort", withdraw);
        resolve(value);
      });
      this.#journal.appendOwn({ type: "extension_ui_request", id, method: "select", ...question });
    });

  #resolved(id: string, { by, ...answer }: Resolution): void {
    const own = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (own === undefined && by !== "withdrawn")
      this.#deliver({ type: "extension_ui_response", id, ...answer });
    this.#journal.appendOwn({ type: "ui_resolved", id, time: new Date().toISOString(), by, ...answer });
    own?.(answer.value ?? null);
  }
}
