// Whose message a `user_message` is, for projections: the server names the author before it gives the message to the worker.
import { type Author, addAuthor, type Frame, type PendingAuthor, takeAuthor } from "@patchbay/protocol";

export class PendingAuthors {
  #pending: readonly PendingAuthor[] = [];

  /** Of a message that the worker shows; undefined: another frame, or nobody is named. */
  frame(frame: Frame): Author | undefined {
    if (frame.type === "authored") this.#pending = addAuthor(this.#pending, frame);
    if (this.#pending.length === 0) return undefined;
    if (frame.type === "worker" && frame.event === "exited") this.#pending = [];
    if (frame.type === "user_message") return this.#take({ command: "prompt", key: frame.key });
    return frame.type === "compact_done" ? this.#take({ command: "compact" }) : undefined;
  }

  #take(of: Parameters<typeof takeAuthor>[1]): Author | undefined {
    const { by, left } = takeAuthor(this.#pending, of);
    this.#pending = left;
    return by;
  }
}
