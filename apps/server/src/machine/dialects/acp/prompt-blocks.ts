// Converts a prompt to ACP content blocks: its text, its images, and the files that the text mentions with `@path`.
import { isUtf8 } from "node:buffer";
import { constants } from "node:fs";
import { stat } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import type { ContentBlock } from "@agentclientprotocol/sdk";
import type { PromptImage } from "@patchbay/protocol";
import { inside, withFile } from "./requests/files.ts";

/** Files that one prompt attaches at most; the agent can read the others itself. */
const maxFiles = 20;
/** A larger file is sent as a link. */
const maxEmbeddedBytes = 256 * 1024;

interface PromptCapabilities {
  image?: boolean | undefined;
  embeddedContext?: boolean | undefined;
}

export async function promptBlocks(
  { message, images }: { message: string; images: readonly PromptImage[] },
  cwd: string,
  capabilities: PromptCapabilities,
): Promise<ContentBlock[]> {
  if (images.length > 0 && capabilities.image !== true)
    throw new Error("This agent does not accept images. Remove them and send the prompt again.");
  const files = await Promise.all(mentioned(message).map((path) => fileBlock(cwd, path, capabilities)));
  return [
    ...(message === "" ? [] : [{ type: "text" as const, text: message }]),
    ...images.map(({ mime_type, data }) => ({ type: "image" as const, mimeType: mime_type, data })),
    ...files.flatMap((block) => block ?? []),
  ];
}

/** `@path` and `@"a path"`, each once. */
function mentioned(message: string): string[] {
  const found = message.matchAll(/(?:^|\s)@(?:"([^"]+)"|(\S+))/g);
  return [...new Set([...found].map(([, quoted, plain]) => quoted ?? plain ?? ""))].slice(0, maxFiles);
}

/** Undefined: the mention names no file of the directory, and stays plain text. */
async function fileBlock(
  cwd: string,
  name: string,
  { embeddedContext }: PromptCapabilities,
): Promise<ContentBlock | undefined> {
  try {
    const path = await inside(cwd, name);
    const found = await stat(path);
    const uri = pathToFileURL(path).href;
    if (found.isFile() && embeddedContext === true && found.size <= maxEmbeddedBytes) {
      const bytes = await withFile(path, constants.O_RDONLY, (file) => file.readFile());
      if (isUtf8(bytes)) return { type: "resource", resource: { uri, text: bytes.toString() } };
    }
    return found.isFile() || found.isDirectory() ? { type: "resource_link", uri, name } : undefined;
  } catch {
    return undefined; // absent, or not in this directory
  }
}
