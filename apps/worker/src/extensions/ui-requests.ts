// omp's UI methods for an extension: its questions go to the person and the answers back to it. What it
// shows (statuses, widgets, a title) is removed when the extension ends.
import type { UiRequest } from "@patchbay/protocol/extension";
import type { QuestionMethod, UiAnswer, UiChannel } from "../output/ui-channel.ts";
import type { Extension } from "./process/extension.ts";

/** Each open question is a card on the page. */
const maxOpen = 8;
const maxChars = 64 * 1024;
const maxOptions = 200;

export class UiRequests {
  readonly #extension: Extension;
  readonly #ui: UiChannel;
  readonly #mayShow: () => boolean;
  readonly #gone = new AbortController();
  readonly #statuses = new Set<string>();
  readonly #widgets = new Set<string>();
  #titled = false;
  #open = 0;

  constructor(extension: Extension, ui: UiChannel, mayShow: () => boolean) {
    this.#extension = extension;
    this.#ui = ui;
    this.#mayShow = mayShow;
  }

  take(frame: UiRequest): void {
    const problem = whatIsWrong(frame);
    if (problem !== null) return this.#refuse(frame, problem);
    switch (frame.method) {
      case "select":
      case "confirm":
      case "input":
      case "editor":
        void this.#ask(frame.method, frame); // never rejects: Ui.ask does not
        return;
      default:
        if (this.#mayShow()) this.#show(frame);
    }
  }

  /** Withdraws its questions and removes what it shows. */
  clear(): void {
    this.#gone.abort();
    const extension = this.#extension.name;
    for (const statusKey of this.#statuses) this.#ui.send("setStatus", { extension, statusKey });
    for (const widgetKey of this.#widgets) this.#ui.send("setWidget", { extension, widgetKey });
    if (this.#titled) this.#ui.send("setTitle", { extension, title: "" });
  }

  async #ask(method: QuestionMethod, frame: UiRequest): Promise<void> {
    const { id = "", timeout } = frame;
    if (this.#open >= maxOpen) return this.#refuse(frame, `${maxOpen} questions are open already`);
    this.#open++;
    const began = performance.now();
    const answer = await this.#ui.ask(method, this.#fields(frame), {
      signal: this.#gone.signal,
      ...(timeout === undefined ? {} : { timeout }),
    });
    this.#open--;
    const late =
      "cancelled" in answer && timeout !== undefined && performance.now() - began >= timeout - slack;
    this.#extension.send({ type: "ui_response", id, ...(late ? onTime(frame.default) : answer) });
  }

  #fields(frame: UiRequest): Record<string, unknown> {
    const { title, message, options, placeholder, prefill } = frame;
    const given = {
      title: cut(title),
      message: cut(message),
      options: options?.slice(0, maxOptions).map((option) => cut(option)),
      placeholder: cut(placeholder),
      prefill: cut(prefill),
      default: typeof frame.default === "string" ? cut(frame.default) : frame.default,
    };
    const present = Object.entries(given).filter(([, value]) => value !== undefined);
    return { extension: this.#extension.name, ...Object.fromEntries(present) };
  }

  #show(frame: UiRequest): void {
    const extension = this.#extension.name;
    switch (frame.method) {
      case "notify":
        return this.#ui.send("notify", {
          extension,
          message: cut(frame.message),
          notifyType: frame.notifyType ?? "info",
        });
      case "setStatus": {
        const { statusKey = "" } = frame;
        const statusText = frame.statusText ?? undefined;
        note(this.#statuses, statusKey, statusText !== undefined);
        return this.#ui.send("setStatus", {
          extension,
          statusKey,
          ...(statusText === undefined ? {} : { statusText: cut(statusText) }),
        });
      }
      case "setWidget": {
        const { widgetKey = "", widgetPlacement = "aboveEditor" } = frame;
        const lines = frame.widgetLines?.slice(0, maxOptions).map((line) => cut(line));
        note(this.#widgets, widgetKey, lines !== undefined);
        return this.#ui.send("setWidget", {
          extension,
          widgetKey,
          ...(lines === undefined ? {} : { widgetLines: lines, widgetPlacement }),
        });
      }
      case "setTitle":
        this.#titled = frame.title !== "";
        return this.#ui.send("setTitle", { extension, title: cut(frame.title) });
      case "set_editor_text":
        return this.#ui.send("set_editor_text", { extension, text: cut(frame.text) });
      default:
        return; // questions are handled by #ask
    }
  }

  #refuse({ id, method }: UiRequest, error: string): void {
    this.#extension.log.note(`ui_request ${method}: ${error}`);
    if (id !== undefined) this.#extension.send({ type: "ui_response", id, cancelled: true, error });
  }
}

/** Timers may fire a moment early, and the server counts the same time with its own. */
const slack = 20;

/** As in omp, a question without an answer in time gets its default. */
function onTime(standard: string | boolean | undefined) {
  if (typeof standard === "string") return { value: standard, timed_out: true };
  if (typeof standard === "boolean") return { confirmed: standard, timed_out: true };
  return { ...unanswered, timed_out: true };
}

const unanswered: UiAnswer = { cancelled: true };

const required: Readonly<Record<UiRequest["method"], readonly (keyof UiRequest)[]>> = {
  select: ["id", "title", "options"],
  confirm: ["id", "title"],
  input: ["id", "title"],
  editor: ["id", "title"],
  notify: ["message"],
  setStatus: ["statusKey"],
  setWidget: ["widgetKey"],
  setTitle: ["title"],
  set_editor_text: ["text"],
};

function whatIsWrong(frame: UiRequest): string | null {
  const missing = required[frame.method].find((field) => frame[field] === undefined);
  if (missing !== undefined) return `${frame.method} needs ${missing}`;
  if (frame.method === "select" && frame.options?.length === 0) return "select needs at least one option";
  const wanted = frame.method === "confirm" ? "boolean" : "string";
  if (frame.default !== undefined && typeof frame.default !== wanted) return `default: expected ${wanted}`;
  return null;
}

const note = (keys: Set<string>, key: string, shown: boolean): unknown =>
  shown ? keys.add(key) : keys.delete(key);

function cut(text: string): string;
function cut(text: string | undefined): string | undefined;
function cut(text: string | undefined): string | undefined {
  return text !== undefined && text.length > maxChars ? `${text.slice(0, maxChars)}…` : text;
}
