// The thread that writes a transcript as a page or as Markdown. Parsing may take long, and a thread can be terminated. The transcript
// arrives in parts, so that sending it does not block the server.
import { parentPort } from "node:worker_threads";
import { toHtml, toMarkdown } from "@patchbay/export";
import type { Message, SessionInfo, Transcript } from "@patchbay/protocol";

export type ExportPart =
  | { part: "begin"; format: "html" | "md"; session: SessionInfo; transcript: Transcript }
  | { part: "messages"; messages: readonly Message[] }
  | { part: "end" };

/** A file is sent back in pieces of this size. */
const pieceBytes = 1024 * 1024;

let begun: Extract<ExportPart, { part: "begin" }> | undefined;
const messages: Message[] = [];

parentPort?.on("message", (given: ExportPart) => {
  if (given.part === "begin") begun = given;
  else if (given.part === "messages") for (const message of given.messages) messages.push(message);
  else if (begun !== undefined) {
    const { format, session, transcript } = begun;
    const whole = { ...transcript, messages };
    const text = Buffer.from(format === "html" ? toHtml(session, whole) : toMarkdown(session, whole));
    for (let at = 0; at < text.length; at += pieceBytes)
      parentPort?.postMessage(Uint8Array.from(text.subarray(at, at + pieceBytes)));
    parentPort?.postMessage("done");
  }
});
