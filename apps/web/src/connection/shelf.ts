// The messages of one open session that are not kept on the page: puts them away as others come, and fetches those
// that somebody scrolls to.
import type { Message, Transcript } from "@patchbay/protocol";
import { fetchMessages } from "../api/messages.ts";
import { type Range, shelve, unshelve } from "./shelve.ts";

/** Fetched around what is missing, so that the next rows are there before they are seen. */
const around = 60;
/** Kept of what was fetched: some screens each way. */
const held = 400;
/** What is asked for within a moment is fetched with one call. */
const gather = 20;

interface Owner {
  session: string;
  transcript(): Transcript;
  change(messages: readonly Message[]): void;
}

export class Shelf {
  readonly #owner: Owner;
  #looksAt: Range | null = null;
  #wanted: Range | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(owner: Owner) {
    this.#owner = owner;
  }

  /** The transcript with its old messages put away. */
  tidy(transcript: Transcript): Transcript {
    const messages = shelve(transcript.messages, this.#looksAt);
    return messages === transcript.messages ? transcript : { ...transcript, messages };
  }

  /** Somebody looks at a message that is not here. */
  want(index: number): void {
    const { from, to } = this.#wanted ?? { from: index, to: index + 1 };
    this.#wanted = { from: Math.min(from, index), to: Math.max(to, index + 1) };
    this.#timer ??= setTimeout(() => void this.#fetch(), gather);
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  async #fetch(): Promise<void> {
    const wanted = this.#wanted;
    this.#wanted = null;
    if (wanted === null) return;
    const from = Math.max(0, wanted.from - around);
    const to = wanted.to + around;
    try {
      const fetched = await fetchMessages(this.#owner.session, from, to - from);
      this.#looksAt = withinReach(this.#looksAt, { from, to });
      this.#owner.change(unshelve(this.#owner.transcript().messages, fetched, from));
    } catch {
      // The rows stay as tall as they were; looking at them again asks again.
    } finally {
      this.#timer = undefined;
      this.#again();
    }
  }

  /** What was asked for while a call was under way is fetched with the next one. */
  #again(): void {
    if (this.#wanted !== null) this.want(this.#wanted.from);
  }
}

/** What was fetched before counts for as long as it is near. */
function withinReach(before: Range | null, now: Range): Range {
  if (before === null || before.to < now.from - held || before.from > now.to + held) return now;
  return {
    from: Math.max(Math.min(before.from, now.from), now.from - held),
    to: Math.min(Math.max(before.to, now.to), now.to + held),
  };
}
