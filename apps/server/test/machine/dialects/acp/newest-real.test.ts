// What the newest real agents do beyond the conformance suite: what they report of their calls against what the fake model
// bills, a login with a key alone, a new file. Skipped with a reason where `npm run agents` has not installed them.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type FakeModel, startFakeModel } from "@patchbay/testing/fake-model";
import { processesMentioning } from "@patchbay/testing/processes";
import { unless } from "@patchbay/testing/skips";
import type { TestViewer } from "@patchbay/testing/socket-client";
import { waitUntil } from "@patchbay/testing/wait-until";
import { describe, expect, it } from "vitest";
import { allow } from "../../../conformance/watching.ts";
import { openSession } from "../../../support/actor.ts";
import { findAgent, startRealAgent } from "../../../support/real-agents.ts";
import { turn } from "./agent.ts";

const agents = ["claude", "codex", "opencode", "gemini"] as const;
type Agent = (typeof agents)[number];

const shells: Record<Agent, { name: string; args: object }> = {
  claude: { name: "Bash", args: { command: "echo one", description: "Prints" } },
  codex: { name: "exec_command", args: { cmd: "echo one" } },
  opencode: { name: "bash", args: { command: "echo one", description: "Prints" } },
  gemini: { name: "run_shell_command", args: { command: "echo one" } },
};

/** codex names its session after the first turn, in a call that it reports to nobody. */
const isTitle = (userText: string): boolean => userText.includes("short title");

/** The model calls the tool once, and then ends. */
function callsOnce(model: FakeModel, call: { name: string; args: object }): void {
  model.defaultReply = ({ toolResults, userText }) =>
    isTitle(userText)
      ? { text: '{"title":"The tool"}', usage: { input: 0, output: 0 } }
      : {
          ...(toolResults.length === 0 ? { toolCalls: [call] } : { text: ["Done."] }),
          usage: { input: 1_000, output: 100, cache_read: 500 },
        };
}

async function allowingTurn(viewer: TestViewer, message: string): Promise<string> {
  let isOver = false;
  const asked = viewer.until(() => isOver || (viewer.session?.pending.length ?? 0) > 0);
  const ended = turn(viewer, message).finally(() => {
    isOver = true;
  });
  await Promise.race([asked, ended]);
  if (!isOver) allow(viewer);
  return ended;
}

const here = (name: Agent) => ({
  ...unless(findAgent(name) === undefined ? "the real agents are not installed (npm run agents)" : null),
  timeout: 60_000,
});

describe("a real ACP agent", () => {
  describe.each(agents)("%s", (name) => {
    it("[I29] reports what the model bills, and the ledger has it with a price", here(name), async () => {
      await using model = await startFakeModel();
      await using server = await startRealAgent(name, findAgent(name) ?? "", model);
      await using viewer = await openSession(server);
      callsOnce(model, shells[name]);
      await allowingTurn(viewer, "Use the tool.");
      const {
        input,
        output,
        cache_read,
        cost_usd = 0,
        unpriced = 0,
        estimated,
      } = viewer.session?.usage ?? {};
      expect(unpriced).toBe(0);
      expect(cost_usd).toBeGreaterThan(0);
      const tokens = { input, output, cache_read };
      const billed = model.billed();
      // [I40] claude would have its model suggest the next prompt.
      expect(model.requests.filter(({ userText }) => userText.includes("suggestion"))).toEqual([]);
      if (name === "claude" || name === "codex") expect(billed).toMatchObject(tokens);
      // opencode has the cost of both calls and the tokens of the last.
      if (name === "opencode") expect(tokens).toEqual({ input: 1_000, output: 100, cache_read: 500 });
      if (name === "gemini") {
        expect(tokens).toEqual({
          input: billed.input + billed.cache_read,
          output: billed.output,
          cache_read: 0,
        });
        expect(estimated).toBe(1);
      }
    });
  });

  it("[I31] gemini writes a file that is new", here("gemini"), async () => {
    await using model = await startFakeModel();
    await using server = await startRealAgent("gemini", findAgent("gemini") ?? "", model);
    await using viewer = await openSession(server);
    const path = join(String(viewer.session?.cwd), "deep/new.txt");
    callsOnce(model, { name: "write_file", args: { file_path: path, content: "made here" } });
    await allowingTurn(viewer, "Write it.");
    expect(readFileSync(path, "utf8")).toBe("made here");
  });

  it(
    "[I32] codex logs in with the key of the environment, and without one says what to do",
    here("codex"),
    async () => {
      await using model = await startFakeModel();
      const openAi = `model = "gpt-5.1-codex"
model_provider = "fake"
[model_providers.fake]
name = "Fake"
base_url = "${model.baseUrl}/openai/v1"
requires_openai_auth = true
wire_api = "responses"
`;
      for (const hasKey of [true, false]) {
        const profile = hasKey ? {} : { env: [] };
        await using server = await startRealAgent("codex", findAgent("codex") ?? "", model, { profile });
        writeFileSync(join(server.home, ".codex/config.toml"), openAi);
        await using viewer = await openSession(server);
        model.reply({ text: "Hello." });
        if (hasKey) expect(await turn(viewer, "Say hello.")).toBe("Hello.");
        else
          expect(await viewer.ask({ type: "prompt", message: "Say hello." })).toMatchObject({
            success: false,
            error:
              'The agent needs a login. Run "codex login" in a terminal, or set CODEX_API_KEY or OPENAI_API_KEY.',
          });
      }
    },
  );

  it("[I32] gemini logs in with the key of the environment", here("gemini"), async () => {
    await using model = await startFakeModel();
    await using server = await startRealAgent("gemini", findAgent("gemini") ?? "", model);
    rmSync(join(server.home, ".gemini/settings.json"));
    await using viewer = await openSession(server);
    model.defaultReply = () => ({ text: "Hello." });
    expect(await turn(viewer, "Say hello.")).toContain("Hello.");
  });

  it(
    "[I39] codex ends a command with the turn that is stopped, and remembers the conversation",
    here("codex"),
    async () => {
      await using model = await startFakeModel();
      await using server = await startRealAgent("codex", findAgent("codex") ?? "", model);
      await using viewer = await openSession(server);
      const command = `sleep ${800_000 + process.pid}`;
      model.defaultReply = ({ userText, toolResults }) =>
        userText.includes("Use the tool") && !isTitle(userText) && toolResults.length === 0
          ? { toolCalls: [{ name: "exec_command", args: { cmd: command } }] }
          : { text: "Noted." };
      await turn(viewer, "The word is heron.");
      viewer.send({ type: "prompt", message: "Use the tool." });
      await viewer.until(() => viewer.frames.some((frame) => frame.includes('"type":"tool_call"')));
      if (viewer.session?.state === "waiting") allow(viewer);
      await waitUntil(() => processesMentioning(command).length > 0);
      expect(await viewer.ask({ type: "abort" })).toMatchObject({ success: true });
      await viewer.until(() => viewer.session?.state === "idle");
      await waitUntil(() => processesMentioning(command).length === 0);
      await turn(viewer, "Which word?");
      const asked = model.requests.find(
        ({ userText }) => userText.includes("Which word?") && !isTitle(userText),
      );
      const body = JSON.stringify(asked?.body);
      expect(body).toContain("The word is heron.");
      expect(body).toContain("Use the tool.");
    },
  );

  describe.each(["claude", "codex"] as const)("%s", (name) => {
    it("[I35] takes a message into the running turn", here(name), async () => {
      await using model = await startFakeModel();
      await using server = await startRealAgent(name, findAgent(name) ?? "", model);
      await using viewer = await openSession(server);
      const ofTurn = () => model.requests.filter(({ userText }) => !isTitle(userText));
      const command = name === "codex" ? { cmd: "sleep 3" } : { command: "sleep 3", description: "Waits" };
      model.defaultReply = ({ toolResults, userText }) =>
        isTitle(userText)
          ? { text: '{"title":"The tool"}' }
          : userText.includes("left")
            ? { text: "I look left." }
            : toolResults.length === 0
              ? { toolCalls: [{ name: shells[name].name, args: command }] }
              : { text: "Done." };
      viewer.send({ type: "prompt", message: "Use the tool." });
      await viewer.until(() => viewer.frames.some((frame) => frame.includes('"type":"tool_call"')));
      if (viewer.session?.state === "waiting") allow(viewer);
      expect(await viewer.ask({ type: "steer", message: "Look left." })).toMatchObject({ success: true });
      await viewer.until(() => viewer.transcript.marks.some(({ kind }) => kind === "turn"));
      expect(JSON.stringify(ofTurn().at(-1)?.body)).toContain("Look left.");
      expect(JSON.stringify(viewer.transcript.messages.at(-1))).toContain("I look left.");
    });
  });
});
