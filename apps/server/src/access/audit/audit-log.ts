// The audit: entries are numbered, chained and saved one after another. A call that is audited is answered when its entry is saved.
import type { AuditEntry } from "@patchbay/protocol";
import type { FastifyBaseLogger } from "fastify";
import type { AuditQuery, AuditStore } from "../../store/people/audit-store.ts";
import { type AuditCheck, checkChain, entryHash, type UnhashedEntry } from "./audit-chain.ts";

export type AuditEvent = Omit<UnhashedEntry, "seq" | "time">;

interface AuditLogOptions {
  store: AuditStore;
  log: FastifyBaseLogger;
  /** Entries that are older are removed; undefined: none are. */
  retentionDays: number | undefined;
  /** Called with each saved entry. */
  saved(entry: AuditEntry): void;
}

const dayMs = 86_400_000;
const pruneEveryMs = 3_600_000;

export class AuditLog {
  readonly #options: AuditLogOptions;
  #last: { seq: number; hash: string };
  #writing: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  private constructor(options: AuditLogOptions, last: { seq: number; hash: string }) {
    this.#options = options;
    this.#last = last;
  }

  static async open(options: AuditLogOptions): Promise<AuditLog> {
    const { store } = options;
    const audit = new AuditLog(options, (await store.newest()) ?? (await store.anchor()));
    if (options.retentionDays !== undefined) {
      audit.#prune();
      audit.#timer = setInterval(() => audit.#prune(), pruneEveryMs).unref();
    }
    return audit;
  }

  /** Resolves when the entry is saved. Rejects when it cannot be; then no number is used. */
  record(event: AuditEvent): Promise<void> {
    const recorded = this.#writing.then(async () => {
      const unhashed = { ...event, seq: this.#last.seq + 1, time: new Date().toISOString() };
      const entry: AuditEntry = { ...unhashed, hash: entryHash(unhashed, this.#last.hash) };
      await this.#options.store.append(entry);
      this.#last = entry;
      this.#options.saved(entry);
    });
    this.#writing = recorded.catch(() => {}); // the caller gets the error
    return recorded;
  }

  /** For events without a caller that waits. */
  recordLater(event: AuditEvent): void {
    this.record(event).catch((err: unknown) =>
      this.#options.log.error({ err, action: event.action }, "the audit could not be written"),
    );
  }

  list(query: AuditQuery, before: number, limit: number): Promise<AuditEntry[]> {
    return this.#options.store.list(query, before, limit);
  }

  async verify(): Promise<AuditCheck> {
    await this.#writing;
    return checkChain(this.#options.store);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#writing;
  }

  #prune(): void {
    this.#removeOld().catch((err: unknown) =>
      this.#options.log.error({ err }, "old entries of the audit could not be removed"),
    );
  }

  async #removeOld(): Promise<void> {
    const { store, retentionDays } = this.#options;
    if (retentionDays === undefined) return;
    const to = Date.now() - retentionDays * dayMs;
    const [newestOld] = await store.list({ to }, Number.MAX_SAFE_INTEGER, 1);
    if (newestOld !== undefined) await store.removeUpTo({ seq: newestOld.seq, hash: newestOld.hash });
  }
}
