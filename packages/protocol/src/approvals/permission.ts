// Standing permissions: what a person allowed for longer than one call. The server keeps them and answers for every kind of agent;
// an answer that creates one says only how far it reaches. What they cover is decided in approval.ts.
import * as z from "zod/mini";
import type { UiRequestEvent } from "../events/events.ts";
import { Author } from "../people/author.ts";

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
  /** Whose sessions it is for; absent: those of the token's holder. */
  owner: z.optional(z.string()),
  created_at: z.string(),
  created_by: Author,
});
export type Permission = z.infer<typeof Permission>;

/** An answer that says what it does, in ACP's words. */
export const ApprovalOption = z.looseObject({ value: z.string(), kind: z.string() });

/**
 * Whether the answer allows nothing: a denial, or a text that was asked for. A choice that cannot be told from a permission counts as one.
 */
export function allowsNothing(
  { method, options = [] }: UiRequestEvent,
  answer: {
    value?: string | undefined;
    confirmed?: boolean | undefined;
    cancelled?: boolean | undefined;
    remember?: unknown;
  },
): boolean {
  if (answer.remember !== undefined || answer.confirmed === true) return false;
  if (answer.value === undefined) return true;
  if (method === "input" || method === "editor") return true;
  return options.some((option) => {
    const { data } = ApprovalOption.safeParse(option);
    return data?.value === answer.value && data?.kind.startsWith("reject") === true;
  });
}

/** The answers that let the tool run; empty: it is no approval, or one of an agent that does not describe its answers. */
export const allowingAnswers = ({ tool, options = [] }: UiRequestEvent): string[] =>
  typeof tool !== "string"
    ? []
    : options.flatMap((option) => {
        const { data } = ApprovalOption.safeParse(option);
        return data?.kind.startsWith("allow") === true ? [data.value.slice(0, 1_000)] : [];
      });
