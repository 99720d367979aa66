// Writes logins to the store, one change after another: a late save must not restore a removed login. A failed removal is retried
// until it works, because a login that stays in the store is valid after a restart.
import type { FastifyBaseLogger } from "fastify";
import type { LoginRecord, LoginStore } from "../store/people/login-store.ts";

const retryMs = 5_000;

export class LoginWrites {
  readonly #store: LoginStore;
  readonly #log: FastifyBaseLogger;
  /** Ended logins whose rows the store still has. */
  readonly #unremoved = new Set<string>();
  #retry: NodeJS.Timeout | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(store: LoginStore, log: FastifyBaseLogger) {
    this.#store = store;
    this.#log = log;
  }

  save(record: LoginRecord): Promise<void> {
    return this.#inOrder(() => this.#store.save(record));
  }

  /** For changes that may be lost in a crash: the time of the last use. */
  saveLater(record: LoginRecord): void {
    this.save(record).catch((error: unknown) =>
      this.#log.warn({ err: error }, "a login's last use could not be saved"),
    );
  }

  /** Rejects when the store fails. The rows are then removed later. */
  async remove(ids: readonly string[]): Promise<void> {
    for (const id of ids) this.#unremoved.add(id);
    await this.#removeRows();
  }

  async close(): Promise<void> {
    clearTimeout(this.#retry);
    await this.#removeRows().catch(() => {}); // logged; the store is about to be closed
    clearTimeout(this.#retry);
    await this.#last;
  }

  async #removeRows(): Promise<void> {
    const ids = [...this.#unremoved];
    if (ids.length === 0) return;
    clearTimeout(this.#retry);
    try {
      await this.#inOrder(() => this.#store.remove(ids));
      for (const id of ids) this.#unremoved.delete(id);
    } catch (error) {
      this.#log.error({ err: error }, "logins that have ended could not be removed from the database");
      this.#retry = setTimeout(() => void this.#removeRows().catch(() => {}), retryMs).unref(); // it logs
      throw error;
    }
  }

  #inOrder(write: () => Promise<void>): Promise<void> {
    const written = this.#last.then(write);
    this.#last = written.catch(() => {}); // the caller gets the rejection
    return written;
  }
}
