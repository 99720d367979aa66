// Questions to a person, held here so that a reload, a second device or a crash of the page loses
// none. The first answer wins; a question with a timeout is withdrawn when its time is up.
import { type Question, questionMethods, type UiRequestEvent } from "@patchbay/protocol";

interface Open {
  question: Question;
  timer: NodeJS.Timeout | undefined;
}

/** A worker that asks more than this at once is broken, and each costs a timer and a card. */
const maxOpen = 100;

export class Questions {
  readonly #open = new Map<string, Open>();
  readonly #onTimeout: (id: string) => void;
  readonly #changed: (pending: Question[]) => void;

  constructor(options: { onTimeout: (id: string) => void; changed: (pending: Question[]) => void }) {
    this.#onTimeout = options.onTimeout;
    this.#changed = options.changed;
  }

  get pending(): Question[] {
    return [...this.#open.values()].map((open) => open.question);
  }

  /** True when it is a question; `notify` and the like need no answer. */
  ask(request: UiRequestEvent): boolean {
    if (!questionMethods.has(request.method) || this.#open.size >= maxOpen) return false;
    const now = Date.now();
    const { timeout } = request;
    const question: Question = {
      ...request,
      asked_at: new Date(now).toISOString(),
      ...(timeout === undefined ? {} : { expires_at: new Date(now + timeout).toISOString() }),
    };
    this.take(request.id);
    const timer = timeout === undefined ? undefined : setTimeout(() => this.#onTimeout(request.id), timeout);
    this.#open.set(request.id, { question, timer });
    this.#changed(this.pending);
    return true;
  }

  /** Removes a question; undefined when it is not (or no longer) open, so that only one answer counts. */
  take(id: string): Question | undefined {
    const open = this.#open.get(id);
    if (open === undefined) return undefined;
    clearTimeout(open.timer);
    this.#open.delete(id);
    this.#changed(this.pending);
    return open.question;
  }
}
