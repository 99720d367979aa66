// An agent that asks, asks a person. Whoever stops the turn has closed every question, and the agent itself may take one
// back.
import { randomUUID } from "node:crypto";
import type { OutputFrame } from "../../frame-output.ts";

/** What a person answered. */
interface Answer {
  value?: unknown;
  confirmed?: unknown;
}

type Asked = { method: "select" | "confirm" | "input"; title: string } & Record<string, unknown>;

export interface Asker {
  /** Null: closed, withdrawn, or one too many. */
  ask(question: Asked): Promise<Answer | null>;
}

/** Beyond this an agent is broken; the server shows no more at once either. */
const maxOpen = 100;

export class Questions {
  readonly #emit: (frame: OutputFrame) => void;
  readonly #open = new Map<string, (answer: Answer | null) => void>();

  constructor(emit: (frame: OutputFrame) => void) {
    this.#emit = emit;
  }

  /** Asks for somebody who may not want to know any more. */
  until(takenBack: AbortSignal): Asker {
    return { ask: (question) => this.#ask(question, takenBack) };
  }

  #ask(question: Asked, takenBack: AbortSignal): Promise<Answer | null> {
    if (takenBack.aborted || this.#open.size >= maxOpen) return Promise.resolve(null);
    const id = `acp-${randomUUID()}`;
    const withdraw = () => this.#withdraw(id);
    takenBack.addEventListener("abort", withdraw, { once: true });
    return new Promise((resolve) => {
      this.#open.set(id, (answer) => {
        takenBack.removeEventListener("abort", withdraw);
        resolve(answer);
      });
      this.#emit({ type: "extension_ui_request", id, ...question });
    });
  }

  answer({ id, value, confirmed, cancelled }: Record<string, unknown>): void {
    const open = this.#open.get(String(id));
    this.#open.delete(String(id));
    open?.(cancelled === true ? null : { value, confirmed });
  }

  withdrawAll(): void {
    for (const id of [...this.#open.keys()]) this.#withdraw(id);
  }

  #withdraw(id: string): void {
    this.answer({ id, cancelled: true });
    this.#emit({ type: "extension_ui_request", id: `${id}-cancel`, method: "cancel", targetId: id });
  }
}
