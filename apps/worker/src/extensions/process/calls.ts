// Pending calls to an extension. Every call ends: with its answer, its timeout, the caller's abort, or the end of
// the extension. The first of these wins.
import type { ExtensionFrame } from "@patchbay/protocol/extension";

export type AnswerType = "tool_result" | "command_response" | "event_intercept_response";
export type AnswerOf<T extends AnswerType> = Extract<ExtensionFrame, { type: T }>;

export type CallOutcome<T extends AnswerType> =
  | { readonly kind: "answer"; readonly frame: AnswerOf<T> }
  | { readonly kind: "timeout" }
  | { readonly kind: "aborted" }
  /** It ended, or does not read its input. */
  | { readonly kind: "gone"; readonly why: string };

interface Open {
  readonly type: AnswerType;
  settle(outcome: CallOutcome<AnswerType>): void;
  progress?(text: string): void;
}

export interface CallOptions {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  progress?(text: string): void;
}

export class Calls {
  readonly #open = new Map<string, Open>();
  #next = 1;

  /** `send` gets the id, and returns why it could not be sent, or null. */
  ask<T extends AnswerType>(
    type: T,
    { timeoutMs, signal, progress }: CallOptions,
    send: (id: string) => string | null,
  ): Promise<CallOutcome<T>> {
    if (signal.aborted) return Promise.resolve({ kind: "aborted" });
    const id = `${type.slice(0, 1)}${this.#next++}`;
    return new Promise((resolve) => {
      const timer = setTimeout(() => settle({ kind: "timeout" }), timeoutMs);
      const giveUp = (): void => settle({ kind: "aborted" });
      const settle = (outcome: CallOutcome<AnswerType>): void => {
        if (!this.#open.delete(id)) return;
        clearTimeout(timer);
        signal.removeEventListener("abort", giveUp);
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `answer` lets only frames of this type through
        resolve(outcome as CallOutcome<T>);
      };
      this.#open.set(id, { type, settle, ...(progress === undefined ? {} : { progress }) });
      signal.addEventListener("abort", giveUp, { once: true });
      const problem = send(id);
      if (problem !== null) settle({ kind: "gone", why: problem });
    });
  }

  /** False: no call waits for this answer, or not for one of this type. */
  answer(frame: AnswerOf<AnswerType>): boolean {
    const open = this.#open.get(frame.id);
    if (open?.type !== frame.type) return false;
    open.settle({ kind: "answer", frame });
    return true;
  }

  progress(id: string, text: string): void {
    this.#open.get(id)?.progress?.(text);
  }

  failAll(why: string): void {
    for (const open of [...this.#open.values()]) open.settle({ kind: "gone", why });
  }
}
