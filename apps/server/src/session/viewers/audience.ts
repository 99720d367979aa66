// The viewers of one session: attaches them by replay or snapshot, shows them what the journal has
// committed, and tells them what changed.
import type { SessionInfo } from "@patchbay/protocol";
import type { Limits } from "../../config/config-file.ts";
import type { Frames, Journal } from "../log/journal.ts";
import type { Snapshot } from "../log/live-transcript.ts";
import { Coalesced } from "../record/coalesced.ts";
import { Attachment, framesMessage, type StateLine } from "./attachment.ts";
import { jsonLine } from "./json-pieces.ts";
import { sendLine, type Viewer } from "./viewer.ts";

/** What an attaching viewer is told about the session. */
export interface Subject {
  view(): SessionInfo;
  snapshot(): Promise<Snapshot>;
  /** Lines that follow `caught_up`. */
  extras(): object[];
}

/** So many viewers that a message for each costs more than a moment's delay is worth. */
const manyViewers = 16;
/** Nobody sees more than one change per frame of their display. */
const displayFrameMs = 16;
/** A flood is not held back: it comes in large pieces anyway. */
const maxHeldBytes = 64 * 1024;

export class Audience {
  readonly #journal: Journal;
  readonly #limits: Limits;
  readonly #attachments = new Set<Attachment>();
  /** Committed, and not yet shown to so many viewers. */
  #held: Frames[] = [];
  #heldBytes = 0;
  #holding: NodeJS.Timeout | undefined;
  #shownAt = 0;
  /** Called when viewers are told that something about the session has changed, whether there are any or not. */
  onSessionLine: () => void = () => {};
  readonly #presence = new Coalesced(() => this.sendState({ type: "presence", viewers: this.size }));

  constructor(journal: Journal, limits: Limits) {
    this.#journal = journal;
    this.#limits = limits;
  }

  get size(): number {
    return this.#attachments.size;
  }

  /** Resolves when the viewer is up to date; it stays so until `detach`. */
  async attach(attachment: Attachment, since: number | undefined, subject: Subject): Promise<void> {
    const { viewer } = attachment;
    this.#attachments.add(attachment);
    const replay =
      since !== undefined && since <= this.#journal.shownSeq && since >= this.#journal.replayFloor;
    if (replay) {
      greet(viewer, subject, "replay", this.#journal.shownSeq);
      await attachment.begin(since);
    } else await this.#beginWithSnapshot(attachment, subject);
    sendLine(viewer, { type: "caught_up", seq: attachment.seq });
    for (const line of subject.extras()) sendLine(viewer, line);
    this.#presence.signalSoon();
  }

  async #beginWithSnapshot(attachment: Attachment, subject: Subject): Promise<void> {
    const { viewer } = attachment;
    // A log that cannot be written has to be waited for, and whoever waits is told why.
    const waits = subject.view().trouble !== undefined;
    if (waits) greet(viewer, subject, "snapshot", this.#journal.shownSeq);
    const { seq, transcript } = await subject.snapshot();
    await this.#journal.flushed(); // what a snapshot shows must be in the log first
    if (!waits) greet(viewer, subject, "snapshot", seq);
    void viewer.send(await jsonLine({ type: "snapshot", seq, ...transcript })); // one that fails has a close event
    await attachment.begin(seq);
  }

  newAttachment(viewer: Viewer): Attachment {
    return new Attachment(viewer, this.#journal, this.#limits);
  }

  detach(attachment: Attachment): void {
    attachment.close();
    if (this.#attachments.delete(attachment)) this.#presence.signalSoon();
  }

  /** Many viewers are shown what came since the last display frame: one message each, not one per line. */
  show(frames: Frames): void {
    if (this.#attachments.size === 0) return this.#releaseUnseen(frames);
    this.#held.push(frames);
    for (const part of frames.parts) this.#heldBytes += part.length;
    const wait = this.#shownAt + displayFrameMs - performance.now();
    if (this.#attachments.size < manyViewers || wait <= 0 || this.#heldBytes > maxHeldBytes) this.#showHeld();
    else this.#holding ??= setTimeout(() => this.#showHeld(), wait);
  }

  /** Who comes later reads it from the log, and what was held as well. */
  #releaseUnseen(frames: Frames): void {
    clearTimeout(this.#holding);
    this.#holding = undefined;
    releaseAll([...this.#held, frames]);
    this.#held = [];
    this.#heldBytes = 0;
  }

  /** To everyone who is attached, behind the frames that were appended before. */
  sendState(line: StateLine): void {
    if (line.type === "session") this.onSessionLine();
    this.#journal.afterShown(() => {
      this.#showHeld();
      for (const attachment of this.#attachments) attachment.sendState(line);
    });
  }

  #showHeld(): void {
    clearTimeout(this.#holding);
    this.#holding = undefined;
    const [first] = this.#held;
    if (first === undefined) return;
    const held = this.#held;
    const count = held.reduce((sum, frames) => sum + frames.count, 0);
    const message = framesMessage(
      first.seq,
      count,
      held.flatMap(({ parts }) => parts),
    );
    this.#held = [];
    this.#heldBytes = 0;
    this.#shownAt = performance.now();
    const sending: Promise<void>[] = [];
    for (const attachment of this.#attachments) {
      const sent = attachment.push(first.seq, count, message);
      if (sent !== undefined) sending.push(sent);
    }
    // No send ever rejects.
    if (held.some(({ releases }) => releases.length > 0))
      void Promise.all(sending).then(() => releaseAll(held));
  }

  /** At once, for what must be known while nothing can be appended. */
  sendStateNow(line: StateLine): void {
    for (const attachment of this.#attachments) attachment.sendState(line);
  }

  closeAll(reason: "session_deleted" | "going_away"): void {
    this.#showHeld();
    for (const attachment of this.#attachments) {
      attachment.close();
      attachment.viewer.close(reason);
    }
    this.#attachments.clear();
  }
}

function releaseAll(shown: readonly Frames[]): void {
  for (const { releases } of shown) for (const release of releases) release();
}

function greet(viewer: Viewer, subject: Subject, verdict: "replay" | "snapshot", seq: number): void {
  sendLine(viewer, { type: "attached", session: subject.view(), seq, verdict });
}
