// Questions of an agent to a person. The end of the turn withdraws all of them, and the agent can withdraw one itself.
import { randomUUID } from "node:crypto";
import type { OutputFrame } from "../../frame-writer.ts";

interface PersonAnswer {
  value?: unknown;
  confirmed?: unknown;
}

type Question = { method: "select" | "confirm" | "input"; title: string } & Record<string, unknown>;

export interface QuestionScope {
  /** Null: closed, withdrawn, or too many questions are open. */
  ask(question: Question): Promise<PersonAnswer | null>;
}

/** An agent that has more open is broken. The server's own limit is the same. */
const maxOpen = 100;

export class AgentQuestions {
  readonly #emit: (frame: OutputFrame) => void;
  readonly #open = new Map<string, (answer: PersonAnswer | null) => void>();

  constructor(emit: (frame: OutputFrame) => void) {
    this.#emit = emit;
  }

  /** Questions of one request: they are withdrawn when the agent cancels it. */
  withSignal(cancelled: AbortSignal): QuestionScope {
    return { ask: (question) => this.#ask(question, cancelled) };
  }

  #ask(question: Question, cancelled: AbortSignal): Promise<PersonAnswer | null> {
    if (cancelled.aborted || this.#open.size >= maxOpen) return Promise.resolve(null);
    const id = `acp-${randomUUID()}`;
    const withdraw = () => this.#withdraw(id);
    cancelled.addEventListener("abort", withdraw, { once: true });
    return new Promise((resolve) => {
      this.#open.set(id, (answer) => {
        cancelled.removeEventListener("abort", withdraw);
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
