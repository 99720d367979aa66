// A transcript as one self-contained page: no scripts, no links to anywhere, everything escaped.
import type { Transcript } from "../transcript/transcript.ts";
import { type ExportHead, type Passage, passages } from "./passages.ts";

const style = `:root{color-scheme:light dark;--line:#8884}body{font:15px/1.6 system-ui,sans-serif;max-width:820px;margin:40px auto;padding:0 20px}
header p,small,.note{color:#777}pre{white-space:pre-wrap;overflow-wrap:anywhere;font:13px/1.5 ui-monospace,monospace}
details{border:1px solid var(--line);border-radius:6px;padding:6px 12px;margin:8px 0}summary{cursor:pointer;font-family:ui-monospace,monospace}
.note{border-top:1px solid var(--line);padding-top:6px;font-size:13px}.failed summary{color:#c33}h2{font-size:13px;color:#777;margin:28px 0 4px}`;

export function toHtml(session: ExportHead, transcript: Transcript): string {
  const about = [session.worker, `${session.provider}/${session.model}`, session.cwd, session.created_at];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(session.name)}</title><style>${style}</style></head><body>
<header><h1>${escapeHtml(session.name)}</h1><p>${escapeHtml(about.join(" · "))}</p></header>
${passages(transcript).map(print).join("\n")}
</body></html>
`;
}

function print(passage: Passage): string {
  switch (passage.kind) {
    case "text":
      return `<h2>${passage.who} <small>${escapeHtml(passage.time)}</small></h2><pre>${escapeHtml(passage.text)}</pre>`;
    case "thinking":
      return `<details><summary>thinking</summary><pre>${escapeHtml(passage.text)}</pre></details>`;
    case "image":
      return `<p class="note">image: ${escapeHtml(passage.mimeType)}, ${passage.bytes} bytes</p>`;
    case "tool": {
      const args = JSON.stringify(passage.args, null, 2) ?? "";
      const state = passage.failed ? ' class="failed"' : "";
      return `<details${state}><summary>${escapeHtml(passage.name)}</summary><pre>${escapeHtml(args)}</pre><pre>${escapeHtml(passage.output)}</pre></details>`;
    }
    case "note":
      return `<p class="note">${escapeHtml(passage.text)}</p>`;
  }
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (char) => entities[char] ?? char);
