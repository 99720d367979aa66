// Approvals: what an agent asks to do, and the standing permissions that answer later questions of the same kind. The server
// keeps them and answers for every kind of agent; an answer that creates one says only how far it reaches.
import * as z from "zod/mini";
import type { UiRequestEvent } from "../events/events.ts";
import { beginsWith, isSafePrefix, prefixesOf } from "./shell-words.ts";

/** What is allowed: this command, commands that begin with some words, every call of the tool, or every call. */
const PermissionWhat = z.enum(["command", "prefix", "tool", "all"]);
export type PermissionWhat = z.infer<typeof PermissionWhat>;

/** For this session, or for every session of the agent in its directory. */
const PermissionWhere = z.enum(["session", "directory"]);

/** How far an answer reaches beyond its question. */
export const Remember = z.strictObject({
  what: PermissionWhat,
  where: PermissionWhere,
  /** `prefix`: the first words of the command. */
  prefix: z.optional(
    z.array(z.string().check(z.minLength(1), z.maxLength(200))).check(z.minLength(1), z.maxLength(4)),
  ),
});
export type Remember = z.infer<typeof Remember>;

/** Who answered: a browser that is logged in, or a program. */
export const AnsweredBy = z.object({
  /** The id of the login; absent for a program. */
  login: z.optional(z.string()),
  /** "Firefox on Linux", or "a program". */
  label: z.string(),
});
export type AnsweredBy = z.infer<typeof AnsweredBy>;

export const Permission = z.object({
  id: z.string(),
  what: PermissionWhat,
  where: PermissionWhere,
  /** The agent whose questions it answers, by its name in the config file. */
  agent: z.string(),
  /** Empty: every tool. */
  tool: z.string(),
  /** `command`: the whole of it. */
  command: z.optional(z.string()),
  prefix: z.optional(z.array(z.string())),
  /** The session that it belongs to, and ends with; null: it is the directory's. */
  session: z.nullable(z.string()),
  directory: z.string(),
  created_at: z.string(),
  created_by: AnsweredBy,
});
export type Permission = z.infer<typeof Permission>;

/** A question whether a tool may run, as far as permissions need to know it. */
export interface Approval {
  tool: string;
  /** The answer that allows this one call. */
  allow: string;
  /** Null: the tool runs no command, or what it runs is not known in full. */
  command: string | null;
}

const Option = z.looseObject({ value: z.string(), kind: z.string() });
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
  const allow = options.map((option) => Option.safeParse(option).data).find(isAllowOnce);
  if (allow === undefined) return null;
  return { tool, allow: allow.value, command: CommandArgs.safeParse(args).data?.command ?? null };
}

/** The answers that let the tool run; empty: it is no approval, or one of an agent that does not describe its answers. */
export const allowingAnswers = ({ tool, options = [] }: UiRequestEvent): string[] =>
  typeof tool !== "string"
    ? []
    : options.flatMap((option) => {
        const { data } = Option.safeParse(option);
        return data?.kind.startsWith("allow") === true ? [data.value.slice(0, 1_000)] : [];
      });

const isAllowOnce = (option: z.infer<typeof Option> | undefined): boolean => option?.kind === "allow_once";

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
