// The messages of one open session that the page holds: evicts old ones as new ones arrive, and fetches those that the
// reader scrolls to.
import type { Message, Transcript } from "@patchbay/protocol";
import { fetchMessages } from "../../api/messages.ts";
import { evictMessages, type MessageRange, restoreMessages } from "./evict-messages.ts";

/** Fetched around what is missing, so that the next rows are there before they are seen. */
const around = 60;
/** Kept of what was fetched: some screens in each direction. */
const kept = 400;
/** What is requested within this time is fetched with one call. */
const gatherMs = 20;

/** Messages that are fetched together, and the promise of their arrival. */
interface Batch {
  range: MessageRange;
  arrived: Promise<void>;
  end(problem?: unknown): void;
}

interface Owner {
  session: string;
  transcript(): Transcript;
  change(messages: readonly Message[]): void;
}

export class MessageCache {
  readonly #owner: Owner;
  #inUse: MessageRange | null = null;
  #next: Batch | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(owner: Owner) {
    this.#owner = owner;
  }

  /** The transcript without the content of its old messages. */
  evict(transcript: Transcript): Transcript {
    const messages = evictMessages(transcript.messages, this.#inUse);
    return messages === transcript.messages ? transcript : { ...transcript, messages };
  }

  /** Fetches an evicted message. Rejects when that fails; another call tries again. */
  load(index: number): Promise<void> {
    const batch = (this.#next ??= newBatch(index));
    const { from, to } = batch.range;
    batch.range = { from: Math.min(from, index), to: Math.max(to, index + 1) };
    this.#schedule();
    return batch.arrived;
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#next?.end();
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => void this.#fetch(), gatherMs);
  }

  async #fetch(): Promise<void> {
    const batch = this.#next;
    this.#next = null;
    if (batch === null) return;
    const from = Math.max(0, batch.range.from - around);
    const to = batch.range.to + around;
    try {
      const fetched = await fetchMessages(this.#owner.session, from, to - from);
      this.#inUse = rangeInUse(this.#inUse, { from, to });
      this.#owner.change(restoreMessages(this.#owner.transcript().messages, fetched, from));
      batch.end();
    } catch (problem) {
      batch.end(problem); // the rows stay as tall as they were
    } finally {
      this.#timer = undefined;
      // What was requested during a call is fetched with the next one.
      if (this.#next !== null) this.#schedule();
    }
  }
}

function newBatch(index: number): Batch {
  let end: Batch["end"] = () => {};
  const arrived = new Promise<void>((resolve, reject) => {
    end = (problem) => (problem === undefined ? resolve() : reject(problem));
  });
  return { range: { from: index, to: index + 1 }, arrived, end };
}

/** What was fetched before stays in use for as long as it is near. */
function rangeInUse(before: MessageRange | null, now: MessageRange): MessageRange {
  if (before === null || before.to < now.from - kept || before.from > now.to + kept) return now;
  return {
    from: Math.max(Math.min(before.from, now.from), now.from - kept),
    to: Math.min(Math.max(before.to, now.to), now.to + kept),
  };
}
