// Answers without a final message: their worker died or was stopped, or does not repeat what it streamed. Their text is
// only in deltas, which are not parsed on the way. So their position in the log is recorded, and they are read from there
// once the answer is over. They are folded as the transcript folds them.
import {
  type ContentBlock,
  DeltaSniffer,
  emptyTranscript,
  type Frame,
  foldTranscript,
  linesOf,
  readFrame,
  type Transcript,
} from "@patchbay/protocol";
import type { LogChunk } from "../store/session-log.ts";

/** An answer that is over and still to be read. */
export interface UnsettledAnswer {
  /** The part from settled files, which cannot be read from the log by number. */
  begun: Transcript;
  /** The rest is among the frames after this one, up to `upTo`; null when there is none. */
  after: number | null;
  upTo: number;
  /** Ids of calls that a message of the same step contains. */
  settledCalls: ReadonlySet<string>;
}

export type ReadLog = (after: number, maxBytes: number) => Promise<LogChunk[]>;

/** Read in small pieces, so that other work runs in between. */
const readBytes = 256 * 1024;
const decoder = new TextDecoder();
const noCalls: ReadonlySet<string> = new Set();

/** Follows the frames of a session, and finds answers that ended without a message. */
export class UnfinishedAnswer {
  #begun = emptyTranscript;
  #after: number | null = null;
  #settledCalls = noCalls;
  /** Deltas are the output of tools until the model is called again. */
  #toolsRun = false;

  /** Deltas follow frame `after` in the log. */
  deltas(after: number): void {
    if (!this.#toolsRun) this.#after ??= after;
  }

  /** Returns the unsettled answer that this frame ends. `inLog`: the frame can be read from the log by its number. */
  frame(frame: Frame, seq: number, inLog: boolean): UnsettledAnswer | null {
    switch (frame.type) {
      case "turn_start":
      case "auto_retry_start": // what was streamed will come once more
      case "cleared":
        this.#reset();
        return null;
      case "assistant_message":
        this.#reset();
        this.#settledCalls = new Set(
          frame.content.flatMap((block) => (block.type === "tool_call" ? [block.id] : [])),
        );
        return null;
      case "turn_end": {
        const ended = this.#take(seq);
        this.#toolsRun = frame.stop === "tool_use";
        return ended;
      }
      case "user_message":
        return frame.steering === true ? null : this.#take(seq);
      case "worker":
        return frame.event === "exited" ? this.#take(seq) : null;
      case "done":
      case "branched":
      case "branch_switched":
        return this.#take(seq);
      default:
        if (this.#toolsRun || !isStreamed(frame, this.#settledCalls)) return null;
        if (inLog) this.#after ??= seq - 1;
        else this.#begun = foldTranscript(this.#begun, frame);
        return null;
    }
  }

  #reset(): void {
    this.#begun = emptyTranscript;
    this.#after = null;
    this.#settledCalls = noCalls;
    this.#toolsRun = false;
  }

  #take(end: number): UnsettledAnswer | null {
    const answer = {
      begun: this.#begun,
      after: this.#after,
      upTo: end - 1,
      settledCalls: this.#settledCalls,
    };
    this.#reset();
    return answer.after === null && answer.begun === emptyTranscript ? null : answer;
  }
}

/** The content of the answer, or at least its first `longest` characters of text. */
export async function readAnswer(
  { begun, after, upTo, settledCalls }: UnsettledAnswer,
  read: ReadLog,
  longest: number,
): Promise<ContentBlock[]> {
  let folded = begun;
  for (let at = after ?? upTo; at < upTo && textLength(folded) < longest; ) {
    const [chunk] = await read(at, readBytes);
    if (chunk === undefined) break; // the log dropped it meanwhile, which takes at least two more turns
    for (const frame of framesIn(chunk, upTo))
      if (isStreamed(frame, settledCalls)) folded = foldTranscript(folded, frame);
    at = chunk.seq + chunk.count - 1;
  }
  const shown = foldTranscript(folded, { type: "done" }).marks.find(({ kind }) => kind === "unkept");
  return shown?.kind === "unkept" ? shown.content : [];
}

function* framesIn({ seq, bytes }: LogChunk, upTo: number): Generator<Frame> {
  const sniffer = new DeltaSniffer(bytes);
  let number = seq;
  for (const line of linesOf(bytes)) {
    if (number++ > upTo) return;
    const start = line.byteOffset - bytes.byteOffset;
    if (sniffer.at(start, start + line.length) === "tool_progress") continue; // may be very large, and is not part of the answer
    const reading = readFrame(decoder.decode(line));
    if (reading.kind === "frame") yield reading.frame;
  }
}

/** Whether the frame is a streamed part of an answer. */
function isStreamed(frame: Frame, settledCalls: ReadonlySet<string>): boolean {
  switch (frame.type) {
    case "text_delta":
    case "thinking_delta":
      return true;
    case "tool_use_start":
    case "tool_use_args":
    case "tool_call":
      return !settledCalls.has(frame.id);
    default:
      return false;
  }
}

const textLength = ({ partial }: Transcript): number =>
  (partial?.content ?? []).reduce((sum, block) => sum + (block.type === "text" ? block.text.length : 0), 0);
