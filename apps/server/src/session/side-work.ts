// What happens in a session beside its turns: a person's own commands, branches, a new name. None of it keeps
// a prompt waiting.
import { type Frame, longestName } from "@patchbay/protocol";
import type { Progress } from "./progress.ts";

export class SideWork {
  readonly #changed: () => void;
  readonly #progress: Progress;
  readonly #named: (name: string) => void;
  /** A person's own commands that are running. */
  readonly #bash = new Set<string>();

  constructor(changed: () => void, progress: Progress, named: (name: string) => void) {
    this.#changed = changed;
    this.#progress = progress;
    this.#named = named;
  }

  get running(): "bash" | null {
    return this.#bash.size > 0 ? "bash" : null;
  }

  workerGone(): void {
    this.#bash.clear();
  }

  frame(frame: Frame): void {
    switch (frame.type) {
      case "bash_start":
        this.#bash.add(frame.id);
        return this.#changed();
      case "bash_end":
        this.#bash.delete(frame.id);
        this.#changed();
        return this.#progress.settle();
      case "branched":
      case "branch_switched":
      case "messages_loaded":
        this.#changed();
        return this.#progress.note();
      case "session_info_changed":
        return this.#named(frame.name.slice(0, longestName));
      default: // belongs to a turn, or concerns the transcript alone
    }
  }
}
