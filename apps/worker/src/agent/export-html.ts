// Writes the transcript as one self-contained page, for a person to keep or to hand on.
import { mkdir, writeFile } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { toHtml } from "@patchbay/protocol";
import type { Conversation } from "./conversation.ts";

/** Where it was written. Rejects with a sentence when it cannot be. */
export async function exportHtml(
  conversation: Conversation,
  outputPath: string | undefined,
): Promise<string> {
  const { cwd, model, transcript, name } = conversation;
  const created_at = transcript.messages[0]?.time ?? new Date().toISOString();
  if (transcript.messages.length === 0)
    throw new Error("nothing has been said yet, so there is nothing to export");
  const stamp = new Date().toISOString().replaceAll(/[:.]/g, "-");
  const path = resolve(cwd, outputPath ?? `patchbay-session-${stamp}.html`);
  const head = {
    name: name ?? (basename(resolve(cwd)) || "Session"),
    worker: "builtin",
    provider: model.provider,
    model: model.id,
    cwd: resolve(cwd),
    created_at,
  };
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, toHtml(head, transcript));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`${path} could not be written: ${why}`, { cause: error });
  }
  return path;
}
