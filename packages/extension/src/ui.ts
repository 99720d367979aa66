// Questions and messages to the person. A question without an answer resolves to undefined.
import { type AnswerTo, type FromHost, send } from "./wire.ts";

export interface QuestionOptions<T> {
  readonly message?: string;
  /** Milliseconds, after which `default` is the answer. */
  readonly timeout?: number;
  readonly default?: T;
}

type Request = AnswerTo<"ui_request">;

export class Ui {
  readonly #open = new Map<string, (answer: FromHost<"ui_response">) => void>();
  #next = 1;

  async select(
    title: string,
    options: readonly string[],
    more: QuestionOptions<string> = {},
  ): Promise<string | undefined> {
    return (await this.#ask({ method: "select", title, options: [...options], ...more })).value;
  }

  async confirm(title: string, more: QuestionOptions<boolean> = {}): Promise<boolean | undefined> {
    return (await this.#ask({ method: "confirm", title, ...more })).confirmed;
  }

  async input(
    title: string,
    more: QuestionOptions<string> & { readonly placeholder?: string } = {},
  ): Promise<string | undefined> {
    return (await this.#ask({ method: "input", title, ...more })).value;
  }

  /** Several lines, beginning with `prefill`. */
  async editor(
    title: string,
    more: QuestionOptions<string> & { readonly prefill?: string } = {},
  ): Promise<string | undefined> {
    return (await this.#ask({ method: "editor", title, ...more })).value;
  }

  notify(message: string, notifyType: "info" | "warning" | "error" = "info"): void {
    send({ type: "ui_request", method: "notify", message, notifyType });
  }

  /** A word near the composer; without a text it goes. */
  status(statusKey: string, statusText?: string): void {
    send({ type: "ui_request", method: "setStatus", statusKey, ...(statusText ? { statusText } : {}) });
  }

  /** Lines near the composer; without lines they go. */
  widget(
    widgetKey: string,
    widgetLines?: readonly string[],
    widgetPlacement: "aboveEditor" | "belowEditor" = "aboveEditor",
  ): void {
    const lines = widgetLines === undefined ? {} : { widgetLines: [...widgetLines], widgetPlacement };
    send({ type: "ui_request", method: "setWidget", widgetKey, ...lines });
  }

  title(title: string): void {
    send({ type: "ui_request", method: "setTitle", title });
  }

  editorText(text: string): void {
    send({ type: "ui_request", method: "set_editor_text", text });
  }

  /** @internal */
  answer(frame: FromHost<"ui_response">): void {
    this.#open.get(frame.id)?.(frame);
    this.#open.delete(frame.id);
  }

  #ask(fields: Omit<Request, "type" | "id">): Promise<FromHost<"ui_response">> {
    const id = `q${this.#next++}`;
    return new Promise((resolve) => {
      this.#open.set(id, resolve);
      send({ type: "ui_request", id, ...fields });
    });
  }
}
