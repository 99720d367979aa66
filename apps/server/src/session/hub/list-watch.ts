// Tells whoever watches the list of sessions what has changed in it. Changes are gathered for a moment and told to all
// watchers in the same words: a session's numbers run while it works, and a list need not run with them.
import type { SessionInfo } from "@patchbay/protocol";

/** Sooner than a person looks up, and seldom enough for hundreds of sessions at work. */
const gatherMs = 200;

type Watcher = (text: string) => void;

export class ListWatch {
  readonly #view: (id: string) => SessionInfo | null;
  readonly #watchers = new Set<Watcher>();
  /** To be told in a moment; at most as many as there are sessions. */
  readonly #changed = new Set<string>();

  /** `view` gives a session as it is now; null: it is gone. */
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
