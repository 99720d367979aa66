// The real pi and omp against the fake model, where `npm run agents` has installed them: the same turns as recorded.
import { existsSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { messageText } from "@patchbay/protocol";
import { type FakeModel, startFakeModel } from "@patchbay/testing/fake-model";
import { type RunningServer, repository, startServer } from "@patchbay/testing/server-process";
import { describe, expect, it } from "vitest";
import { openSession } from "./actor.ts";
import { grammar, turn, turns } from "./recorded.ts";

const programs = join(repository, ".cache/agents/node_modules/.bin");
const installed = (name: string): boolean => {
  const is = existsSync(join(programs, name));
  if (!is)
    process.stderr.write(
      `${name} is not installed: "npm run agents ${name}" does it. Its tests are skipped.\n`,
    );
  return is;
};

/** A home in which the program knows the fake model, and no other. */
function homeFor(name: "pi" | "omp", model: FakeModel): string {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "patchbay-test-")));
  const agent = join(home, `.${name}/agent`);
  mkdirSync(agent, { recursive: true });
  const provider = {
    baseUrl: `${model.baseUrl}/compatible/v1`,
    api: "openai-completions",
    apiKey: "sk-fake",
    compat: { supportsDeveloperRole: false, supportsReasoningEffort: false, supportsStore: false },
    models: [
      {
        id: "fake-chat",
        name: "Fake",
        reasoning: false,
        input: ["text"],
        contextWindow: 128_000,
        maxTokens: 16_384,
        cost: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
      },
    ],
  };
  const models = JSON.stringify({ providers: { fake: provider } }); // JSON is YAML, too
  writeFileSync(join(agent, name === "pi" ? "models.json" : "models.yml"), models);
  if (name === "omp") writeFileSync(join(agent, "config.yml"), "modelRoles: {default: fake/fake-chat}\n");
  return home;
}

function start(name: "pi" | "omp", model: FakeModel): Promise<RunningServer> {
  const bun = join(programs, "bun");
  const command = [join(programs, name), "--mode", name === "pi" ? "rpc" : "rpc-ui"];
  return startServer({
    home: homeFor(name, model),
    config: {
      default_worker: name,
      workers: { [name]: { command: name === "pi" ? command : [bun, ...command], env: ["PI_OFFLINE"] } },
      limits: { worker_start_ms: 90_000, worker_pool: 0 },
    },
    env: { PI_OFFLINE: "1", PATH: `${programs}:${process.env["PATH"] ?? ""}` },
  });
}

/** 16 KiB that repeat nothing: omp stops a model that does. */
const noise = (seed: number): string =>
  Array.from({ length: 1_600 }, (_, at) =>
    Math.abs(Math.sin(seed * 1_600 + at + 1))
      .toString(36)
      .slice(2, 11),
  ).join(" ");

// One test for each program: starting one takes up to ten seconds on a busy machine.
describe.each(["pi", "omp"] as const)("%s itself", (name) => {
  it.skipIf(!installed(name))(
    "[O1] [O2] [O3] [O4] [O5] [O15] [O16] [O17] [O19] answers, runs tools, is steered, stopped and taken back, and goes on",
    async () => {
      await using model = await startFakeModel();
      await using server = await start(name, model);
      await using viewer = await openSession(server, { model: "fake/fake-chat" });
      expect(viewer.session).toMatchObject({ state: "idle", provider: "fake", model: "fake-chat" });

      model.reply({ text: ["Hel", "lo ", "\u2028😀"], usage: { input: 1000, output: 100 } });
      await turn(viewer, "say hello");
      expect(viewer.transcript.messages.map(messageText)).toEqual(["say hello", "Hello \u2028😀"]);
      expect(viewer.transcript.usage).toMatchObject({ input: 1000, output: 100, cost_usd: 0.0045 });

      const calls = ["echo one", "echo two"].map((command) => ({ name: "bash", args: { command } }));
      model.reply({ toolCalls: calls }, { text: "Both ran." });
      await turn(viewer, "run both");
      const results = viewer.transcript.messages.find(({ role }) => role === "tool");
      expect(JSON.stringify(results)).toMatch(/one\\n.*two\\n/);

      model.reply({ text: ["a", "b", "c"], hangAfterChunks: 2 });
      await viewer.ask({ type: "prompt", message: "hang" });
      await viewer.until(
        () => grammar(viewer).lastIndexOf("text_delta") > grammar(viewer).lastIndexOf("done"),
      );
      await viewer.ask({ type: "abort" });
      await viewer.until(() => turns(viewer).length === 3);
      expect(turns(viewer)[2]).toMatchObject({ stop: "aborted", error: null });

      model.reply({ toolCalls: [{ name: "bash", args: { command: "sleep 60" } }] });
      await viewer.ask({ type: "prompt", message: "sleep" });
      await viewer.until(
        () => grammar(viewer).at(-1) === "turn_end" || grammar(viewer).at(-1) === "tool_progress",
      );
      await viewer.ask({ type: "abort" });
      await viewer.until(() => turns(viewer).length === 4);
      expect(turns(viewer)[3]).toMatchObject({ stop: "aborted" });

      model.reply({ status: 401 });
      await turn(viewer, "no key");
      expect(turns(viewer)[4]).toMatchObject({ stop: "error", error: expect.stringContaining("401") });

      model.reply({ toolCalls: [{ name: "bash", args: { command: "sleep 1" } }] }, { text: "Turned left." });
      await viewer.ask({ type: "prompt", message: "go on" });
      await viewer.until(
        () => grammar(viewer).at(-1) === "turn_end" || grammar(viewer).at(-1) === "tool_progress",
      );
      await viewer.ask({ type: "steer", message: "turn left" });
      await viewer.until(() => viewer.transcript.messages.map(messageText).includes("Turned left."));
      expect(viewer.transcript.messages.map(messageText)).toContain("turn left");
      await viewer.state("idle");

      const shell = await viewer.ask({ type: "bash", command: "echo from the shell" });
      expect(shell.data).toMatchObject({ output: "from the shell\n", exit_code: 0 });

      const before = viewer.transcript.messages.map(messageText);
      const second = viewer.transcript.messages.find((message) => messageText(message) === "run both");
      const back = await viewer.ask({ type: "branch", entryId: second?.entry_id });
      expect(back).toMatchObject({ success: true, data: { text: "run both" } });
      expect(viewer.transcript.messages).toHaveLength(2);
      model.reply({ text: "Another way." });
      await turn(viewer, "instead");
      expect(JSON.stringify(model.requests.at(-1)?.body)).not.toContain("run both");
      expect(viewer.transcript.messages.map(messageText).slice(2)).toEqual(["instead", "Another way."]);
      const walked = await viewer.ask({ type: "switch_branch", branch: "main" });
      expect(walked).toMatchObject({ success: true });
      expect(viewer.transcript.messages.map(messageText)).toEqual(before);

      const pieces = Array.from({ length: 64 }, (_, index) => noise(index));
      model.reply({ text: pieces, usage: { input: 100, output: 100 } });
      const seen = viewer.frames.length;
      await turn(viewer, "a megabyte");
      expect(viewer.transcript.messages.map(messageText).at(-1)).toBe(pieces.join(""));
      const bytes = viewer.frames.slice(seen).reduce((sum, frame) => sum + frame.length, 0);
      expect(bytes).toBeLessThan(1.3 * pieces.join("").length);
    },
    180_000,
  );
});
