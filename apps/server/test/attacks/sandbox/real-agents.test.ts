// Real agents, where they are installed, in the sandbox: each starts from where npm has put it, keeps its own files, answers,
// works in its directory, and sees nothing else of the home.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startFakeModel } from "@patchbay/testing/fake-model";
import { sandboxProblem, unless } from "@patchbay/testing/skips";
import { describe, expect, it } from "vitest";
import { turn } from "../../machine/dialects/recorded.ts";
import { openSession } from "../../support/actor.ts";
import { findAgent, startRealAgent } from "../../support/real-agents.ts";

const problem = await sandboxProblem();

describe.each(["pi", "omp", "opencode", "gemini"] as const)("%s in the sandbox", (name) => {
  const program = findAgent(name);
  const missing = program === undefined ? "the real agents are not installed (npm run agents)" : null;
  it("[K14] answers, works in its directory and sees nothing else", {
    ...unless(problem ?? missing),
    timeout: 180_000,
  }, async () => {
    await using model = await startFakeModel();
    await using server = await startRealAgent(name, program ?? "", model, { profile: { sandbox: "on" } });
    mkdirSync(join(server.home, ".ssh"));
    writeFileSync(join(server.home, ".ssh/id"), "CANARY-OF-SSH");
    const wish = name === "pi" || name === "omp" ? { model: "fake/fake-chat" } : {};
    await using viewer = await openSession(server, wish);
    expect(viewer.session, viewer.session?.reason).toMatchObject({ state: "idle", sandboxed: true });
    model.reply({ text: "Hello from inside." });
    await turn(viewer, "say hello");
    expect(JSON.stringify(viewer.transcript.messages)).toContain("Hello from inside.");
    if (name === "gemini") return; // it asks before it runs commands, in words that change with its version
    const command = `cat ${server.home}/.ssh/id ${server.home}/.patchbay/token; echo done > made.txt`;
    model.reply(
      { toolCalls: [{ name: "bash", args: { command, description: "looks", i: "looks" } }] },
      { text: "Over." },
    );
    await turn(viewer, "look around");
    expect(JSON.stringify(viewer.transcript.messages)).not.toMatch(/CANARY-OF-SSH/);
    expect(JSON.stringify(viewer.transcript.messages)).toContain("No such file or directory");
    expect(existsSync(join(server.cwd, "made.txt"))).toBe(true);
    expect(readFileSync(join(server.cwd, "made.txt"), "utf8")).toBe("done\n");
  });
});
