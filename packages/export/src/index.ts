// Transcripts as files for people: one self-contained HTML page, or Markdown. Used by the server (in a thread of its own)
// and by the built-in worker's `export_html`.
export { escapeHtml } from "./escape-html.ts";
export { htmlPassages, toHtml } from "./html.ts";
export { toMarkdown } from "./markdown.ts";
export { usageWords } from "./notes.ts";
export type { ExportHead } from "./passages.ts";
export { style as exportStyle } from "./style.ts";
