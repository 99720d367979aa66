// Sends changes of the list of sessions to its watchers. Changes are gathered for a moment and sent to all watchers as the same
// text: a working session changes many times a second, and a list need not follow each change.
import type { SessionInfo } from "@patchbay/protocol";

/** Short enough to feel immediate, long enough for hundreds of working sessions. */
const gatherMs = 200;

/** A page that shows the list. */
export interface ListWatcher {
  send(text: string): void;
  /** Whether it may know of the session; absent: of all. */
  sees?: (session: string) => boolean;
}

export class ListWatch {
  readonly #view: (id: string) => SessionInfo | null;
  readonly #watchers = new Set<ListWatcher>();
  /** Sent with the next flush; at most as many as there are sessions. */
  readonly #changed = new Set<string>();
  /** Of these, watchers that may not know of them any more are sent that they are gone. */
  readonly #withOtherRights = new Set<string>();

  /** `view` returns the current state of a session; null: it was deleted. */
  constructor(view: (id: string) => SessionInfo | null) {
    this.#view = view;
  }

  /** Until the returned function is called. */
  add(watcher: ListWatcher): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  changed(id: string): void {
    if (this.#watchers.size === 0) return;
    if (this.#changed.size === 0) setTimeout(() => this.#flush(), gatherMs).unref();
    this.#changed.add(id);
  }

  /** Others may know of these sessions than before. */
  rightsChanged(ids: readonly string[]): void {
    for (const id of ids) {
      this.changed(id);
      if (this.#watchers.size > 0) this.#withOtherRights.add(id);
    }
  }

  #flush(): void {
    const lines = [...this.#changed].map((id) => {
      const session = this.#view(id);
      const hidden = session === null || this.#withOtherRights.has(id) ? gone(id) : "";
      return {
        id,
        text: session === null ? hidden : `${JSON.stringify({ type: "session", session })}\n`,
        hidden,
      };
    });
    this.#changed.clear();
    this.#withOtherRights.clear();
    const whole = lines.map(({ text }) => text).join("");
    for (const { send, sees } of this.#watchers) {
      const seen =
        sees === undefined ? whole : lines.map((line) => (sees(line.id) ? line.text : line.hidden)).join("");
      if (seen !== "") send(seen);
    }
  }
}

const gone = (id: string): string => `${JSON.stringify({ type: "session_gone", id })}\n`;
