// Writes the transcript as one self-contained page, for a person to keep or to hand on.
import { basename, resolve } from "node:path";
import { toHtml } from "@patchbay/export";
import type { Jail } from "../../jail/jail.ts";
import { locate, replaceFile } from "../../tools/files/files.ts";
import type { Conversation } from "./conversation.ts";

/** The path it was written to. Rejects with a sentence when it cannot be: the jail holds for this file, too. */
export async function exportHtml(
  conversation: Conversation,
  jail: Pick<Jail, "confinement">,
  outputPath: string | undefined,
): Promise<string> {
  const { cwd, model, transcript, name } = conversation;
  const created_at = transcript.messages[0]?.time ?? new Date().toISOString();
  if (transcript.messages.length === 0)
    throw new Error("the conversation is empty, so there is nothing to export");
  const stamp = new Date().toISOString().replaceAll(/[:.]/g, "-");
  const shown = outputPath ?? `patchbay-session-${stamp}.html`;
  const place = { cwd, jail: jail.confinement() };
  const path = locate(shown, place);
  const head = {
    name: name ?? (basename(resolve(cwd)) || "Session"),
    worker: "builtin",
    provider: model.provider,
    model: model.id,
    cwd: resolve(cwd),
    created_at,
  };
  try {
    await replaceFile(path, shown, toHtml(head, transcript), place);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`the page could not be written: ${why}`, { cause: error });
  }
  return path;
}
