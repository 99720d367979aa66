// The texts of answers that the page has evicted, for a search: fetched once while the bar is open, and kept without the
// messages they are from.
import { fetchMessages } from "../../api/messages.ts";
import { resultsOf, type TranscriptEntry } from "../entries/entries.ts";
import { contentParts, type EntryPart } from "./entry-parts.ts";

/** Some hundred kilobytes. */
const chunk = 200;

export class EvictedParts {
  readonly #session: string;
  readonly #parts = new Map<string, readonly EntryPart[]>();
  #cancelled = false;

  constructor(session: string) {
    this.#session = session;
  }

  of(entry: TranscriptEntry): readonly EntryPart[] | undefined {
    return this.#parts.get(placeOf(entry.key, entry.time));
  }

  /** Fetches what is missing; calls back after each piece. Rejects when one cannot be fetched. */
  async load(entries: readonly TranscriptEntry[], onProgress: () => void): Promise<void> {
    const missing = entries.flatMap((entry) =>
      entry.kind === "evicted" && this.of(entry) === undefined ? [entry.index] : [],
    );
    for (let at = 0; at < missing.length && !this.#cancelled; ) {
      const from = missing[at] ?? 0;
      // The results of the last call are in the next message.
      const messages = await fetchMessages(this.#session, from, chunk + 1);
      const results = resultsOf(messages);
      messages.slice(0, chunk).forEach(({ role, content, time }, index) => {
        if (role === "assistant")
          this.#parts.set(placeOf(`message-${from + index}`, time), contentParts(content, results));
      });
      while (at < missing.length && (missing[at] ?? 0) < from + chunk) at++;
      if (!this.#cancelled) onProgress();
    }
  }

  cancel(): void {
    this.#cancelled = true;
  }
}

/** Another branch has other messages at the same positions. */
const placeOf = (key: string, time: string): string => `${key} ${time}`;
