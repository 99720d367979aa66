// The receipt of a prompt that a program sent over HTTP. It is made of the saved task alone, so that a server that was killed before it
// saved the receipt gives the same one.
import type { Response } from "@patchbay/protocol";
import * as z from "zod/mini";
import type { QueuedTask } from "../../store/owned-session.ts";

export const PromptReceipt = z.object({
  turn: z.string(),
  queued_at: z.string(),
  /** A digest of what was sent, which a repeated call must have too. */
  content: z.string(),
});
export type PromptReceipt = z.infer<typeof PromptReceipt>;

export function promptReceipt(
  { id, queued_at, command_id }: Pick<QueuedTask, "id" | "queued_at" | "command_id">,
  content: string,
): Response {
  const data: PromptReceipt = { turn: id, queued_at, content };
  return {
    type: "response",
    command: "prompt",
    success: true,
    ...(command_id === null ? {} : { id: command_id }),
    data,
  };
}
