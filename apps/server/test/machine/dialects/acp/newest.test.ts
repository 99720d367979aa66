// What the newest ACP agents do beyond text and tools, acted out by the fixture agent: a login by key, options, steering, and
// texts that are no answers.
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { processesMentioning } from "@patchbay/testing/processes";
import { type RunningServer, startServer } from "@patchbay/testing/server-process";
import type { TestViewer } from "@patchbay/testing/socket-client";
import { waitUntil } from "@patchbay/testing/wait-until";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ResentText } from "../../../../src/machine/dialects/acp/turn/resent-text.ts";
import { openSession } from "../../../support/actor.ts";
import { acpAgent, frames, textOf, turn } from "./agent.ts";

/** The agent under the name of codex's program, in a place of its own. */
function codexElsewhere(): string {
  const path = join(mkdtempSync(join(tmpdir(), "patchbay-test-")), "codex-acp");
  writeFileSync(path, `#!/bin/sh\nexec ${acpAgent().command.join(" ")}\n`, { mode: 0o755 });
  return path;
}

describe("the newest ACP agents", () => {
  let server: RunningServer;
  beforeAll(async () => {
    const locked = { ...acpAgent("locked"), env: ["OPENAI_API_KEY"] };
    server = await startServer({
      env: { OPENAI_API_KEY: "sk-fake" },
      config: {
        default_worker: "options",
        workers: {
          options: acpAgent("options"),
          agent: acpAgent(),
          steers: acpAgent("steers"),
          locked,
          keyless: acpAgent("locked"),
          refusing: { ...locked, command: ["/usr/bin/env", "OPENAI_API_KEY=wrong", ...locked.command] },
          // With the names of known agents they have the traits of those.
          gemini: acpAgent(),
          claude: acpAgent(),
          codex: { ...acpAgent("locked"), env: [] },
          goose: acpAgent(),
          elsewhere: { ...acpAgent(), command: [codexElsewhere()] },
        },
      },
    });
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const stop = async (viewer: TestViewer): Promise<void> => {
    await server.call("POST", `/api/sessions/${String(viewer.session?.id)}/stop`);
    await viewer.state("stopped");
  };
  const settings = (viewer: TestViewer) => viewer.transcript.surface.settings;
  const results = (viewer: TestViewer): string[] =>
    viewer.transcript.messages.flatMap(({ content }) =>
      content.flatMap((block) =>
        block.type === "tool_result"
          ? block.content.map((part) => (part.type === "text" ? part.text : ""))
          : [],
      ),
    );

  it("[I31] gemini reads files itself, others through the server; all write through it", async () => {
    await using gemini = await openSession(server, { worker: "gemini" });
    expect(JSON.parse(await turn(gemini, "can")).fs).toEqual({ readTextFile: false, writeTextFile: true });
    await using viewer = await openSession(server, { worker: "agent" });
    expect(JSON.parse(await turn(viewer, "can")).fs).toEqual({ readTextFile: true, writeTextFile: true });
  });

  it("[I32] an agent that wants a login gets it with a key that the worker has", async () => {
    await using viewer = await openSession(server, { worker: "locked" });
    expect(await turn(viewer, "say in")).toBe("in");
    await stop(viewer);
    expect(await turn(viewer, "say in again")).toBe("in again");
  });

  it("[I32] without such a key, or with one that is refused, a sentence says what to do", async () => {
    const refusal = async (worker: string) => {
      await using viewer = await openSession(server, { worker });
      return (await viewer.ask({ type: "prompt", message: "say in" })).error;
    };
    expect(await refusal("keyless")).toBe(
      "The agent needs a login. Run it once in a terminal (An API key) to log in, or set OPENAI_API_KEY.",
    );
    expect(await refusal("codex")).toContain('Run "codex login" in a terminal, or set');
    expect(await refusal("refusing")).toBe(
      "The agent could not log in with OPENAI_API_KEY: Internal error: 401 wrong key",
    );
  });

  it("[I33] how long the model thinks can be chosen among the agent's own levels, also after a restart and a clear", async () => {
    await using viewer = await openSession(server);
    await turn(viewer, "say something");
    await viewer.until(() => viewer.session?.capabilities.includes("thinking_levels") === true);
    expect(settings(viewer)).toMatchObject({
      thinking_level: "default",
      thinking_levels: ["off", "low", "high"],
    });
    expect(await viewer.ask({ type: "set_thinking_level", level: "off" })).toMatchObject({ success: true });
    expect(settings(viewer)?.thinking_level).toBe("off");
    expect(await turn(viewer, "chosen")).toBe("none build");
    await viewer.ask({ type: "cycle_thinking_level" });
    expect(settings(viewer)?.thinking_level).toBe("low");
    await stop(viewer);
    expect(await turn(viewer, "chosen")).toBe("low build");
    await viewer.ask({ type: "clear" });
    expect(await turn(viewer, "chosen")).toBe("low build");
    expect(await viewer.ask({ type: "set_thinking_level", level: "max" })).toMatchObject({
      success: false,
      error: 'This agent has no level "max". It has: off, low, high.',
    });
  });

  it("[I33] an agent without such an option does not claim it", async () => {
    await using viewer = await openSession(server, { worker: "agent" });
    await turn(viewer, "say something");
    expect(viewer.session?.capabilities).not.toContain("thinking_levels");
    expect(await viewer.ask({ type: "set_thinking_level", level: "low" })).toMatchObject({ success: false });
  });

  it("[I34] [I9] modes can be chosen where the agent has them, among its options or apart, also after a restart", async () => {
    await using viewer = await openSession(server);
    await turn(viewer, "say something");
    expect(settings(viewer)).toMatchObject({
      agent_mode: "build",
      agent_modes: [
        { id: "build", name: "The build" },
        { id: "plan", name: "The plan" },
      ],
    });
    await viewer.ask({ type: "run_command", name: "mode", args: "plan" });
    expect(settings(viewer)?.agent_mode).toBe("plan");
    expect(await turn(viewer, "chosen")).toBe("default plan");
    await stop(viewer);
    expect(await turn(viewer, "chosen")).toBe("default plan");
    await using apart = await openSession(server, { worker: "agent" });
    await turn(apart, "say something");
    await apart.ask({ type: "run_command", name: "mode", args: "code" });
    expect(settings(apart)).toMatchObject({
      agent_mode: "code",
      agent_modes: [{ id: "ask" }, { id: "code" }],
    });
  });

  it.each(["", " tool"])(
    "[I35] a message joins the running turn%s of an agent that takes it",
    async (how) => {
      await using viewer = await openSession(server, { worker: "steers" });
      expect(viewer.session?.capabilities).toContain("steer");
      viewer.send({ type: "prompt", message: `steerable${how}` });
      await viewer.until(() =>
        frames(viewer).some(({ type }) => type === (how === "" ? "text_delta" : "tool_call")),
      );
      expect(await viewer.ask({ type: "steer", message: "Look left." })).toMatchObject({ success: true });
      await viewer.until(() => viewer.transcript.marks.some(({ kind }) => kind === "turn"));
      expect(textOf(viewer.transcript.messages.at(-1))).toBe("I heard: Look left.");
      const steering = viewer.transcript.messages.filter((message) => message.steering === true);
      expect(steering.map(textOf)).toEqual(["Look left."]);
      const roles = viewer.transcript.messages.map(({ role }) => role).filter((role) => role !== "tool");
      expect(roles).toEqual(["user", "assistant", "user", "assistant"]);
    },
  );

  it("[I35] an agent that does not take it does not claim it", async () => {
    await using viewer = await openSession(server, { worker: "agent" });
    await turn(viewer, "say something");
    expect(viewer.session?.capabilities).not.toContain("steer");
  });

  it("[I36] claude's fences and descriptions around the output of tools are removed, and no others", async () => {
    await using viewer = await openSession(server, { worker: "claude" });
    await turn(viewer, "fenced ```console\none\ntwo\n```");
    await turn(viewer, "fenced ````\n```js\nx\n```\n````");
    await turn(viewer, "fenced ```js\nx\n```\nand\n```js\ny\n```");
    await turn(viewer, "fenced Before\n```\nx\n```");
    expect(results(viewer)).toEqual([
      "one\ntwo",
      "```js\nx\n```",
      "```js\nx\n```\nand\n```js\ny\n```",
      "Before\n```\nx\n```",
    ]);
    await using other = await openSession(server, { worker: "agent" });
    await turn(other, "fenced ```console\none\n```");
    expect(results(other)).toEqual(["```console\none\n```"]);
  });

  it("[I37] an answer that is sent again after a cut is shown once", async () => {
    await using viewer = await openSession(server, { worker: "agent" });
    await turn(viewer, "resends Here is what I found so|Here is what I found so far: nothing.");
    const [, answer] = viewer.transcript.messages;
    expect(answer?.content).toEqual([
      { type: "thinking", text: "I think about it." },
      { type: "text", text: "Here is what I found so far: nothing." },
    ]);
    await turn(viewer, "resends Here is what I found so|Here is something else.");
    expect(textOf(viewer.transcript.messages.at(-1))).toContain(
      "Here is what I found soI think about it.Here is something",
    );
  });

  it("[I37] what only begins alike, or comes without a pause, is shown", () => {
    let now = 0;
    const play = (...steps: (string | number)[]): string => {
      const resent = new ResentText(() => now);
      let shown = "";
      now += 10_000;
      for (const step of steps) {
        if (typeof step === "number") now += step;
        else for (const { text } of resent.take({ type: "text", text: step })) shown += text;
      }
      for (const { text } of resent.flush()) shown += text;
      return shown;
    };
    const line = "A line of some length.";
    expect(play(line, line, line)).toBe(line.repeat(3));
    expect(play(line, 400, line)).toBe(line);
    expect(play(line, 400, "A line of", " some length. And more.")).toBe(`${line} And more.`);
    expect(play(line, 400, "A line of", " another length.")).toBe(`${line}A line of another length.`);
    expect(play(line, 400, "A line of")).toBe(`${line}A line of`);
    expect(play("No. ", 400, "No. ")).toBe("No. No. ");
    expect(play("x".repeat(70_000), 400, "x".repeat(70_000))).toHaveLength(140_000);
  });

  it("[I38] an error that an agent writes as its answer ends the turn as failed; a warning is a notice", async () => {
    await using viewer = await openSession(server, { worker: "goose" });
    const error =
      "Ran into this error: Server error: 500.\n\nPlease retry if you think this is a transient or recoverable error.";
    await turn(viewer, `pieces ${JSON.stringify(["I begin. ", error])}`);
    expect(viewer.transcript.marks.at(-1)).toMatchObject({ kind: "turn", stop: "error", error });
    expect(textOf(viewer.transcript.messages.at(-1))).toBe("I begin. ");
    await turn(viewer, `pieces ${JSON.stringify([error, "It went on."])}`);
    expect(viewer.transcript.marks.at(-1)).toMatchObject({ stop: "end" });
    expect(textOf(viewer.transcript.messages.at(-1))).toBe(`${error}It went on.`);
    await using codex = await openSession(server, { worker: "elsewhere" });
    const warning = "Warning: Model metadata not found.\n\n";
    expect(await turn(codex, `pieces ${JSON.stringify([warning, "Hello. ", "Warning: ", "hot."])}`)).toBe(
      "Hello. Warning: hot.",
    );
    expect(codex.transcript.marks.find(({ kind }) => kind === "notice")).toMatchObject({
      text: "Warning: Model metadata not found.",
    });
  });

  it("[I39] a command that the agent keeps after a stop ends with its session, which goes on with its memory", async () => {
    const workers = { codex: acpAgent("options", "closes") };
    await using closing = await startServer({ config: { default_worker: "codex", workers } });
    await using viewer = await openSession(closing);
    await turn(viewer, "say hello");
    expect(await viewer.ask({ type: "set_thinking_level", level: "high" })).toMatchObject({ success: true });
    const command = `sleep ${700_000 + process.pid}`;
    viewer.send({ type: "prompt", message: `keeps ${command}` });
    await viewer.until(() => viewer.frames.some((frame) => frame.includes('"type":"tool_call"')));
    await waitUntil(() => processesMentioning(command).length > 0);
    expect(await viewer.ask({ type: "abort" })).toMatchObject({ success: true });
    await viewer.until(() => viewer.session?.state === "idle" && viewer.session.last_turn === "stopped");
    await waitUntil(() => processesMentioning(command).length === 0);
    expect(await turn(viewer, "recall")).toContain("say hello");
    expect(await turn(viewer, "chosen")).toBe("high build");
  });
});
