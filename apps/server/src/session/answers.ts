// Exactly-once for commands that change something: a viewer that sends the same id again (after a
// reconnect, not knowing whether the first arrived) gets the first answer and no second effect.
import type { Response } from "@patchbay/protocol";
import { sendLine, type Viewer } from "./viewer.ts";

type Known = { state: "pending"; waiting: Set<Viewer> } | { state: "answered"; response: Response };

/** Per session. A viewer repeats what it sent just before a cut, not what it sent a thousand commands ago. */
const maxKnown = 1_000;

export class Answers {
  readonly #known = new Map<string, Known>();

  /** True when the command is new and must be carried out; else its answer is sent, now or when known. */
  claim(viewer: Viewer, id: string): boolean {
    const key = keyOf(viewer, id);
    const known = this.#known.get(key);
    if (known === undefined) {
      this.#known.set(key, { state: "pending", waiting: new Set([viewer]) });
      this.#forgetOldest();
      return true;
    }
    if (known.state === "pending") known.waiting.add(viewer);
    else sendLine(viewer, known.response);
    return false;
  }

  settle(viewer: Viewer, id: string, response: Response): void {
    const key = keyOf(viewer, id);
    const known = this.#known.get(key);
    this.#known.set(key, { state: "answered", response });
    for (const waiting of known?.state === "pending" ? known.waiting : [viewer]) sendLine(waiting, response);
  }

  #forgetOldest(): void {
    if (this.#known.size <= maxKnown) return;
    for (const [key, known] of this.#known) {
      if (known.state !== "answered") continue;
      this.#known.delete(key);
      return;
    }
  }
}

const keyOf = (viewer: Viewer, id: string): string => `${viewer.key}\n${id}`;
