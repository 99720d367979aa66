// Exports a transcript as a file: one message per line, Markdown, or one self-contained HTML page. The last two are written by a
// thread (export-thread.ts) with a time limit, because hostile Markdown may take very long to parse.
import { once } from "node:events";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { PatchbayError, type SessionInfo, type Transcript } from "@patchbay/protocol";
import { errorCode } from "../diagnostics/error-code.ts";
import type { ExportPart } from "./export-thread.ts";

export const exportTypes = {
  jsonl: "application/x-ndjson; charset=utf-8",
  md: "text/markdown; charset=utf-8",
  html: "text/html; charset=utf-8",
} as const;
export type ExportFormat = keyof typeof exportTypes;

/** A page of 10,000 messages takes a second. */
const timeLimitMs = 15_000;
/** Each may need several hundred megabytes. */
const maxThreads = 2;
const resourceLimits = { maxOldGenerationSizeMb: 2_048 };
const messagesAtOnce = 50;

/** The build puts it beside the server's file. */
const threadFile = join(dirname(fileURLToPath(import.meta.url)), "export-thread.js");

const tooLong = "This transcript is too large to export as a page. Export it as JSON Lines instead.";
const tooMany = "Other exports are running. Try again in a moment.";

export class Exports {
  #threads = 0;

  /** Resolves when the file is complete, so that a failure can still become an error response. */
  async export(format: ExportFormat, session: SessionInfo, transcript: Transcript): Promise<Readable> {
    if (format === "jsonl") return Readable.from(jsonLines(transcript), { objectMode: false });
    if (this.#threads >= maxThreads) throw new PatchbayError("too_many", tooMany);
    this.#threads++;
    try {
      return Readable.from(await writeInThread(format, session, transcript), { objectMode: false });
    } finally {
      this.#threads--;
    }
  }
}

async function* jsonLines({ messages }: Transcript): AsyncGenerator<string> {
  for (let at = 0; at < messages.length; at += messagesAtOnce) {
    const part = messages.slice(at, at + messagesAtOnce);
    yield part.map((message) => `${JSON.stringify(message)}\n`).join("");
    await nextTurn();
  }
}

const isOutOfMemory = (error: unknown): boolean => errorCode(error) === "ERR_WORKER_OUT_OF_MEMORY";

async function writeInThread(
  format: "html" | "md",
  session: SessionInfo,
  transcript: Transcript,
): Promise<Uint8Array[]> {
  const thread = new Worker(threadFile, { resourceLimits, env: {} });
  const send = (part: ExportPart) => thread.postMessage(part);
  const timer = setTimeout(() => void thread.terminate(), timeLimitMs); // its `exit` rejects below
  const pieces: Uint8Array[] = [];
  const ended = new Promise<Uint8Array[]>((resolve, reject) => {
    thread.on("message", (piece: Uint8Array | "done") => {
      if (piece === "done") resolve(pieces);
      else pieces.push(piece);
    });
    thread.once("error", (error) =>
      reject(isOutOfMemory(error) ? new PatchbayError("too_large", tooLong) : error),
    );
    thread.once("exit", () => reject(new PatchbayError("too_large", tooLong)));
  });
  ended.catch(() => {}); // awaited below, when all parts are sent
  try {
    await once(thread, "online");
    const branches = transcript.branches.map((branch) => ({ ...branch, messages: [], marks: [] })); // the file only counts them
    send({ part: "begin", format, session, transcript: { ...transcript, messages: [], branches } });
    for (let at = 0; at < transcript.messages.length; at += messagesAtOnce) {
      send({ part: "messages", messages: transcript.messages.slice(at, at + messagesAtOnce) });
      await nextTurn();
    }
    send({ part: "end" });
    return await ended;
  } finally {
    clearTimeout(timer);
    await thread.terminate();
  }
}
