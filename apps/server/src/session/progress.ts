// Saves the progress of a session for the list after a restart; it need not be exact, since opening a session computes
// it again. When a turn or command ends, lets the log drop its deltas.
import type { Frame } from "@patchbay/protocol";
import type { Journal } from "./log/journal.ts";
import type { LiveTranscript } from "./log/live-transcript.ts";
import { Coalesced } from "./record/coalesced.ts";
import type { SessionWrites } from "./record/session-writes.ts";

export class Progress {
  readonly #journal: Journal;
  readonly #transcript: LiveTranscript;
  readonly #writes: SessionWrites;
  readonly #saving = new Coalesced(() =>
    this.#writes.logFailure(this.save(), "a session's progress could not be saved"),
  );

  constructor(journal: Journal, transcript: LiveTranscript, writes: SessionWrites) {
    this.#journal = journal;
    this.#transcript = transcript;
    this.#writes = writes;
  }

  frame(frame: Frame): void {
    switch (frame.type) {
      case "done":
      case "compact_done":
      case "bash_end":
        return this.#settle();
      case "branched":
      case "branch_switched":
      case "messages_loaded":
        return this.#saving.signalSoon();
      default:
    }
  }

  #settle(): void {
    this.#journal.afterShown(() => {
      const settled = this.#journal.settle((upTo) => this.#transcript.readUpTo(upTo));
      this.#writes.logFailure(settled, "finished turns could not be settled");
      this.#saving.signalSoon();
    });
  }

  save(): Promise<void> {
    const { message_count, ...summary } = this.#transcript.summary;
    return this.#writes.record({ seq: this.#journal.seq, message_count, summary });
  }
}
