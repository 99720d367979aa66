// Reads an extension's frames: validated, in order, and throttled. An extension that writes too much blocks on
// its pipe, where it costs the worker nothing.
import type { Readable } from "node:stream";
import { excerpt, explain, frameBounds, readJson } from "@patchbay/protocol";
import { ExtensionFrame } from "@patchbay/protocol/extension";
import * as z from "zod/mini";
import { BoundedLines } from "./bounded-lines.ts";
import { Throttle } from "./throttle.ts";

/** zot's cap: an image must fit. */
const maxLineBytes = 4 * 1024 * 1024;
/** More frames, and more bytes, than a useful extension writes. */
const framePace = { burst: 2_000, perSecond: 1_000 };
const bytePace = { burst: 32 * 1024 * 1024, perSecond: 8 * 1024 * 1024 };

export interface FrameSink {
  /** Bytes were read, perhaps not yet a whole line. */
  onData(): void;
  /** Awaited before the next one is read. */
  frame(frame: ExtensionFrame): Promise<void> | void;
  onProblem(event: string, error: string): void;
  /** For the log only. */
  note(message: string): void;
}

/** Resolves at the end of the stream, rejects when it breaks. */
export async function readFrames(stdout: Readable, sink: FrameSink): Promise<void> {
  const lines = new BoundedLines(maxLineBytes);
  const frames = new Throttle(framePace);
  const bytes = new Throttle(bytePace);
  let slowed = false;

  const take = async (line: Uint8Array | null): Promise<void> => {
    if (line === null) {
      return sink.onProblem("flood", `a line of more than ${maxLineBytes / 1024 / 1024} MiB was left out`);
    }
    const wait = Math.max(frames.delayFor(1), bytes.delayFor(line.length));
    if (wait > 0) {
      if (!slowed) sink.onProblem("flood", "it writes too much and is slowed down");
      slowed = true;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
    const frame = parse(line, sink);
    if (frame !== null) await sink.frame(frame);
  };

  for await (const chunk of stdout) {
    sink.onData();
    for (const line of lines.push(chunk)) await take(line);
  }
  for (const line of lines.end()) await take(line);
}

function parse(line: Uint8Array, sink: FrameSink): ExtensionFrame | null {
  const text = new TextDecoder().decode(line);
  const json = readJson(text, frameBounds);
  if (!json.ok) {
    const problem = json.isJson ? json.problem : "not JSON (use stderr for logs)";
    sink.onProblem("frame", `a line on its stdout is ${problem}: ${excerpt(text)}`);
    return null;
  }
  const { value } = json;
  const type = Envelope.safeParse(value).data?.type;
  if (type === undefined || !known.has(type)) {
    sink.note(`ignored, unknown type: ${excerpt(text)}`);
    return null;
  }
  const read = ExtensionFrame.safeParse(value);
  if (read.success) return read.data;
  sink.onProblem("frame", `${type}: ${explain(read.error)}`);
  return null;
}

const Envelope = z.looseObject({ type: z.string() });
const known: ReadonlySet<string> = new Set(
  ExtensionFrame.def.options.flatMap((option) => [...option.shape.type.def.values]),
);
