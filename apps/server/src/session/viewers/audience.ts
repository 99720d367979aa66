// The viewers of one session: attaches them by replay or snapshot, shows them frames that the journal has
// committed, and sends them state lines.
import type { Author, SessionInfo } from "@patchbay/protocol";
import type { Limits } from "../../config/config-file.ts";
import type { Frames, Journal } from "../log/journal.ts";
import type { Snapshot } from "../log/live-transcript.ts";
import { Coalesced } from "../record/coalesced.ts";
import { Attachment, framesMessage, type StateLine } from "./attachment.ts";
import { jsonLine } from "./json-pieces.ts";
import { MergedDeltas } from "./merged-deltas.ts";
import { sendLine, type Viewer } from "./viewer.ts";

/** What an attaching viewer is sent about the session. */
export interface Subject {
  view(): SessionInfo;
  snapshot(): Promise<Snapshot>;
  /** Lines that follow `caught_up`. */
  extras(): object[];
}

/** From here on, frames are gathered for a moment: a message per line for each viewer costs too much. */
const manyViewers = 16;
/** A display shows at most one change per frame. */
const displayFrameMs = 16;
/** More than this is not gathered: a flood comes in large pieces anyway. */
const maxHeldBytes = 64 * 1024;

export class Audience {
  readonly #journal: Journal;
  readonly #limits: Limits;
  readonly #attachments = new Set<Attachment>();
  /** Those of them whose viewers asked for merged deltas. */
  readonly #merging = new Set<Attachment>();
  readonly #merged = new MergedDeltas((seq, count, message) => {
    for (const attachment of this.#merging) void attachment.push(seq, count, message);
  });
  /** Committed, and not yet shown to so many viewers. */
  #held: Frames[] = [];
  #heldBytes = 0;
  #holding: NodeJS.Timeout | undefined;
  #shownAt = 0;
  /** Called whenever the state of the session is sent, also without viewers. */
  onSessionLine: () => void = () => {};
  readonly #presence = new Coalesced(() =>
    this.sendState({ type: "presence", viewers: this.size, ...this.#people() }),
  );

  constructor(journal: Journal, limits: Limits) {
    this.#journal = journal;
    this.#limits = limits;
  }

  get size(): number {
    return this.#attachments.size;
  }

  /** Who the viewers are; nothing on a server without people. */
  #people(): { people?: Author[] } {
    const people = new Map<string, Author>();
    for (const { viewer } of this.#attachments) {
      const { person, label } = viewer.author;
      if (person !== undefined) people.set(person, { person, label });
    }
    return people.size === 0 ? {} : { people: [...people.values()] };
  }

  /** Resolves when the viewer is up to date; it stays so until `detach`. */
  async attach(attachment: Attachment, since: number | undefined, subject: Subject): Promise<void> {
    const { viewer } = attachment;
    this.#attachments.add(attachment);
    if (viewer.mergesDeltas === true) this.#merging.add(attachment);
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
    // While the log cannot be written, the snapshot waits: the viewer gets the reason first.
    const waits = subject.view().trouble !== undefined;
    if (waits) greet(viewer, subject, "snapshot", this.#journal.shownSeq);
    const { seq, transcript } = await subject.snapshot();
    await this.#journal.flushed(); // a snapshot must not show more than the log has
    if (!waits) greet(viewer, subject, "snapshot", seq);
    void viewer.send(await jsonLine({ type: "snapshot", seq, ...transcript })); // one that fails has a close event
    await attachment.begin(seq);
  }

  newAttachment(viewer: Viewer): Attachment {
    return new Attachment(viewer, this.#journal, this.#limits);
  }

  detach(attachment: Attachment): void {
    attachment.close();
    this.#merging.delete(attachment);
    if (this.#attachments.delete(attachment)) this.#presence.signalSoon();
  }

  /** Many viewers get all frames since the last display frame in one message each, not one per line. */
  show(frames: Frames): void {
    if (this.#merging.size > 0) this.#merged.add(frames);
    else this.#merged.reset();
    if (this.#attachments.size === this.#merging.size) return this.#releaseUnseen(frames);
    this.#held.push(frames);
    for (const part of frames.parts) this.#heldBytes += part.length;
    const wait = this.#shownAt + displayFrameMs - performance.now();
    if (
      this.#attachments.size - this.#merging.size < manyViewers ||
      wait <= 0 ||
      this.#heldBytes > maxHeldBytes
    )
      this.#showHeld();
    else this.#holding ??= setTimeout(() => this.#showHeld(), wait);
  }

  /** Without viewers of every frame, they are dropped here: a later viewer reads them from the log. */
  #releaseUnseen(frames: Frames): void {
    clearTimeout(this.#holding);
    this.#holding = undefined;
    releaseAll([...this.#held, frames]);
    this.#held = [];
    this.#heldBytes = 0;
  }

  /** Sends a line to every viewer, after the frames that were appended before it. */
  sendState(line: StateLine): void {
    if (line.type === "session") this.onSessionLine();
    this.#journal.afterShown(() => {
      this.#showHeld();
      this.#merged.flush();
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
      if (this.#merging.has(attachment)) continue;
      const sent = attachment.push(first.seq, count, message);
      if (sent !== undefined) sending.push(sent);
    }
    // No send ever rejects.
    if (held.some(({ releases }) => releases.length > 0))
      void Promise.all(sending).then(() => releaseAll(held));
  }

  /** Sends at once: for state that viewers need while the log cannot be written. */
  sendStateNow(line: StateLine): void {
    for (const attachment of this.#attachments) attachment.sendState(line);
  }

  closeAll(reason: "session_deleted" | "going_away"): void {
    this.#showHeld();
    this.#merged.flush();
    for (const attachment of this.#attachments) {
      attachment.close();
      attachment.viewer.close(reason);
    }
    this.#attachments.clear();
    this.#merging.clear();
  }
}

function releaseAll(shown: readonly Frames[]): void {
  for (const { releases } of shown) for (const release of releases) release();
}

function greet(viewer: Viewer, subject: Subject, verdict: "replay" | "snapshot", seq: number): void {
  sendLine(viewer, { type: "attached", session: subject.view(), seq, verdict });
}
