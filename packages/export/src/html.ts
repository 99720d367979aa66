// A transcript as one self-contained page: no scripts, nothing loaded from anywhere, everything escaped. Shared by
// the server's export and the worker's `export_html`.
import type { Transcript } from "@patchbay/protocol";
import { escapeHtml } from "./escape-html.ts";
import { markdownHtml } from "./markdown-html.ts";
import { durationWords, usageWords } from "./notes.ts";
import {
  type ExportHead,
  type Passage,
  type PrintedTranscript,
  passages,
  type ToolPassage,
} from "./passages.ts";
import { style } from "./style.ts";

export function toHtml(session: ExportHead, transcript: Transcript): string {
  const about = [
    session.worker,
    `${session.provider}/${session.model}`,
    session.cwd,
    timeWords(session.created_at),
    ...usageWords(transcript.usage),
  ];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>${escapeHtml(session.name)}</title><style>${style}</style></head><body>
<header><h1>${escapeHtml(session.name)}</h1><p>${about.map((part) => `<span>${escapeHtml(part)}</span>`).join("")}</p></header>
<main>
${htmlPassages(transcript).join("\n")}
</main></body></html>
`;
}

/**
 * Each passage as HTML, in order. A page that shows a session as it goes on replaces those that changed. `person`: what a person without a
 * name is called, where the reader may be another one.
 */
export function htmlPassages(transcript: PrintedTranscript, person = "You"): string[] {
  let speaker = "";
  return passages(transcript).map((passage) => {
    if (passage.kind === "note") {
      if (passage.quiet) speaker = "";
      return print(passage);
    }
    const name = passage.name ?? (passage.who === "You" ? person : passage.who);
    const heading = name === speaker ? "" : speakerHeading(passage.who, name, passage.time);
    speaker = name;
    return heading + print(passage);
  });
}

const speakerHeading = (who: string, name: string, time: string): string =>
  `<h2 class="${who === "You" ? "you" : "agent"}">${escapeHtml(name)} <time>${escapeHtml(timeWords(time))}</time></h2>\n`;

/** As it was written, without the fractions of seconds: whose clock it was is not ours to say. */
const timeWords = (time: string): string => time.replace(/T(\d\d:\d\d)[\d:.]*/, " $1");

function print(passage: Passage): string {
  switch (passage.kind) {
    case "text":
      return passage.who === "You"
        ? `<div class="prompt">${escapeHtml(passage.text)}</div>`
        : `<div class="prose">${markdownHtml(passage.text)}</div>`;
    case "mention":
      return `<p class="mention">${escapeHtml(passage.name)}</p>`;
    case "thinking":
      return card(
        "Thought",
        "",
        took(passage.durationMs),
        `<div class="thought">${escapeHtml(passage.text)}</div>`,
      );
    case "image":
      return image(passage.mimeType, passage.bytes, passage.data);
    case "tool":
      return tool(passage);
    case "command": {
      const output = passage.output === "" ? "" : `<pre>${escapeHtml(passage.output)}</pre>`;
      return card("$", passage.command, passage.ending, output, passage.failed, true);
    }
    case "note":
      return `<p class="${passage.quiet ? "turn" : "note"}">${escapeHtml(passage.text)}</p>`;
  }
}

function card(
  name: string,
  subject: string,
  end: string,
  body: string,
  failed = false,
  open = false,
): string {
  const line = `<b>${escapeHtml(name)}</b><span class="subject">${escapeHtml(subject)}</span><span class="end">${escapeHtml(end)}</span>`;
  return `<details${failed ? ' class="failed"' : ""}${open ? " open" : ""}><summary>${line}</summary>${body}</details>`;
}

/** More lines than this are folded until a reader opens them. */
const openDiffLines = 60;

function tool({ name, args, output, failed, diff, durationMs }: ToolPassage): string {
  const subject = subjectOf(args);
  if (diff !== undefined) {
    // The names of the files are in the line above.
    const lines = diff
      .replace(/\n$/, "")
      .replace(/^--- .*\n\+\+\+ .*\n/, "")
      .split("\n");
    return card(name, subject, took(durationMs), diffHtml(lines), failed, lines.length <= openDiffLines);
  }
  const rest =
    subject !== "" && Object.keys(Object(args)).length === 1 ? "" : (JSON.stringify(args, null, 2) ?? "");
  const parts = [rest, output].filter((part) => part !== "").map((part) => `<pre>${escapeHtml(part)}</pre>`);
  return card(
    name,
    subject,
    [...(failed ? ["failed"] : []), took(durationMs)].filter(Boolean).join(" · "),
    parts.join(""),
    failed,
  );
}

/** Less than a tenth of a second is not worth showing. */
const took = (ms: number | undefined): string => (ms === undefined || ms < 100 ? "" : durationWords(ms));

/** What a call is about, where its arguments say so. */
function subjectOf(args: unknown): string {
  const fields: Record<string, unknown> = typeof args === "object" && args !== null ? { ...args } : {};
  const found = ["command", "path", "pattern", "query", "url", "name"].map((key) => fields[key]);
  return found.find((value) => typeof value === "string") ?? "";
}

function diffHtml(lines: readonly string[]): string {
  const rows = lines.map((line) => {
    const heading = /^(?:@@|\.\.\.$)/.test(line);
    const kind = heading ? "gap" : line.startsWith("+") ? "add" : line.startsWith("-") ? "del" : "";
    return `<span class="${kind}">${escapeHtml(line) || " "}</span>`;
  });
  return `<pre class="diff">${rows.join("")}</pre>`;
}

function image(mimeType: string, bytes: number, data: string | undefined): string {
  const label = `image: ${mimeType}, ${bytes} bytes`;
  const shown =
    data !== undefined && /^image\/(?:png|jpeg|gif|webp)$/.test(mimeType) && /^[\w+/]+=*$/.test(data);
  if (!shown) return `<p class="mention">${escapeHtml(label)}</p>`;
  return `<img alt="${escapeHtml(label)}" src="data:${mimeType};base64,${data}">`;
}
