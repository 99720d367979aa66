// Starts a command in the sandbox. The program that makes the sandbox gets nothing from an agent: it is found by its real
// path, its environment holds the given tag only, and the agent's variables are set inside.
import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { closeSync } from "node:fs";
import { argumentsDescriptor, sandboxArguments } from "./arguments.ts";
import { type Bubblewrap, writeArguments } from "./bubblewrap.ts";
import type { SandboxPlan } from "./mounts.ts";

export interface SandboxStart {
  readonly bubblewrap: Bubblewrap;
  readonly plan: SandboxPlan;
  /** argv; a bare name is looked up inside, in the PATH that is set inside. */
  readonly command: readonly string[];
  /** Where it begins: the session's directory unless given. */
  readonly directory?: string;
  /** For the outer process too, so that what is left behind can be found. */
  readonly tag: Readonly<Record<string, string>>;
  readonly stdin: "ignore" | "pipe";
  /** Standard error goes where standard output goes, in the order in which both are written. */
  readonly joined?: boolean;
}

/** The leader of a process group; to kill that is to kill all. */
export function startInSandbox(start: SandboxStart): ChildProcess {
  const { bubblewrap, plan, command, directory = plan.cwd, tag, stdin, joined = false } = start;
  const { args: own, descriptors } = sandboxArguments(plan, command, directory, bubblewrap.options);
  const argv = [bubblewrap.program, "--args", String(argumentsDescriptor), "--", ...command];
  // A shell of the system, without an environment: it joins the two outputs and becomes bubblewrap.
  const [program = "", ...args] = joined ? ["/bin/sh", "-c", 'exec 2>&1; exec "$@"', "sh", ...argv] : argv;
  const stdio: StdioOptions = [stdin, "pipe", joined ? "ignore" : "pipe", "pipe", ...descriptors];
  try {
    const child = spawn(program, args, { cwd: "/", env: { ...tag }, detached: true, stdio });
    writeArguments(child, own);
    return child;
  } finally {
    for (const descriptor of descriptors) closeSync(descriptor);
  }
}
