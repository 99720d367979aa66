// Questions and notifications to the person, in omp's extension UI frames. The server holds open questions; the
// worker waits for the answer, the timeout or the caller's abort.
import type { UiResponseCommand } from "@patchbay/protocol";
import type { WorkerOutput } from "./worker-output.ts";

export type QuestionMethod = "select" | "confirm" | "input" | "editor";
export type OneWayMethod = "cancel" | "notify" | "setStatus" | "setWidget" | "setTitle" | "set_editor_text";

/** `cancelled`: the time ran out, the person closed it, or the caller's signal fired. */
export type UiAnswer =
  | { readonly value: string; readonly reason?: string }
  | { readonly confirmed: boolean }
  | { readonly cancelled: true };

interface AskOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds; the server counts them too and shows what is left. */
  readonly timeout?: number;
}

const unanswered: UiAnswer = { cancelled: true };

export class UiChannel {
  readonly #output: WorkerOutput;
  readonly #open = new Map<string, (answer: UiAnswer) => void>();
  #next = 1;
  #closed = false;

  constructor(output: WorkerOutput) {
    this.#output = output;
  }

  ask(
    method: QuestionMethod,
    fields: Readonly<Record<string, unknown>>,
    { signal, timeout }: AskOptions = {},
  ): Promise<UiAnswer> {
    if (this.#closed || signal?.aborted) return Promise.resolve(unanswered);
    const id = this.#id();
    return new Promise((resolve) => {
      const timer = timeout === undefined ? undefined : setTimeout(() => settle(unanswered), timeout);
      const cancel = (): void => {
        this.send("cancel", { targetId: id });
        settle(unanswered);
      };
      const settle = (answer: UiAnswer): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", cancel);
        if (this.#open.delete(id)) resolve(answer);
      };
      this.#open.set(id, settle);
      signal?.addEventListener("abort", cancel, { once: true });
      this.#output.write({
        type: "extension_ui_request",
        id,
        method,
        ...fields,
        ...(timeout === undefined ? {} : { timeout }),
      });
    });
  }

  /** Needs no answer. */
  send(method: OneWayMethod, fields: Readonly<Record<string, unknown>>): void {
    this.#output.write({ type: "extension_ui_request", id: this.#id(), method, ...fields });
  }

  /** An answer to a question that is not open is ignored, as in omp: it was answered elsewhere. */
  answer(response: UiResponseCommand): void {
    const { id, value, confirmed } = response;
    const answer: UiAnswer =
      response.cancelled || (value === undefined && confirmed === undefined)
        ? unanswered
        : value === undefined
          ? { confirmed: confirmed === true }
          : { value, ...(response.reason === undefined ? {} : { reason: response.reason }) };
    this.#open.get(id)?.(answer);
  }

  /** The worker ends: open questions count as cancelled. */
  close(): void {
    this.#closed = true;
    for (const settle of [...this.#open.values()]) settle(unanswered);
  }

  #id(): string {
    return `ui_${process.pid}_${this.#next++}`;
  }
}
