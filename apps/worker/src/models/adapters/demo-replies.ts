// The demo model's replies: its introduction, its thoughts, and summaries of what tools really returned.
import { type Message, messageText, type ToolResultBlock } from "@patchbay/protocol";
import type { PlannedCall } from "./demo-intents.ts";

export const demoIntroduction = `> **This is the offline demo model**, not a real AI. It understands a handful of requests and runs Patchbay's real tools, so that you can see how everything works. To use a real model, add its API key on the Setup page, or set \`ANTHROPIC_API_KEY\`, \`OPENAI_API_KEY\`, \`GEMINI_API_KEY\` or \`DEEPSEEK_API_KEY\` (or \`OLLAMA_HOST\` for local models) and restart Patchbay. This model is free.\n\n`;

export const abilities = `I am only a demo, so I cannot answer that. What I can really do here:

| ask me to… | for example | tool |
|---|---|---|
| list files | \`list the files here\` | \`bash\` |
| read a file | \`read README.md\` | \`read\` |
| run a command | \`run git status\` | \`bash\` |
| write a file | \`write notes.txt with Hello from Patchbay\` | \`write\` |
| edit a file | \`replace Hello with Goodbye in notes.txt\` | \`edit\` |

Steps can be joined: \`write notes.txt with Hello, then read it\`. While I answer you can press **Esc** to stop me, and the **compact** button turns our conversation into a summary.`;

export const greeting = `Hello! Everything you see here is real except for me: an agent on this machine streams these words, its tools run in your session's directory, and each call is counted.\n\n${abilities.slice(abilities.indexOf("What I can"))}`;

export const thoughts = (calls: readonly PlannedCall[], next: number): string => {
  const call = calls[next];
  if (call === undefined)
    return "All steps are done. I will look at what the tools really returned and sum it up.";
  const step = calls.length > 1 ? `This is step ${next + 1} of ${calls.length}. ` : "";
  return `${step}The person wants me to ${call.intention}. The right tool for that is ${call.name}, with what they gave me as its arguments.`;
};

export const imageNote = (count: number): string =>
  `You attached ${count === 1 ? "an image" : `${count} images`}. A real model would look at ${count === 1 ? "it" : "them"}; I cannot.\n\n`;

/** A summary in markdown of each call and its real result. */
export function summariseResults(calls: readonly PlannedCall[], results: readonly ToolResultBlock[]): string {
  const sections = results.map((result, index) => section(calls[index], result));
  return sections.length > 1
    ? `All ${sections.length} steps are done:\n\n${sections.map((text, index) => `### ${index + 1}. ${text}`).join("\n\n")}`
    : (sections[0] ?? "There was nothing to do.");
}

function section(call: PlannedCall | undefined, result: ToolResultBlock): string {
  const text = result.content
    .map((block) => (block.type === "text" ? block.text : `[image, ${block.bytes} bytes]`))
    .join("\n");
  if (call === undefined) return text;
  if (result.is_error && call.name !== "bash") return `I could not ${call.intention}: **${text}**`;
  switch (call.name) {
    case "bash":
      return String(call.args["command"]).startsWith("ls -la") && !result.is_error
        ? listing(text)
        : `I ran \`${String(call.args["command"])}\`${result.is_error ? " and it **failed**" : ""}:\n\n${fence(body(text), "console")}\n\n${ending(text)}`;
    case "read":
      return `\`${String(call.args["path"])}\` has ${lineCount(text)} in what I read. It begins:\n\n${fence(firstLines(text, 12), extension(String(call.args["path"])))}`;
    case "write":
      return `Done: ${text}. You can ask me to \`read ${String(call.args["path"])}\` next.`;
    case "edit":
      return `I changed \`${String(call.args["path"])}\`:\n\n${fence(text, "diff")}`;
  }
}

/** `ls -la` as a table. */
function listing(text: string): string {
  const rows = body(text)
    .split("\n")
    .map((line) => /^([-dlbcps])\S+\s+\d+\s+\S+\s+\S+\s+(\d+)\s+(\S+\s+\S+\s+\S+)\s+(.+)$/.exec(line))
    .flatMap((row) => (row === null || row[4] === "." || row[4] === ".." ? [] : [row]));
  if (rows.length === 0) return "The directory is empty.";
  const shown = rows
    .slice(0, 25)
    .map((row) => `| \`${row[4]}\` | ${row[1] === "d" ? "directory" : `${row[2]} bytes`} | ${row[3]} |`);
  const rest = rows.length > 25 ? `\n\n…and ${rows.length - 25} more.` : "";
  return `${rows.length === 1 ? "There is **1 entry**" : `There are **${rows.length} entries**`}:\n\n| name | size | changed |\n|---|---|---|\n${shown.join("\n")}${rest}`;
}

/** The bash tool's result without the command above and the status below. */
const body = (text: string): string =>
  text.replace(/^\$ [\s\S]*?\n\n/, "").replace(/(?:^|\n\n?)\[exit [\s\S]*$/, "");

function ending(text: string): string {
  const found = /\[exit (-?\d+)\].*?Took ([\d.]+)s$/.exec(text);
  return found === null ? "" : `It ended with exit code **${found[1]}** after ${found[2]} s.`;
}

const lineCount = (text: string): string => {
  const count = text.replace(/\n$/, "").split("\n").length;
  return count === 1 ? "1 line" : `${count} lines`;
};

function firstLines(text: string, count: number): string {
  const lines = text.replace(/\n$/, "").split("\n");
  return lines.length <= count ? lines.join("\n") : `${lines.slice(0, count).join("\n")}\n…`;
}

const extension = (path: string): string => /\.(\w+)$/.exec(path)?.[1] ?? "";

/** A fence longer than any inside the text. */
function fence(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map((run) => run[0].length));
  const ticks = "`".repeat(longest + 1);
  return `${ticks}${language}\n${text}\n${ticks}`;
}

/** The demo's summary of a conversation, in the sections a compaction asks for. */
export function compactSummary(request: string): string {
  const asked = [...request.matchAll(/--- user ---\n([\s\S]*?)(?=\n\n---|\n<\/conversation>)/g)].map(
    (found) => (found[1] ?? "").trim().split("\n")[0] ?? "",
  );
  const calls = [...request.matchAll(/\[tool_call (\w+) (.*)\]/g)].map(
    (found) => `- \`${found[1]}\` ${(found[2] ?? "").slice(0, 120)}`,
  );
  const list = (items: string[]): string => (items.length === 0 ? "- nothing" : items.join("\n"));
  return `## Goal\n${list(asked.map((text) => `- ${text.slice(0, 200)}`))}\n\n## Constraints & Preferences\n- none were named\n\n## Progress\n### Done\n${list(calls)}\n### In Progress\n- nothing\n### Blocked\n- nothing\n\n## Key Decisions\n- none\n\n## Next Steps\n- wait for the next prompt\n\n## Critical Context\n- This summary was written by the offline demo model.`;
}

export const userText = (message: Message | undefined): string =>
  message === undefined ? "" : messageText(message);
