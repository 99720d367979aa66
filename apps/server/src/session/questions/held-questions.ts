// Questions to a person. The server holds them, so that a reload, a second device or a crash of the page loses
// none. The first answer wins; a question with a timeout is withdrawn when it expires.
import {
  type Author,
  type Question,
  questionMethods,
  type UiRequestEvent,
  type UiResolvedFrame,
} from "@patchbay/protocol";

interface Open {
  question: Question;
  bytes: number;
  timer: NodeJS.Timeout | undefined;
}

/** How a question ended. */
export interface Resolution {
  by: UiResolvedFrame["by"];
  value?: string | undefined;
  confirmed?: boolean | undefined;
  cancelled?: boolean | undefined;
  reason?: string | undefined;
  answered_by?: Author | undefined;
  permission?: UiResolvedFrame["permission"];
}

interface QuestionsOptions {
  /** Called once for each question. */
  resolved(id: string, how: Resolution): void;
  changed(pending: Question[]): void;
}

/** A worker with more open questions is broken, and each costs a timer and a card on the page. */
const maxOpen = 100;

/** Open questions are repeated in every message about the session. A long diff is 64 KB. */
const maxBytes = 1024 * 1024;

/** A longer timer of Node (24 days) fires at once, so such a question does not expire. */
const longestTimer = 2 ** 31 - 1;

export class HeldQuestions {
  readonly #open = new Map<string, Open>();
  readonly #options: QuestionsOptions;

  constructor(options: QuestionsOptions) {
    this.#options = options;
  }

  get pending(): Question[] {
    return [...this.#open.values()].map((open) => open.question);
  }

  /** Holds a question. `notify` and the like need no answer and are ignored; `cancel` withdraws a question. */
  ask(request: UiRequestEvent): void {
    if (request.method === "cancel" && request.targetId !== undefined) {
      this.resolve(request.targetId, { by: "withdrawn", cancelled: true });
      return;
    }
    if (!questionMethods.has(request.method)) return;
    const { id, timeout: requested = Number.POSITIVE_INFINITY } = request;
    const bytes = JSON.stringify(request).length;
    if (!this.#hasRoomFor(id, bytes)) return this.#options.resolved(id, { by: "refused", cancelled: true });
    const now = Date.now();
    const timeout = requested <= longestTimer ? Math.max(0, requested) : undefined;
    const question: Question = {
      ...request,
      asked_at: new Date(now).toISOString(),
      ...(timeout === undefined ? {} : { expires_at: new Date(now + timeout).toISOString() }),
    };
    clearTimeout(this.#open.get(id)?.timer); // asked again under the same id
    const late = () => this.resolve(id, { by: "timeout", cancelled: true });
    const timer = timeout === undefined ? undefined : setTimeout(late, timeout);
    this.#open.set(id, { question, bytes, timer });
    this.#options.changed(this.pending);
  }

  #hasRoomFor(id: string, bytes: number): boolean {
    const others = [...this.#open].filter(([known]) => known !== id);
    return others.length < maxOpen && others.reduce((sum, [, open]) => sum + open.bytes, bytes) <= maxBytes;
  }

  /** False when the question is not open, so that only the first answer counts. */
  resolve(id: string, how: Resolution): boolean {
    const open = this.#open.get(id);
    if (open === undefined) return false;
    clearTimeout(open.timer);
    this.#open.delete(id);
    this.#options.changed(this.pending);
    this.#options.resolved(id, how);
    return true;
  }

  /** The worker that asked has ended. */
  withdrawAll(): void {
    for (const id of this.#open.keys()) this.resolve(id, { by: "worker_exit", cancelled: true });
  }
}
