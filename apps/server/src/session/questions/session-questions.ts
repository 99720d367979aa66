// What becomes of questions: they are kept, who asked hears the answer, and the log tells how each ended. A worker asks, or
// the server itself, before there is a worker.
import { randomUUID } from "node:crypto";
import type { ServerEvent, UiRequestEvent } from "@patchbay/protocol";
import { now } from "../log/own-frames.ts";
import type { Keeper } from "../session-writes.ts";
import type { AskPeople } from "../worker/project-trust.ts";
import type { WorkerSlot } from "../worker/worker-slot.ts";
import { Questions, type Resolution } from "./open-questions.ts";

interface Surroundings {
  keep: Keeper;
  worker(): WorkerSlot;
  append(event: ServerEvent): void;
  /** Puts a question of the server's own into the log, as if a worker had asked. */
  say(question: UiRequestEvent): void;
  changed(): void;
}

export class SessionQuestions extends Questions {
  readonly #surroundings: Surroundings;
  /** Who waits for an answer to a question of the server's own. */
  readonly #waiting = new Map<string, (value: string | null) => void>();

  constructor(surroundings: Surroundings) {
    super({
      resolved: (id, how) => this.#resolved(id, how),
      changed: (pending) => {
        surroundings.keep.questions(pending);
        surroundings.changed();
      },
    });
    this.#surroundings = surroundings;
  }

  /** A question of the server's own. */
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
      this.#surroundings.say({ type: "extension_ui_request", id, method: "select", ...question });
    });

  #resolved(id: string, { by, ...answer }: Resolution): void {
    const { append, worker } = this.#surroundings;
    const frame = { type: "ui_resolved", id, time: now(), by, ...answer } as const;
    const own = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (own === undefined && by !== "withdrawn")
      worker().ready?.tell({ type: "extension_ui_response", id, ...answer });
    // After the run that withdraws or asks it: a frame of ours in the middle would take the number of one of the worker's.
    if (own === undefined && (by === "withdrawn" || by === "refused"))
      return queueMicrotask(() => append(frame));
    append(frame);
    own?.(answer.value ?? null);
  }
}
