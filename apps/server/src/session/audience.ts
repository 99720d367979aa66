// The viewers of one session: attaches them by replay or snapshot, shows them what the journal has
// committed, and tells them what changed.
import type { Session as SessionView } from "@patchbay/protocol";
import type { Limits } from "../config-file.ts";
import type { LogChunk } from "../store/store.ts";
import { Attachment, framesMessage, type StateLine } from "./attachment.ts";
import { Changes } from "./changes.ts";
import type { Journal } from "./journal.ts";
import type { Snapshot } from "./live-transcript.ts";
import { sendLine, type Viewer } from "./viewer.ts";

/** What an attaching viewer is told about the session. */
interface Subject {
  view(): SessionView;
  snapshot(): Promise<Snapshot>;
  /** Lines that follow `caught_up`. */
  extras(): object[];
}

export class Audience {
  readonly #journal: Journal;
  readonly #limits: Limits;
  readonly #subject: Subject;
  readonly #attachments = new Set<Attachment>();
  readonly #presence = new Changes(() => this.tell({ type: "presence", viewers: this.size }));

  constructor(journal: Journal, limits: Limits, subject: Subject) {
    this.#journal = journal;
    this.#limits = limits;
    this.#subject = subject;
  }

  get size(): number {
    return this.#attachments.size;
  }

  /** Resolves when the viewer is up to date; it stays so until `detach`. */
  async attach(attachment: Attachment, since: number | undefined): Promise<void> {
    const { viewer } = attachment;
    this.#attachments.add(attachment);
    const replay =
      since !== undefined && since <= this.#journal.shownSeq && since >= this.#journal.replayFloor;
    const snapshot = replay ? undefined : await this.#subject.snapshot();
    await this.#journal.flushed(); // what a snapshot shows must be in the log first
    const verdict = replay ? "replay" : "snapshot";
    const seq = snapshot?.seq ?? this.#journal.shownSeq;
    sendLine(viewer, { type: "attached", session: this.#subject.view(), seq, verdict });
    if (snapshot !== undefined) sendLine(viewer, { type: "snapshot", seq, ...snapshot.transcript });
    await attachment.begin(replay ? since : seq);
    sendLine(viewer, { type: "caught_up", seq: attachment.seq });
    for (const line of this.#subject.extras()) sendLine(viewer, line);
    this.#presence.tellSoon();
  }

  newAttachment(viewer: Viewer): Attachment {
    return new Attachment(viewer, this.#journal, this.#limits);
  }

  detach(attachment: Attachment): void {
    attachment.close();
    if (this.#attachments.delete(attachment)) this.#presence.tellSoon();
  }

  show(chunk: LogChunk): void {
    if (this.#attachments.size === 0) return;
    const message = framesMessage([chunk]);
    for (const attachment of this.#attachments) attachment.push(chunk, message);
  }

  /** To everyone who is attached, behind the frames that were appended before. */
  tell(line: StateLine): void {
    this.#journal.after(() => {
      for (const attachment of this.#attachments) attachment.tell(line);
    });
  }

  /** At once, for what must be known while nothing can be appended. */
  tellNow(line: StateLine): void {
    for (const attachment of this.#attachments) attachment.tell(line);
  }

  dismiss(reason: "session_deleted" | "going_away"): void {
    for (const attachment of this.#attachments) {
      attachment.close();
      attachment.viewer.close(reason);
    }
    this.#attachments.clear();
  }
}
