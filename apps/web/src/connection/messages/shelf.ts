// The messages of one open session that are not kept on the page: puts them away as others come, and fetches those
// that somebody scrolls to.
import type { Message, Transcript } from "@patchbay/protocol";
import { fetchMessages } from "../../api/messages.ts";
import { type Range, shelve, unshelve } from "./shelve.ts";

/** Fetched around what is missing, so that the next rows are there before they are seen. */
const around = 60;
/** Kept of what was fetched: some screens each way. */
const held = 400;
/** What is asked for within a moment is fetched with one call. */
const gather = 20;

/** What was asked for within a moment, and who waits for it. */
interface Batch {
  range: Range;
  came: Promise<void>;
  end(problem?: unknown): void;
}

interface Owner {
  session: string;
  transcript(): Transcript;
  change(messages: readonly Message[]): void;
}

export class Shelf {
  readonly #owner: Owner;
  #looksAt: Range | null = null;
  #wanted: Batch | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(owner: Owner) {
    this.#owner = owner;
  }

  /** The transcript with its old messages put away. */
  tidy(transcript: Transcript): Transcript {
    const messages = shelve(transcript.messages, this.#looksAt);
    return messages === transcript.messages ? transcript : { ...transcript, messages };
  }

  /** Somebody looks at a message that is not here. Rejects when it cannot be had; asking again tries again. */
  want(index: number): Promise<void> {
    const batch = (this.#wanted ??= newBatch(index));
    const { from, to } = batch.range;
    batch.range = { from: Math.min(from, index), to: Math.max(to, index + 1) };
    this.#schedule();
    return batch.came;
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#wanted?.end();
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => void this.#fetch(), gather);
  }

  async #fetch(): Promise<void> {
    const wanted = this.#wanted;
    this.#wanted = null;
    if (wanted === null) return;
    const from = Math.max(0, wanted.range.from - around);
    const to = wanted.range.to + around;
    try {
      const fetched = await fetchMessages(this.#owner.session, from, to - from);
      this.#looksAt = withinReach(this.#looksAt, { from, to });
      this.#owner.change(unshelve(this.#owner.transcript().messages, fetched, from));
      wanted.end();
    } catch (problem) {
      wanted.end(problem); // the rows stay as tall as they were
    } finally {
      this.#timer = undefined;
      // What was asked for while a call was under way is fetched with the next one.
      if (this.#wanted !== null) this.#schedule();
    }
  }
}

function newBatch(index: number): Batch {
  let end: Batch["end"] = () => {};
  const came = new Promise<void>((resolve, reject) => {
    end = (problem) => (problem === undefined ? resolve() : reject(problem));
  });
  return { range: { from: index, to: index + 1 }, came, end };
}

/** What was fetched before counts for as long as it is near. */
function withinReach(before: Range | null, now: Range): Range {
  if (before === null || before.to < now.from - held || before.from > now.to + held) return now;
  return {
    from: Math.max(Math.min(before.from, now.from), now.from - held),
    to: Math.min(Math.max(before.to, now.to), now.to + held),
  };
}
