// What a call would do that a person is asked about in any case, also after "always": change a file outside the session's
// directory, change a file that other programs run later, or run a command that the sandbox should confine and cannot.
import { realpathSync } from "node:fs";
import { dirname } from "node:path";
import type { ApprovalMode } from "@patchbay/protocol";
import { executedLater, isWithin, realPathOf, type WriteFence } from "@patchbay/sandbox";
import type { Jail } from "../jail/jail.ts";
import type { Tool, ToolContext } from "../tools/tool.ts";

export interface Concern {
  /** A sentence for the person who is asked. */
  readonly why: string;
  /** What an answer of yes allows: these real paths, and no others. */
  readonly paths: readonly string[];
}

export interface Rules {
  readonly mode: ApprovalMode;
  readonly jail: Pick<Jail, "mode" | "home" | "unconfinedReason">;
}

/** Null: the mode alone decides. */
export async function concernAbout(
  args: unknown,
  tool: Tool,
  context: ToolContext,
  { mode, jail }: Rules,
): Promise<Concern | null> {
  if (tool.runsCommands === true) return sandboxConcern(jail);
  // In an enforced jail there is nothing to ask: the fence refuses. Without one, full access is what was chosen.
  const isAsked = jail.mode === "on" || (jail.mode === "off" && mode !== "full");
  const named = isAsked ? (tool.changes?.(args, context) ?? []) : [];
  const paths = await Promise.all(named.map(realPathOf));
  const cwd = realpathSync(context.cwd);
  for (const path of paths) {
    const later = executedLater(path, [cwd], jail.home);
    if (later !== null) return { why: `You are asked because ${later}.`, paths };
    if (jail.mode === "off" && !isWithin(path, cwd))
      return { why: "You are asked because this is outside the session's directory.", paths };
  }
  return null;
}

async function sandboxConcern(jail: Rules["jail"]): Promise<Concern | null> {
  const problem = jail.mode === "on" ? await jail.unconfinedReason() : null;
  if (problem === null) return null;
  return { why: `You are asked because the sandbox does not work: ${problem}.`, paths: [] };
}

/** What a call may write without a question about a concern. Checked again when it writes, because links may have been swapped. */
export function defaultFence(context: ToolContext, { mode, jail }: Rules): WriteFence | null {
  if (context.jail !== null) return context.jail.write;
  if (mode === "full") return null;
  const cwd = realpathSync(context.cwd);
  return {
    inside: [cwd],
    hidden: [],
    outside: "is outside the session's directory by now: it was moved, or a link was changed",
    refusal: (path) => {
      const later = executedLater(path, [cwd], jail.home);
      return later === null ? null : `was not asked about, and ${later}`;
    },
  };
}

/** What a call may write when a person has allowed it: these paths, and directories that are missing above them. */
export function grantedFence({ paths }: Concern, context: ToolContext): WriteFence {
  const isGranted = (path: string): boolean => paths.some((allowed) => isWithin(allowed, path));
  const fence = context.jail?.write ?? {
    inside: paths.map(topOf),
    hidden: [],
    outside: "is not what was allowed",
  };
  return { ...fence, refusal: (path) => (isGranted(path) ? null : "is not what was allowed") };
}

/** The root of the file system. */
const topOf = (path: string): string => (dirname(path) === path ? path : topOf(dirname(path)));
