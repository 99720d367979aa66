// Questions and words to the person, in omp's extension UI frames. The server holds open questions, so
// this side only waits: for the answer, for the end of the question's time, or for whoever asked to give up.
import type { UiResponseCommand } from "@patchbay/protocol";
import type { Output } from "./output.ts";

export type QuestionMethod = "select" | "confirm" | "input" | "editor";
export type TellMethod = "cancel" | "notify" | "setStatus" | "setWidget" | "setTitle" | "set_editor_text";

/** `cancelled`: nobody answered in time, the person closed it, or the asker's signal fired. */
export type UiAnswer =
  | { readonly value: string; readonly reason?: string }
  | { readonly confirmed: boolean }
  | { readonly cancelled: true };

interface AskOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds; the server counts them too and shows what is left. */
  readonly timeout?: number;
}

const nobody: UiAnswer = { cancelled: true };

export class Ui {
  readonly #output: Output;
  readonly #open = new Map<string, (answer: UiAnswer) => void>();
  #next = 1;
  #closed = false;

  constructor(output: Output) {
    this.#output = output;
  }

  ask(
    method: QuestionMethod,
    fields: Readonly<Record<string, unknown>>,
    { signal, timeout }: AskOptions = {},
  ): Promise<UiAnswer> {
    if (this.#closed || signal?.aborted) return Promise.resolve(nobody);
    const id = this.#id();
    return new Promise((resolve) => {
      const timer = timeout === undefined ? undefined : setTimeout(() => settle(nobody), timeout);
      const giveUp = (): void => {
        this.tell("cancel", { targetId: id });
        settle(nobody);
      };
      const settle = (answer: UiAnswer): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", giveUp);
        if (this.#open.delete(id)) resolve(answer);
      };
      this.#open.set(id, settle);
      signal?.addEventListener("abort", giveUp, { once: true });
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
  tell(method: TellMethod, fields: Readonly<Record<string, unknown>>): void {
    this.#output.write({ type: "extension_ui_request", id: this.#id(), method, ...fields });
  }

  /** An answer to a question that is not open is ignored, as in omp: it was answered elsewhere. */
  answer(response: UiResponseCommand): void {
    const { id, value, confirmed } = response;
    const answer: UiAnswer =
      response.cancelled || (value === undefined && confirmed === undefined)
        ? nobody
        : value === undefined
          ? { confirmed: confirmed === true }
          : { value, ...(response.reason === undefined ? {} : { reason: response.reason }) };
    this.#open.get(id)?.(answer);
  }

  /** Whoever asked is going: no answer is waited for any more. */
  close(): void {
    this.#closed = true;
    for (const settle of [...this.#open.values()]) settle(nobody);
  }

  #id(): string {
    return `ui_${process.pid}_${this.#next++}`;
  }
}
