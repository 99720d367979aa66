// Sends changes of the list of sessions to its watchers. Changes are gathered for a moment and sent to all watchers as the same
// text: a working session changes many times a second, and a list need not follow each change.
import type { SessionInfo } from "@patchbay/protocol";

/** Short enough to feel immediate, long enough for hundreds of working sessions. */
const gatherMs = 200;

type Watcher = (text: string) => void;

export class ListWatch {
  readonly #view: (id: string) => SessionInfo | null;
  readonly #watchers = new Set<Watcher>();
  /** Sent with the next flush; at most as many as there are sessions. */
  readonly #changed = new Set<string>();

  /** `view` returns the current state of a session; null: it was deleted. */
  constructor(view: (id: string) => SessionInfo | null) {
    this.#view = view;
  }

  /** Until the returned function is called. */
  add(watcher: Watcher): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  changed(id: string): void {
    if (this.#watchers.size === 0) return;
    if (this.#changed.size === 0) setTimeout(() => this.#flush(), gatherMs).unref();
    this.#changed.add(id);
  }

  #flush(): void {
    const lines = [...this.#changed].map((id) => {
      const session = this.#view(id);
      return session === null ? { type: "session_gone", id } : { type: "session", session };
    });
    this.#changed.clear();
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
    for (const watcher of this.#watchers) watcher(text);
  }
}
