// A transcript as Markdown.
import type { Transcript } from "@patchbay/protocol";
import { type ExportHead, type Passage, passages } from "./passages.ts";

export function toMarkdown(session: ExportHead, transcript: Transcript): string {
  const head = `# ${session.name}\n\n${session.worker} · ${session.provider}/${session.model} · ${session.cwd} · ${session.created_at}\n`;
  return [head, ...passages(transcript).map(print)].join("\n");
}

function print(passage: Passage): string {
  switch (passage.kind) {
    case "text":
      return `## ${passage.name ?? passage.who}\n\n${passage.text}\n`;
    case "thinking":
      return `> ${passage.text.replaceAll("\n", "\n> ")}\n`;
    case "mention":
      return `*[${passage.name}]*\n`;
    case "command":
      return `## You\n\n${fence(`$ ${passage.command}\n${passage.output}`)}\n*${passage.ending}*\n`;
    case "image":
      return `*[image: ${passage.mimeType}, ${passage.bytes} bytes]*\n`;
    case "tool":
      return `### ${passage.name}${passage.failed ? " (failed)" : ""}\n\n${fence(JSON.stringify(passage.args, null, 2) ?? "", "json")}\n${passage.diff === undefined ? fence(passage.output) : fence(passage.diff, "diff")}\n`;
    case "note":
      return `---\n*${passage.text}*\n`;
  }
}

/** A fence longer than any run of backticks inside. */
function fence(text: string, language = ""): string {
  let longest = 2;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const marks = "`".repeat(longest + 1);
  return `${marks}${language}\n${text}\n${marks}\n`;
}
