// The current record of a session. A change takes effect at once, and is saved after the changes before it.
import type { SessionRecord } from "../../store/session-record.ts";
import type { Coalesced } from "./coalesced.ts";
import type { SessionWrites } from "./session-writes.ts";

export type RecordChange = Partial<Omit<SessionRecord, "id">>;

export class CurrentRecord {
  readonly #writes: SessionWrites;
  readonly #changes: Coalesced;
  #record: SessionRecord;

  constructor(record: SessionRecord, writes: SessionWrites, changes: Coalesced) {
    this.#record = record;
    this.#writes = writes;
    this.#changes = changes;
  }

  get current(): SessionRecord {
    return this.#record;
  }

  update(change: RecordChange): Promise<void> {
    return this.place({ ...change, updated_at: new Date().toISOString() });
  }

  /** Changes its place in the list (pinned, archived, deleted), which does not count as an update of the session. */
  async place(change: RecordChange): Promise<void> {
    this.#record = { ...this.#record, ...change };
    this.#changes.signal();
    await this.#writes.record(change);
  }

  /** Like `update`, for changes that no caller waits for. */
  note(change: RecordChange, problem: string): void {
    this.#writes.logFailure(this.update(change), problem);
  }
}
