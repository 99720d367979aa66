// `@path` in a prompt: the file goes to the model with the prompt, in blocks of its own that carry
// `mention`. The text stays as the person wrote it, and `@text` that names no file is left alone.
import { readdir, stat } from "node:fs/promises";
import type { ContentBlock } from "@patchbay/protocol";
import { findPlace } from "../tools/files/files.ts";
import { read } from "../tools/read.ts";
import type { ToolContext } from "../tools/tool.ts";

/** More are accidental, or better found by a search. */
const maxMentions = 20;
/** Four files at the read tool's own limit; further ones the model can read itself. */
const maxTextChars = 200 * 1024;
/** As base64 in one frame; two large pictures. */
const maxImageBytes = 8_000_000;
const maxEntries = 200;

const mention = /(?<![^\s([{<"'`])@(?:"([^"\n]+)"|([^\s"'`]+))/g;

export async function withMentions(
  content: ContentBlock[],
  /** Called for each file, because the jail may be turned on in between. */
  toolContext: () => ToolContext,
  signal: AbortSignal,
): Promise<ContentBlock[]> {
  const texts = content.flatMap((block) =>
    block.type === "text" && block.mention === undefined ? [block.text] : [],
  );
  const budget = { chars: maxTextChars, imageBytes: maxImageBytes };
  const added = new Map<string, ContentBlock[]>();
  for (const match of texts.join("\n").matchAll(mention)) {
    if (added.size >= maxMentions || signal.aborted) break;
    const found = await firstThatExists(toolContext(), candidates(match[1], match[2]));
    if (found === null || added.has(found.full)) continue;
    const blocks = await contentOf(found, toolContext());
    added.set(found.full, withinBudget(blocks, found.path, budget));
  }
  return [...content, ...[...added.values()].flat()];
}

/** The path without closing punctuation, and as written. */
function candidates(quoted: string | undefined, plain: string | undefined): string[] {
  if (quoted !== undefined) return [quoted];
  const path = plain ?? "";
  const bare = path.replace(/(?:\.{3,}|(?<!\.)\.|[,;:!?)\]}>…])+$/, "");
  return [...new Set([bare, path])].filter((name) => name !== "");
}

interface Found {
  readonly path: string;
  readonly full: string;
  readonly directory: boolean;
}

async function firstThatExists(place: ToolContext, paths: readonly string[]): Promise<Found | null> {
  for (const path of paths) {
    try {
      const { root: full } = await findPlace(path, place);
      const stats = await stat(full);
      if (stats.isDirectory() || stats.isFile()) return { path, full, directory: stats.isDirectory() };
    } catch {
      // absent or out of reach: then it is no mention
    }
  }
  return null;
}

async function contentOf(found: Found, context: ToolContext): Promise<ContentBlock[]> {
  const { path } = found;
  if (found.directory) {
    return [{ type: "text", text: wrap("directory", path, await listing(found.full)), mention: path }];
  }
  try {
    const { content } = await read.run({ path }, context);
    return content.map((block) =>
      block.type === "text"
        ? { type: "text", text: wrap("file", path, block.text), mention: path }
        : { ...block, mention: path },
    );
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return [{ type: "text", text: wrap("file", path, `[not included: ${problem}]`), mention: path }];
  }
}

const wrap = (tag: string, path: string, text: string): string =>
  `<${tag} path="${path}">\n${text.replace(/\n$/, "")}\n</${tag}>`;

async function listing(directory: string): Promise<string> {
  try {
    const entries = await readdir(directory, { withFileTypes: true });
    const names = entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort();
    const rest = names.length - maxEntries;
    const more = rest > 0 ? [`[${rest} more]`] : [];
    return [...names.slice(0, maxEntries), ...more].join("\n") || "[empty]";
  } catch (error) {
    return `[not listed: ${error instanceof Error ? error.message : String(error)}]`;
  }
}

function withinBudget(
  blocks: ContentBlock[],
  path: string,
  budget: { chars: number; imageBytes: number },
): ContentBlock[] {
  return blocks.map((block) => {
    const fits =
      block.type === "image"
        ? block.bytes <= budget.imageBytes
        : block.type === "text" && block.text.length <= budget.chars;
    if (!fits) {
      const note = "[not included: the files before it filled what a prompt may carry; read it when needed]";
      return { type: "text", text: wrap("file", path, note), mention: path };
    }
    if (block.type === "image") budget.imageBytes -= block.bytes;
    else if (block.type === "text") budget.chars -= block.text.length;
    return block;
  });
}
