// The context of a tool call, made anew for each: `begin` may have set the directory, a setting the jail.
import type { Confinement } from "../jail/jail.ts";
import type { ToolContext } from "./tool.ts";

interface ToolEnvironment {
  readonly session: { readonly cwd: string };
  readonly shellEnv: Readonly<Record<string, string>>;
  /** The directory for output that is too long to show. */
  readonly outputs: string;
  readonly jail: { confinement(): Confinement | null };
}

export type CreateToolContext = (signal: AbortSignal, progress?: ToolContext["progress"]) => ToolContext;

export const toolContexts =
  ({ session, shellEnv, outputs, jail }: ToolEnvironment): CreateToolContext =>
  (signal, progress = () => undefined) => ({
    cwd: session.cwd,
    shellEnv,
    outputs,
    jail: jail.confinement(),
    signal,
    progress,
  });
