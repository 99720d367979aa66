// A sandboxed agent that chooses the environment of its terminals: whatever it sets has an effect inside only. Before, the
// program that makes the sandbox was looked up in the agent's PATH, and loaded the agent's libraries.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fixtureWorker, type RunningServer, startServer } from "@patchbay/testing/server-process";
import { sandboxProblem, unless } from "@patchbay/testing/skips";
import type { TestViewer } from "@patchbay/testing/socket-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { turn } from "../../machine/dialects/acp/agent.ts";
import { openSession } from "../../support/actor.ts";

const problem = await sandboxProblem();

/** Programs and a library in the session's directory that try to leave a mark in the person's home. */
function plant(project: string, escaped: string): string {
  const evil = join(project, "evil");
  mkdirSync(evil);
  for (const name of ["bwrap", "sh", "bash", "env", "ls"]) {
    const script = `#!/bin/sh\n/usr/bin/touch ${escaped} ${project}/ran-${name}\nexec /bin/${name} "$@"\n`;
    writeFileSync(join(evil, name), script, { mode: 0o755 });
  }
  const source = `#include <stdio.h>\n__attribute__((constructor)) static void f(void) { fopen("${escaped}", "w"); fopen("${project}/ran-library", "w"); }\n`;
  writeFileSync(join(evil, "evil.c"), source);
  execFileSync("gcc", ["-shared", "-fPIC", "-o", "evil.so", "evil.c"], { cwd: evil });
  writeFileSync(join(evil, "evil.sh"), `/usr/bin/touch ${escaped} ${project}/ran-script\n`);
  return evil;
}

describe.each([
  { sandbox: "on", leaves: false },
  { sandbox: "off", leaves: true },
])("terminals of an agent whose sandbox is $sandbox", ({ sandbox, leaves }) => {
  const here = unless(leaves ? null : problem);
  let server: RunningServer;
  let viewer: TestViewer;
  let evil = "";
  const escaped = (): string => join(server.home, "escaped");
  beforeAll(async () => {
    const agent = { dialect: "acp", command: fixtureWorker("acp-agent"), sandbox };
    server = await startServer({
      config: { default_worker: "agent", workers: { agent: { ...agent, writable: ["~/.acp-sessions"] } } },
    });
    viewer = await openSession(server);
    evil = plant(server.cwd, escaped());
  });
  afterAll(async () => {
    await viewer.close();
    await server[Symbol.asyncDispose]();
  });

  const tricks = [
    {
      name: "a PATH that begins in its directory",
      env: () => ({ PATH: `${evil}:/usr/bin:/bin` }),
      mark: "ran-ls",
    },
    {
      name: "a library to be loaded",
      env: () => ({ LD_PRELOAD: join(evil, "evil.so") }),
      mark: "ran-library",
    },
    { name: "a script for every bash", env: () => ({ BASH_ENV: join(evil, "evil.sh") }), mark: "ran-script" },
  ];
  it.each(tricks)(
    `[K17] ${leaves ? "without a sandbox, the agent leaves its directory by" : "stays inside with"} $name`,
    here,
    async ({ env, mark }) => {
      // A bare name is looked up in the agent's own PATH: that is what it chose, where it chose it.
      const wish = {
        command: mark === "ran-ls" ? "ls" : "bash",
        args: mark === "ran-ls" ? [] : ["-c", "true"],
        env: env(),
      };
      expect(await turn(viewer, `program ${JSON.stringify(wish)}`)).toMatch(/^0: /);
      expect(existsSync(join(server.cwd, mark))).toBe(true);
      expect(existsSync(join(server.cwd, "ran-bwrap"))).toBe(false);
      expect(existsSync(escaped())).toBe(leaves);
    },
  );

  it("[K17] has the variables that the agent set, and no key of its", here, async () => {
    const wish = { command: "/usr/bin/env", env: { CHOSEN: "by the agent" } };
    const output = await turn(viewer, `program ${JSON.stringify(wish)}`);
    expect(output).toContain("CHOSEN=by the agent");
    expect(output).not.toContain("ZOTCORE_RPC_TOKEN");
  });

  if (leaves) return; // nothing makes a sandbox here
  it("[K17] the process that makes the sandbox holds nothing of the agent's", here, async () => {
    const wish = { command: "sleep", args: ["1000"], env: { CHOSEN: "only-inside" } };
    void viewer.ask({ type: "prompt", message: `program ${JSON.stringify(wish)}` });
    const outer = (): string[] =>
      execFileSync("/bin/sh", ["-c", "pgrep -f 'bwrap --args 3 -- sleep 1000' || true"], {
        encoding: "utf8",
      })
        .trim()
        .split("\n")
        .filter((pid) => pid !== "" && readLink(pid).endsWith("/bwrap"));
    await expect.poll(() => outer().length).toBeGreaterThan(0);
    for (const pid of outer()) {
      expect(readFileSync(`/proc/${pid}/cmdline`, "latin1")).not.toContain("only-inside");
    }
    await viewer.ask({ type: "abort" });
    await server.call("POST", `/api/sessions/${String(viewer.session?.id)}/stop`);
    await expect.poll(() => outer().length).toBe(0);
  });
});

function readLink(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/exe`);
  } catch {
    return ""; // it has ended meanwhile
  }
}
