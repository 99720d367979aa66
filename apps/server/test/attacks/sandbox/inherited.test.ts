// A server that was started with a directory open, as shells and supervisors do by mistake: no worker and no command gets it.
import { readlinkSync } from "node:fs";
import { findSandbox } from "@patchbay/sandbox";
import { fixtureWorker, startServer } from "@patchbay/testing/server-process";
import { expect, it } from "vitest";
import { turn } from "../../machine/dialects/acp/agent.ts";
import { openSession } from "../../support/actor.ts";

const { works } = await findSandbox(process.env["PATH"] ?? "");

it("[K21] what the server inherited is open in no worker and in no sandbox: a directory would be a way out", async () => {
  const agent = { dialect: "acp", command: fixtureWorker("acp-agent") };
  await using server = await startServer({
    config: {
      default_worker: "free",
      workers: {
        free: agent,
        ...(works ? { held: { ...agent, sandbox: "on", writable: ["~/.acp-sessions"] } } : {}),
      },
    },
    // Beyond what Node itself looks at (it stops at the first number that is free).
    wrapper: ["/bin/bash", "-c", 'exec 77</ ; exec "$@"', "bash"],
  });
  const isOpen = (): boolean => {
    try {
      return readlinkSync(`/proc/${server.process.pid}/fd/77`) === "/";
    } catch {
      return false;
    }
  };
  expect(isOpen()).toBe(false);
  for (const worker of works ? ["free", "held"] : ["free"]) {
    await using viewer = await openSession(server, { worker });
    for (const way of ["own", "terminal"])
      expect(
        await turn(viewer, `${way} ls -l /proc/self/fd/ | grep -c ' 77 ->' ; ls /proc/self/fd/77/usr`),
      ).toMatch(/^\d+: 0\n/);
  }
});
