// The questions of a session: saved, their answers delivered to the sender, and the outcome of each logged. The sender is a
// worker, or the server itself before there is a worker. A question that a standing permission covers is answered at once.
import { randomUUID } from "node:crypto";
import {
  type Author,
  type Frame,
  readApproval,
  type UiRequestEvent,
  type UiResponseCommand,
} from "@patchbay/protocol";
import type { Journal } from "../log/journal.ts";
import type { Asker, Permissions, StandingAnswer } from "../permissions/permissions.ts";
import type { Coalesced } from "../record/coalesced.ts";
import type { SessionWrites } from "../record/session-writes.ts";
import type { AskPeople } from "../worker/project-trust.ts";
import { HeldQuestions, type Resolution } from "./held-questions.ts";

/** Sends the answer to the worker that asked. */
export type DeliverAnswer = (
  answer: { type: "extension_ui_response"; id: string } & Omit<
    Resolution,
    "by" | "answered_by" | "permission"
  >,
) => void;

interface QuestionsParts {
  journal: Journal;
  writes: SessionWrites;
  changes: Coalesced;
  permissions: Permissions;
  /** Whose questions they are. */
  asker(): Asker;
}

export class SessionQuestions extends HeldQuestions {
  readonly #journal: Journal;
  readonly #permissions: Permissions;
  readonly #asker: () => Asker;
  readonly #leavePermissions: () => void;
  /** Callbacks of open questions of the server's own. */
  readonly #waiting = new Map<string, (value: string | null) => void>();
  #deliver: DeliverAnswer = () => {};

  constructor({ journal, writes, changes, permissions, asker }: QuestionsParts) {
    super({
      resolved: (id, how) => this.#resolved(id, how),
      changed: (pending) => {
        writes.questions(pending);
        changes.signal();
      },
    });
    this.#journal = journal;
    this.#permissions = permissions;
    this.#asker = asker;
    this.#leavePermissions = permissions.onGrant(() => this.#answerCovered());
  }

  close(): void {
    this.#leavePermissions();
  }

  /** `deliver` gets the answers to a worker's questions. */
  deliverTo(deliver: DeliverAnswer): void {
    this.#deliver = deliver;
  }

  frame(frame: Frame): void {
    if (frame.type !== "extension_ui_request") return;
    const given = this.#permissions.answerTo(this.#asker(), frame);
    if (given === null) return this.ask(frame);
    // The answer follows the lines that were read with the question: a worker that asks is then waiting for it.
    this.#resolved(frame.id, resolutionBy(given));
  }

  /** Whether a standing permission answers it, so that nobody is needed. */
  isCovered(question: UiRequestEvent): boolean {
    return this.#permissions.answerTo(this.#asker(), question) !== null;
  }

  /** A viewer's answer; the first one counts. Null, or what is wrong with it, for the sender. */
  answer(
    { id, remember, value, confirmed, cancelled, reason }: UiResponseCommand,
    by: Author,
  ): string | null {
    const question = this.pending.find((open) => open.id === id);
    if (question === undefined) return "This question is no longer open: it was answered or withdrawn.";
    const resolution: Resolution = { by: "viewer", value, confirmed, cancelled, reason, answered_by: by };
    if (remember === undefined) {
      this.resolve(id, resolution);
      return null;
    }
    const allow = readApproval(question)?.allow;
    const permission =
      allow === undefined || value !== allow
        ? null
        : this.#permissions.grant(this.#asker(), question, remember, by);
    if (permission === null) return "That permission does not fit the question, so nothing was allowed.";
    const { what, where } = permission;
    this.resolve(id, { ...resolution, permission: { id: permission.id, what, where } });
    this.#permissions.announce();
    return null;
  }

  /** Other open questions that a new permission covers. */
  #answerCovered(): void {
    for (const question of this.pending) {
      const given = this.#permissions.answerTo(this.#asker(), question);
      if (given !== null) this.resolve(question.id, resolutionBy(given));
    }
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

  #resolved(id: string, { by, answered_by, permission, ...answer }: Resolution): void {
    const own = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (own === undefined && by !== "withdrawn")
      this.#deliver({ type: "extension_ui_response", id, ...answer });
    this.#journal.appendOwn({
      ...{ type: "ui_resolved", id, time: new Date().toISOString(), by, ...answer },
      ...(answered_by === undefined ? {} : { answered_by }),
      ...(permission === undefined ? {} : { permission }),
    });
    own?.(answer.value ?? null);
  }
}

const resolutionBy = ({ permission: { id, what, where }, value }: StandingAnswer): Resolution => ({
  by: "permission",
  value,
  permission: { id, what, where },
});
