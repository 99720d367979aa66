// How fast a worker is read while somebody watches. Viewers who all have more than enough to read are waited
// for, because what they do not take now must be read from the log for each of them again. They are waited for
// as long as they take something: whoever has stopped reading holds up neither the worker nor anybody else.
import type { Attachment } from "./attachment.ts";
import type { Journal } from "./journal.ts";
import type { Viewer } from "./viewer.ts";

type Ahead = Pick<Journal, "unshownBytes" | "flushed">;
type Reader = Pick<Attachment, "live" | "sent"> & { viewer: Pick<Viewer, "buffered"> };

/** Nothing has left for a viewer for so long: it does not read. */
const patienceMs = 100;

export class Pace {
  readonly #journal: Ahead;
  readonly #attachments: ReadonlySet<Reader>;
  readonly #enoughBytes: number;
  #patient = true;

  /** `enoughBytes` on the way to a viewer: beyond them, nothing is gained by being further ahead of it. */
  constructor(journal: Ahead, attachments: ReadonlySet<Reader>, enoughBytes: number) {
    this.#journal = journal;
    this.#attachments = attachments;
    this.#enoughBytes = enoughBytes;
  }

  /** What to wait for before reading on, if anything. Never rejects. */
  wait(): Promise<void> | undefined {
    if (!this.#patient || this.#attachments.size === 0) return undefined;
    const ahead = this.#journal.unshownBytes;
    const sending: Promise<void>[] = [];
    for (const attachment of this.#attachments) {
      if (!attachment.live) continue;
      if (ahead + attachment.viewer.buffered() <= this.#enoughBytes) return undefined;
      sending.push(attachment.sent);
    }
    if (sending.length === 0) return undefined;
    return ahead > this.#enoughBytes ? this.#journal.flushed() : this.#untilOneHasRead(Promise.race(sending));
  }

  #untilOneHasRead(read: Promise<void>): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#patient = false;
        resolve();
      }, patienceMs);
      void read.then(() => {
        clearTimeout(timer);
        this.#patient = true;
        resolve();
      });
    });
  }
}
