// Runs commands in a sandbox with a home, a server's home and a directory of their own, all in /var/tmp: /tmp is another one
// inside, and what is not seen for that reason alone proves nothing.
import type { ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { findSandbox, makeScratch, privatePlaces, type SandboxPlan, startInSandbox } from "../src/index.ts";

export const sandbox = await findSandbox(process.env["PATH"] ?? "");

export interface Place extends Disposable {
  readonly base: string;
  readonly home: string;
  readonly project: string;
  plan(change?: Partial<SandboxPlan>): SandboxPlan;
  start(command: readonly string[], change?: Partial<SandboxPlan>): ChildProcess;
  /** What a shell command writes, both outputs. */
  run(command: string, change?: Partial<SandboxPlan>): Promise<string>;
}

export function makePlace(within = "/var/tmp"): Place {
  const base = realpathSync(mkdtempSync(join(within, "patchbay-sandbox-")));
  const home = join(base, "home");
  const serverHome = join(home, ".patchbay");
  const project = join(home, "project");
  for (const directory of [home, serverHome, project]) mkdirSync(directory, { recursive: true });
  const scratch = makeScratch(serverHome);
  const plan: Place["plan"] = (change = {}) => ({
    cwd: project,
    writable: [],
    readable: [],
    hidden: privatePlaces(home, [serverHome]),
    network: true,
    home,
    scratch,
    environment: { PATH: process.env["PATH"] ?? "", HOME: home },
    ...change,
  });
  const start: Place["start"] = (command, change) => {
    if (!sandbox.works) throw new Error(sandbox.problem);
    const tag = { PATCHBAY_WORKER: "the-tag" };
    const { bubblewrap } = sandbox;
    return startInSandbox({ bubblewrap, plan: plan(change), command, tag, stdin: "ignore", joined: true });
  };
  return {
    base,
    home,
    project,
    plan,
    start,
    run: (command, change) => outputOf(start(["/bin/sh", "-c", command], change)),
    [Symbol.dispose]: () => rmSync(base, { recursive: true, force: true }),
  };
}

export const outputOf = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let output = "";
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
    child.once("error", reject);
    child.once("close", () => resolve(output));
  });
