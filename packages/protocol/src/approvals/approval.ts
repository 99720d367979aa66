// What an agent asks to do, and which standing permissions cover it. Apart from their schemas, so that a page loads it only with the
// first approval.
import * as z from "zod/mini";
import type { UiRequestEvent } from "../events/events.ts";
import { ApprovalOption, type Permission, type PermissionWhat, type Remember } from "./permission.ts";
import { beginsWith, isSafePrefix, prefixesOf } from "./shell-words.ts";

/** A question whether a tool may run, as far as permissions need to know it. */
export interface Approval {
  tool: string;
  /** The answer that allows this one call. */
  allow: string;
  /** Null: the tool runs no command, or what it runs is not known in full. */
  command: string | null;
}

/** Arguments beside the command that do not change what it does. */
const CommandArgs = z.strictObject({
  command: z.string(),
  timeout: z.optional(z.unknown()),
  description: z.optional(z.unknown()),
});

/** Null: it is no approval, or one that a person must decide each time (`why` says for what reason). */
export function readApproval(question: UiRequestEvent): Approval | null {
  const { tool, why, args, method, options = [] } = question;
  if (method !== "select" || typeof tool !== "string" || tool === "" || why !== undefined) return null;
  const allow = options.map((option) => ApprovalOption.safeParse(option).data).find(isAllowOnce);
  if (allow === undefined) return null;
  return { tool, allow: allow.value, command: CommandArgs.safeParse(args).data?.command ?? null };
}

const isAllowOnce = (option: z.infer<typeof ApprovalOption> | undefined): boolean =>
  option?.kind === "allow_once";

/** What a person may choose for this question. */
export function rememberable({ command }: Approval): { what: PermissionWhat[]; prefixes: string[][] } {
  const prefixes = command === null ? [] : prefixesOf(command);
  return {
    what: [
      ...(command === null ? [] : (["command"] as const)),
      ...(prefixes.length === 0 ? [] : (["prefix"] as const)),
      "tool",
      "all",
    ],
    prefixes,
  };
}

/** The terms of the permission that an answer asks for; null: it does not fit its question. */
export function termsOf(
  approval: Approval,
  { what, prefix }: Remember,
): Pick<Permission, "what" | "tool" | "command" | "prefix"> | null {
  const { tool, command } = approval;
  switch (what) {
    case "command":
      return command === null ? null : { what, tool, command };
    case "prefix":
      if (command === null || prefix === undefined || !isSafePrefix(prefix)) return null;
      return beginsWith(command, prefix) ? { what, tool, prefix } : null;
    case "tool":
      return { what, tool };
    case "all":
      return { what, tool: "" };
  }
}

type Terms = Pick<Permission, "what" | "tool" | "command" | "prefix">;

/** Whether the terms cover the call. Where they apply is not compared here. */
export function covers({ what, tool, command, prefix }: Terms, approval: Approval): boolean {
  if (what === "all") return true;
  if (tool !== approval.tool) return false;
  if (what === "tool") return true;
  if (approval.command === null) return false;
  return what === "command"
    ? command === approval.command
    : prefix !== undefined && beginsWith(approval.command, prefix);
}
