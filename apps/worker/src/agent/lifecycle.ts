// Opens the services of a session when its working directory is known, and closes them with the worker.
import type { Trust } from "../approvals/trust.ts";
import type { Service, TurnListener } from "../features/contributions.ts";
import type { Jail } from "../jail/jail.ts";
import type { UiChannel } from "../output/ui-channel.ts";
import type { PersonBash } from "./person-bash.ts";
import type { TurnQueue } from "./prompts/turn-queue.ts";

interface LifecycleParts {
  readonly session: { readonly cwd: string };
  readonly services: readonly Service[];
  readonly listeners: readonly TurnListener[];
  readonly turns: TurnQueue;
  readonly bash: PersonBash;
  readonly trust: Trust;
  readonly ui: UiChannel;
  readonly jail: Jail;
}

export class Lifecycle {
  readonly #parts: LifecycleParts;
  readonly #closing = new AbortController();
  #opened: Promise<void> | undefined;

  constructor(parts: LifecycleParts) {
    this.#parts = parts;
  }

  /** Fires when the worker ends: for work that belongs to no turn. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** Opens the services once; every caller waits for the same opening. */
  open(): Promise<void> {
    this.#opened ??= this.#open();
    return this.#opened;
  }

  async #open(): Promise<void> {
    const { services, session, listeners, trust } = this.#parts;
    try {
      await Promise.all(services.map((service) => service.open(session.cwd)));
      for (const listener of listeners) listener.sessionStarted?.();
    } finally {
      trust.enableQuestions();
    }
  }

  /** Resolves when nothing runs: no turn, and no command of the person's. */
  async idle(): Promise<void> {
    const { turns, bash } = this.#parts;
    while (turns.busy || bash.running) {
      await turns.idle();
      await bash.idle();
    }
  }

  /** Cancels the running turn and drops those that wait; resolves when it has ended. */
  async stopTurns(): Promise<void> {
    const { turns } = this.#parts;
    turns.dropWaiting();
    turns.abort("shutdown");
    await turns.idle();
  }

  async close(): Promise<void> {
    const { ui, services, jail } = this.#parts;
    ui.close();
    this.#closing.abort("shutdown");
    await Promise.all(services.map((service) => service.close()));
    await jail.close();
  }
}
