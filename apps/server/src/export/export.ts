// A transcript as a file: one message per line, Markdown, or one self-contained HTML page.
import { type Session, type Transcript, toHtml, toMarkdown } from "@patchbay/protocol";

export const exportTypes = {
  jsonl: "application/x-ndjson; charset=utf-8",
  md: "text/markdown; charset=utf-8",
  html: "text/html; charset=utf-8",
} as const;

export function exportTranscript(
  format: keyof typeof exportTypes,
  session: Session,
  transcript: Transcript,
): string {
  switch (format) {
    case "jsonl":
      return transcript.messages.map((message) => `${JSON.stringify(message)}\n`).join("");
    case "md":
      return toMarkdown(session, transcript);
    case "html":
      return toHtml(session, transcript);
  }
}
