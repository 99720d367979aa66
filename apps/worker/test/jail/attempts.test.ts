// The built-in agent's commands against the list of attempts that every sandbox has to hold, and honest work in it.
import { execFile, execFileSync, spawnSync } from "node:child_process";
import { type FakeModel, startFakeModel } from "@patchbay/testing/fake-model";
import { attempts, honestWork } from "@patchbay/testing/sandbox-attempts";
import { makeHome, plantWorld, type World } from "@patchbay/testing/sandbox-world";
import { sandboxProblem, unless } from "@patchbay/testing/skips";
import { startWorker, type WorkerClient } from "@patchbay/testing/worker-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { environments, runTool } from "../rig.ts";

const here = unless(await sandboxProblem());

describe("attempts to leave the jail", here, () => {
  let world: World;
  let model: FakeModel;
  let worker: WorkerClient;
  beforeAll(async () => {
    world = await plantWorld(makeHome());
    model = await startFakeModel();
    worker = startWorker({
      args: ["--cwd", world.project, "--home", world.serverHome, "--jail", "on"],
      env: { ...world.environment, ...environments(model.baseUrl)["anthropic"] },
    });
  });
  afterAll(async () => {
    await worker[Symbol.asyncDispose]();
    await model[Symbol.asyncDispose]();
    await world[Symbol.asyncDispose]();
  });
  const run = async (command: string): Promise<string> => {
    const rig = { model, worker, directory: world.project, home: world.home };
    const { text } = await runTool({ ...rig, [Symbol.asyncDispose]: async () => {} }, "bash", { command });
    return text.slice(text.indexOf("\n\n")); // without the command itself, which names what it is after
  };

  it.each(attempts)("[W153] holds: $name", async ({ command, succeeded }) => {
    const output = await run(`${command(world)}\necho RAN`);
    expect(output).toContain("RAN"); // a sandbox that does not start holds everything
    expect(succeeded(world, output), output).toBe(false);
  });

  it.for(honestWork)("[W153] lets honest work be done: $name", async ({ command, expected, needs }, test) => {
    test.skip(needs !== undefined && spawnSync("which", [needs]).status !== 0, `${needs} is not installed`);
    expect(await run(command)).toMatch(expected);
  });

  it("[W154] nothing that was tried has changed the repository's config or hooks", () => {
    const git = (...args: string[]) => execFileSync("git", args, { cwd: world.project, encoding: "utf8" });
    expect(git("status", "--porcelain")).not.toContain(".mcp.json");
    expect(git("config", "--list", "--local")).not.toContain("EVIL");
  });
});

describe("the attempts themselves", () => {
  it.each(attempts)("[W153] would succeed without a sandbox: $name", async (attempt) => {
    await using world = await plantWorld(makeHome());
    const died = new Promise((resolve) => world.victim.once("exit", resolve));
    const output = await new Promise<string>((resolve) => {
      const options = { cwd: world.project, env: world.environment };
      const command = (attempt.control ?? attempt.command)(world);
      execFile("/bin/bash", ["-c", command], options, (_error, stdout) => resolve(stdout));
    });
    if (attempt.name.startsWith("kills")) await died;
    expect(attempt.succeeded(world, output), output).toBe(true);
  });
});
