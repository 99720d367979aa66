// Foreign workers in bubblewrap: what they can change, what they cannot see, and what is said when it is missing.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fixtureWorker, startServer } from "@patchbay/testing/server-process";
import { sandboxProblem, unless } from "@patchbay/testing/skips";
import type { TestViewer } from "@patchbay/testing/socket-client";
import { describe, expect, it } from "vitest";
import { openSession } from "../../support/actor.ts";
import { turn } from "../dialects/recorded.ts";

const problem = await sandboxProblem();

/** A shell command in a terminal of the agent's: it is where the agent is. */
const run = async (viewer: TestViewer, command: string): Promise<string> => {
  await turn(viewer, `terminal ${command}`);
  return JSON.stringify(viewer.transcript.messages.at(-1)?.content);
};

describe("the sandbox of foreign workers", () => {
  it(
    "[K14] changes the session's directory and the agent's own, sees nothing of the server, and nothing outlives it",
    unless(problem),
    async () => {
      const home = realpathSync(mkdtempSync(join(tmpdir(), "patchbay-test-")));
      const agent = { dialect: "acp", command: fixtureWorker("acp-agent"), sandbox: "on" };
      await using server = await startServer({
        home,
        config: { default_worker: "agent", workers: { agent: { ...agent, writable: ["~/.acp-sessions"] } } },
      });
      await using viewer = await openSession(server);
      expect(viewer.session).toMatchObject({ state: "idle", provider: "fixture" });
      await turn(viewer, "say kept"); // the agent itself writes to its own directory
      expect(existsSync(join(home, ".acp-sessions"))).toBe(true);
      expect(await run(viewer, "echo in > here.txt; cat here.txt")).toContain("0: in");
      expect(readFileSync(join(server.cwd, "here.txt"), "utf8")).toBe("in\n");
      expect(await run(viewer, "echo out > /usr/patchbay-out.txt")).toMatch(/[1-9]: .*cannot create/);
      expect(existsSync("/usr/patchbay-out.txt")).toBe(false);
      expect(await run(viewer, `ls -A ${home}/.patchbay`)).toContain("No such file or directory");
      expect(await run(viewer, "echo own > /tmp/own.txt && ls /tmp/own.txt")).toContain("0: /tmp/own.txt");
      expect(existsSync("/tmp/own.txt")).toBe(false);
      const id = String(viewer.session?.id);
      await server.call("POST", `/api/sessions/${id}/stop`);
      await viewer.state("stopped");
      await turn(viewer, "recall");
      expect(JSON.stringify(viewer.transcript.messages.at(-1))).toContain("say kept");
    },
  );

  it("[K15] without bubblewrap the worker is listed with how to install it, and is not started unconfined", async () => {
    const home = realpathSync(mkdtempSync(join(tmpdir(), "patchbay-test-")));
    mkdirSync(join(home, "bin"));
    const program = join(home, "bin/agent");
    writeFileSync(program, "#!/bin/sh\n");
    chmodSync(program, 0o755);
    await using server = await startServer({
      home,
      config: { workers: { mine: { dialect: "acp", command: [program], sandbox: "on" } } },
      env: { PATH: join(home, "bin") },
    });
    const { body } = await server.call("GET", "/api/workers");
    const { workers } = body as { workers: { name: string; available: boolean; reason?: string }[] };
    const mine = workers.find(({ name }) => name === "mine");
    expect(mine).toMatchObject({
      available: false,
      reason: expect.stringContaining("apt install bubblewrap"),
    });
    const { status } = await server.call("POST", "/api/sessions", { worker: "mine" });
    expect(status).toBe(400);
  });
});
