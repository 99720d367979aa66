// Sorts a run of worker lines: frames for the log stay together as the bytes they are, responses and
// noise are taken out. Deltas are recognised by their first or last bytes and never parsed.
import { isUtf8 } from "node:buffer";
import {
  DeltaSniffer,
  type DeltaType,
  excerpt,
  type FrameReading,
  type Response,
  readFrame,
} from "@patchbay/protocol";
import type { SegmentItem } from "./journal.ts";

/** Called in the order of the lines. */
export interface RunSink {
  /** Consecutive lines for the log, those of unknown types included, and what they hold. */
  segment(bytes: Uint8Array, count: number, items: readonly SegmentItem[]): void;
  response(response: Response): void;
  /** A line that is no frame, or one that could not be read. */
  noise(line: string, problem: string): void;
  /** The lines are a worker's, not the log's: it may not write what says who did something. */
  fromWorker?: true;
}

/** Frames of the server's own that say which person did something. */
const namesAuthors: ReadonlySet<string> = new Set(["authored", "ui_resolved", "stop_requested"]);

const LF = 10;
const frameLength = (frame: object): number => JSON.stringify(frame).length;
/** What a delta's line has beside its text. The ids of providers have about thirty characters. */
const around: Readonly<Record<DeltaType, number>> = {
  text_delta: frameLength({ type: "text_delta", delta: "" }),
  thinking_delta: frameLength({ type: "thinking_delta", delta: "" }),
  tool_use_args: frameLength({ type: "tool_use_args", id: "toolu_0123456789ABCDEFGHIJKLMN", delta: "" }),
  /** The output of a tool is no answer of the model. */
  tool_progress: Number.POSITIVE_INFINITY,
};
const decoder = new TextDecoder();

export function sortRun(given: Uint8Array, sink: RunSink): void {
  const run = asBuffer(isUtf8(given) ? given : repairUtf8(given));
  const sniffer = new DeltaSniffer(run);
  let segmentStart = 0;
  let items: SegmentItem[] = [];
  let deltas = 0;
  let answered = 0;
  let count = 0;

  const endDeltas = () => {
    if (deltas > 0)
      items.push({ kind: "deltas", index: count - deltas, count: deltas, answerBytes: answered });
    deltas = 0;
    answered = 0;
  };
  const endSegment = (end: number, next: number) => {
    endDeltas();
    if (count > 0) sink.segment(run.subarray(segmentStart, end), count, items);
    segmentStart = next;
    items = [];
    count = 0;
  };

  for (let start = 0; start < run.length; ) {
    const lf = run.indexOf(LF, start);
    const next = lf + 1;
    const delta = sniffer.at(start, lf);
    if (delta !== null) {
      answered += Math.max(0, lf - start - around[delta]);
      deltas++;
      count++;
    } else {
      endDeltas();
      const line = run.toString("utf8", start, lf).trim();
      const read = line === "" ? null : readFrame(line);
      const isForged =
        sink.fromWorker === true && read?.kind === "frame" && namesAuthors.has(read.frame.type);
      if (isForged) sink.noise(excerpt(line), "only the server says who did something");
      const reading = isForged ? null : read;
      if (reading?.kind === "malformed") sink.noise(excerpt(line), reading.problem);
      if (reading?.kind === "frame") items.push({ kind: "frame", index: count, frame: reading.frame });
      if (reading !== null && belongsInLog(reading)) {
        count++;
      } else {
        endSegment(start, next);
        if (reading?.kind === "response") sink.response(reading.response);
      }
    }
    start = next;
  }
  endSegment(run.length, run.length);
}

/** An object of a known type with an unknown shape is kept, too: it may come from a newer worker. */
function belongsInLog(reading: FrameReading): boolean {
  if (reading.kind === "response") return false;
  return reading.kind !== "malformed" || (reading.type !== undefined && reading.type !== "response");
}

/** The same memory; a Buffer finds line ends up to seven times faster than a plain array of bytes. */
const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Text messages must be UTF-8, or browsers close the socket: what is not becomes U+FFFD. */
function repairUtf8(run: Uint8Array): Uint8Array {
  return new TextEncoder().encode(decoder.decode(run));
}
