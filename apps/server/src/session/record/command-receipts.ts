// Exactly-once for commands that change something: a viewer that sends the same id again (after a
// reconnect, not knowing whether the first arrived) gets the first answer and no second effect, even if
// the server was killed in between.
import type { Response } from "@patchbay/protocol";
import type { SavedReceipt } from "../../store/owned-session.ts";

type Deliver = (response: Response) => void;
type Receipt = { state: "pending"; waiting: Deliver[] } | { state: "answered"; response: Response };

/** Per session. After a reconnect a viewer repeats its last commands, not those of a thousand commands ago. */
export const maxReceipts = 1_000;

interface ReceiptWrites {
  receipt(receipt: SavedReceipt): Promise<void>;
  receiptWithQueue(receipt: SavedReceipt): void;
  /** Logs the failure of work that no caller waits for. */
  logFailure(work: Promise<unknown>, problem: string): void;
}

export class CommandReceipts {
  readonly #known = new Map<string, Receipt>();
  readonly #writes: ReceiptWrites;

  constructor(known: readonly SavedReceipt[], writes: ReceiptWrites) {
    this.#writes = writes;
    for (const { viewer, id, response } of known)
      this.#known.set(keyOf(viewer, id), { state: "answered", response });
  }

  /** False: it never came, or so long ago that it was forgotten. */
  knows(viewer: string, id: string): boolean {
    return this.#known.has(keyOf(viewer, id));
  }

  /** True when the command is new and must be carried out; else its response is delivered, now or when known. */
  claim(viewer: string, id: string, deliver: Deliver): boolean {
    const key = keyOf(viewer, id);
    const known = this.#known.get(key);
    if (known === undefined) {
      this.#known.set(key, { state: "pending", waiting: [deliver] });
      this.#forgetOldest();
      return true;
    }
    if (known.state === "pending") known.waiting.push(deliver);
    else deliver(known.response);
    return false;
  }

  /** Saves the response for the case that the server is killed before the command ends: it must not run again. */
  async saveProvisional(viewer: string, id: string, response: Response): Promise<void> {
    await this.#writes.receipt({ viewer, id, response });
  }

  /** `queued`: until this is saved, the task in the saved queue implies the same response. */
  settle(viewer: string, id: string, response: Response, queued: boolean): void {
    const key = keyOf(viewer, id);
    const known = this.#known.get(key);
    this.#known.set(key, { state: "answered", response });
    const receipt = { viewer, id, response };
    if (queued) this.#writes.receiptWithQueue(receipt);
    else this.#writes.logFailure(this.#writes.receipt(receipt), "an answer could not be saved");
    for (const deliver of known?.state === "pending" ? known.waiting : []) deliver(response);
  }

  /** Nothing was begun: the same id may be tried again. Those who wait for the response get it. */
  refuse(viewer: string, id: string, response: Response): void {
    const key = keyOf(viewer, id);
    const known = this.#known.get(key);
    this.#known.delete(key);
    for (const deliver of known?.state === "pending" ? known.waiting : []) deliver(response);
  }

  #forgetOldest(): void {
    if (this.#known.size <= maxReceipts) return;
    for (const [key, known] of this.#known) {
      if (known.state !== "answered") continue;
      this.#known.delete(key);
      return;
    }
  }
}

const keyOf = (viewer: string, id: string): string => `${viewer}\n${id}`;
