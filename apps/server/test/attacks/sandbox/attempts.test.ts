// A foreign agent in its sandbox against the list of attempts that every sandbox has to hold: once in the agent's own
// process, once in a terminal that it opens through us. That each attempt succeeds without a sandbox is shown beside the
// built-in agent's (apps/worker/test/jail/attempts.test.ts).
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { attempts, honestWork } from "@patchbay/testing/sandbox-attempts";
import { makeHome, plantWorld, type World } from "@patchbay/testing/sandbox-world";
import { fixtureWorker, type RunningServer, startServer } from "@patchbay/testing/server-process";
import { sandboxProblem, unless } from "@patchbay/testing/skips";
import type { TestViewer } from "@patchbay/testing/socket-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { turn } from "../../machine/dialects/acp/agent.ts";
import { attach, createSession } from "../../support/actor.ts";
import { answerFirst } from "../../support/answer-first.ts";

const here = unless(await sandboxProblem());

describe.each(["own", "terminal"])("a foreign agent in its sandbox (%s)", here, (way) => {
  let world: World;
  let server: RunningServer;
  let viewer: TestViewer;
  beforeAll(async () => {
    const agent = { dialect: "acp", command: fixtureWorker("acp-agent"), sandbox: "on" };
    server = await startServer({
      home: makeHome(),
      async prepare(serverHome) {
        world = await plantWorld(join(serverHome, ".."));
      },
      config: { default_worker: "agent", workers: { agent: { ...agent, writable: ["~/.acp-sessions"] } } },
      env: { SOME_API_KEY: "CANARY of the server", XDG_RUNTIME_DIR: "/nonexistent" },
    });
    viewer = await attach(server, await createSession(server));
    await answerFirst(viewer, "Trust this directory"); // it has settings of agents
    await viewer.state("idle");
  });
  afterAll(async () => {
    await viewer.close();
    await server[Symbol.asyncDispose]();
    await world[Symbol.asyncDispose]();
  });
  const run = (command: string): Promise<string> => turn(viewer, `${way} ${command}`);

  it.each(attempts)("[K14] holds: $name", async ({ command, succeeded }) => {
    const output = await run(`${command(world)}\necho RAN`);
    expect(output).toContain("RAN"); // a sandbox that does not start holds everything
    expect(succeeded(world, output), output).toBe(false);
  });

  const quickWork = honestWork.filter(({ isSlow }) => isSlow !== true);
  it.for(quickWork)("[K14] lets honest work be done: $name", async ({ command, expected, needs }, test) => {
    test.skip(needs !== undefined && spawnSync("which", [needs]).status !== 0, `${needs} is not installed`);
    expect(await run(command)).toMatch(expected);
  });

  it("[K14] keeps its own state, which the profile names, and nothing of the server's", async () => {
    expect(await run("ls ~/.acp-sessions | wc -l; ls -A ~/.patchbay")).toMatch(/^\d+: [1-9]/);
    expect(readdirSync(join(server.home, ".acp-sessions")).length).toBeGreaterThan(0);
    expect(await run("env")).not.toContain("CANARY of the server");
  });

  it("[K14] its home and /tmp go with it", async () => {
    await run("echo x > /tmp/x; echo y > ~/y");
    expect(existsSync("/tmp/x") || existsSync(join(server.home, "y"))).toBe(false);
    const scratch = join(server.home, ".patchbay/scratch");
    const own = readdirSync(scratch).filter((name) => name.startsWith(`${server.process.pid}-`));
    expect(own).toHaveLength(1);
    expect(readFileSync(join(scratch, String(own[0]), "home/y"), "utf8")).toBe("y\n");
    await server.call("POST", `/api/sessions/${String(viewer.session?.id)}/stop`);
    await expect.poll(() => existsSync(join(scratch, String(own[0])))).toBe(false);
  });
});
