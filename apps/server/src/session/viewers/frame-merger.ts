// Merges frames for a viewer that asked for it. A viewer that only shows text needs neither every delta nor, at the end, the text that it
// was sent before. So the deltas of a moment become one delta, and the message that ends an answer refers to the text that was
// streamed: `restoreStreamed` of the protocol is the other side.
import { DeltaSniffer, type FramesLine, type StreamedText } from "@patchbay/protocol";
import * as z from "zod/mini";

/** Longer answers are sent again whole: a transcript keeps no more of a text that is being streamed. */
const longestText = 1024 * 1024;
/** Less is not worth a reference. */
const shortestText = 256;

type Kind = "text" | "thinking";

/** What was streamed of the message that is being written: all its text, and all its thinking. */
type Streamed = Record<Kind, string>;

interface Run {
  seq: number;
  count: number;
  lines: string;
  /** A run of merged deltas: which, and their text. */
  delta?: { kind: Kind; text: string };
  streamed?: true;
}

/** Frames that follow one another, as one message. */
export interface MergedMessage {
  seq: number;
  count: number;
  text: string;
}

export class FrameMerger {
  #runs: Run[] = [];
  /** Undefined: this merger did not see how the message began, so its end is sent whole. */
  #streamed: Streamed | undefined;

  /** Forgets everything: frames were not added. */
  reset(): void {
    this.#runs = [];
    this.#streamed = undefined;
  }

  /** Adds whole lines, the first of which is frame `seq`. Copies what it needs. Returns whether all of them were text. */
  add(seq: number, part: Uint8Array): { count: number; onlyDeltas: boolean } {
    const bytes = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
    const sniffer = new DeltaSniffer(bytes);
    let count = 0;
    let onlyDeltas = true;
    for (let start = 0; start < bytes.length; count++) {
      const lf = bytes.indexOf(10, start);
      const end = lf === -1 ? bytes.length : lf;
      const type = sniffer.at(start, end);
      const line = bytes.toString("utf8", start, end);
      const kind = type === "text_delta" ? "text" : type === "thinking_delta" ? "thinking" : undefined;
      const text = kind === undefined ? undefined : deltaOf(line);
      if (kind !== undefined && text !== undefined) this.#addDelta(seq + count, kind, text);
      else {
        onlyDeltas = false;
        this.#addLine(seq + count, line, type !== null);
      }
      start = end + 1;
    }
    return { count, onlyDeltas };
  }

  /** Everything that was added since the last call. */
  take(): MergedMessage | undefined {
    const [first] = this.#runs;
    if (first === undefined) return undefined;
    const count = this.#runs.reduce((sum, run) => sum + run.count, 0);
    const text = this.#runs.map(writeRun).join("");
    this.#runs = [];
    return { seq: first.seq, count, text };
  }

  #addDelta(seq: number, kind: Kind, text: string): void {
    if (this.#streamed !== undefined) {
      this.#streamed[kind] += text;
      if (this.#streamed[kind].length > longestText) this.#streamed = undefined;
    }
    const last = this.#runs.at(-1);
    if (last?.delta?.kind === kind) {
      last.delta.text += text;
      last.count++;
    } else this.#runs.push({ seq, count: 1, lines: "", delta: { kind, text } });
  }

  #addLine(seq: number, line: string, isDelta: boolean): void {
    const type = isDelta ? undefined : typeOf(line);
    const short = type === "assistant_message" ? omitStreamed(line, this.#streamed) : undefined;
    if (type === "turn_start") this.#streamed = { text: "", thinking: "" };
    else if (type === "assistant_message" || type === "turn_end") this.#streamed = undefined;
    const last = this.#runs.at(-1);
    if (short !== undefined) this.#runs.push({ seq, count: 1, lines: `${short}\n`, streamed: true });
    else if (last !== undefined && last.delta === undefined && last.streamed === undefined) {
      last.lines += `${line}\n`;
      last.count++;
    } else this.#runs.push({ seq, count: 1, lines: `${line}\n` });
  }
}

function writeRun({ seq, count, lines, delta, streamed }: Run): string {
  const header: FramesLine = {
    type: "frames",
    seq,
    count,
    ...(delta !== undefined && count > 1 ? { merged: true } : {}),
    ...(streamed === undefined ? {} : { streamed: true }),
  };
  const text =
    delta === undefined ? lines : `${JSON.stringify({ type: `${delta.kind}_delta`, delta: delta.text })}\n`;
  return `${JSON.stringify(header)}\n${text}`;
}

/** Undefined: it has more fields than these two, which must not be lost. */
function deltaOf(line: string): string | undefined {
  const read = Delta.safeParse(parse(line));
  return read.success ? read.data.delta : undefined;
}

/** Lines that look like deltas have not been parsed before. */
function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

const Delta = z.strictObject({ type: z.string(), delta: z.string() });

/** Where workers write it: first or last. Undefined: elsewhere. */
const typeOf = (line: string): string | undefined =>
  (/^\{"type":"(\w+)"/.exec(line.slice(0, 60)) ?? /"type":"(\w+)"\}$/.exec(line.slice(-60)))?.[1];

const Blocks = z.looseObject({ content: z.array(z.looseObject({ type: z.string() })) });

/** The line without the texts that were streamed; undefined: it stays as it is. */
function omitStreamed(line: string, streamed: Streamed | undefined): string | undefined {
  if (streamed === undefined) return undefined;
  const read = Blocks.safeParse(parse(line));
  if (!read.success) return undefined;
  const at = { text: 0, thinking: 0 };
  let omitted = 0;
  const content = read.data.content.map((block) => {
    const { type, text } = block;
    if ((type !== "text" && type !== "thinking") || typeof text !== "string") return block;
    const start = at[type];
    const all = streamed[type];
    if (text.length < shortestText || !all.startsWith(text, start)) return block;
    at[type] += text.length;
    omitted += text.length;
    const reference: StreamedText = { start, end: at[type], of: all.length };
    return { ...block, text: "", streamed: reference };
  });
  return omitted === 0 ? undefined : JSON.stringify({ ...read.data, content });
}
