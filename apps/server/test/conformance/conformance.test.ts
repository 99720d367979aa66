// One suite for every worker: each scenario with each peer. What a peer cannot do is in its table, and then its sessions
// must not claim it.
import { promptFor } from "@patchbay/testing/scene";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { endSessions, turn } from "../machine/dialects/recorded.ts";
import { attach, createSession, openSession } from "../support/actor.ts";
import { openStage, peerNames, type Stage } from "./peers.ts";
import { playScenario, scenarioNames, scenarios } from "./scenarios.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterEach(() => endSessions(stage.server));
afterAll(() => stage[Symbol.asyncDispose]());

it("[O401] [O403] [U400] zot takes a model in any form, has no slash commands, and a call is charged to the model that it began with", async () => {
  const { server } = stage;
  await using viewer = await openSession(server, { worker: "zot" });
  expect(viewer.session?.capabilities).not.toContain("commands");
  await viewer.ask({ type: "prompt", message: promptFor([{ say: ["One "] }, { wait: true }]) });
  await viewer.until(() => viewer.frames.some((frame) => frame.includes("text_delta")));
  const other = { type: "set_model", provider: "anthropic", modelId: "claude-opus-4-5" };
  expect(await viewer.ask(other)).toMatchObject({ success: true });
  expect(viewer.session?.model).toBe("claude-opus-4-5");
  await viewer.ask({ type: "abort" });
  await viewer.state("idle");
  await turn(viewer, promptFor([{ say: ["Two."] }]));
  await viewer.state("idle");
  const unknown = await viewer.ask({ type: "set_model", model: "claude-nope" });
  expect(unknown).toMatchObject({ success: false, error: expect.stringContaining("unknown model") });
  const { body } = await server.call("GET", `/api/usage?group_by=model&session=${viewer.session?.id}`);
  const { rows } = body as { rows: { model: string; calls: number }[] };
  expect(rows.map(({ model, calls }) => `${model}: ${calls}`).toSorted()).toEqual([
    "claude-opus-4-5: 1",
    "claude-sonnet-4-5: 1",
  ]);
});

it("[O402] a session with a model that zot would replace without a word does not start", async () => {
  const id = await createSession(stage.server, { worker: "zot", model: "anthropic/claude-nope" });
  await using viewer = await attach(stage.server, id);
  await viewer.state("failed");
  expect(JSON.stringify(viewer.transcript.marks)).toContain("zot does not have the model");
});

describe.each(peerNames)("%s", (name) => {
  it.for(scenarioNames.map((scenario) => [scenarios[scenario].does, scenario] as const))(
    "%s",
    async ([_does, scenario], { skip }) => {
      const peer = stage.peers.find((candidate) => candidate.name === name);
      if (peer === undefined) throw new Error(`no peer ${name}`);
      const lack = peer.lacks[scenario];
      if (lack === undefined) return playScenario(peer, scenario, (id) => attach(stage.server, id));
      if (lack.capability === undefined) return skip(lack.because); // nothing was tested, so it counts as skipped
      await using viewer = await openSession(stage.server, { worker: name });
      expect(viewer.session?.capabilities).not.toContain(lack.capability);
    },
  );
});
