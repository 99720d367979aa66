// Transcripts as files for people: one self-contained HTML page, or Markdown. Used by the server (in a thread of its own)
// and by the built-in worker's `export_html`.
export { escapeHtml } from "./escape-html.ts";
export { toHtml } from "./html.ts";
export { toMarkdown } from "./markdown.ts";
export type { ExportHead } from "./passages.ts";
