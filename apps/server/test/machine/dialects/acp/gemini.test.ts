// A real ACP agent, gemini-cli, against the fake model; skipped with a reason where `npm run agents -- gemini` has not
// installed it.
import { ModelsData } from "@patchbay/protocol";
import { startFakeModel } from "@patchbay/testing/fake-model";
import { unless } from "@patchbay/testing/skips";
import { describe, expect, it } from "vitest";
import { openSession } from "../../../support/actor.ts";
import { findAgent, startRealAgent } from "../../../support/real-agents.ts";

const program = findAgent("gemini");

describe("a real ACP agent", () => {
  it("[I14] gemini-cli answers a prompt, and the answer is the model's that was chosen", {
    ...unless(program === undefined ? "the real agents are not installed (npm run agents)" : null),
    timeout: 120_000,
  }, async () => {
    await using model = await startFakeModel();
    await using server = await startRealAgent("gemini", program ?? "", model);
    await using first = await openSession(server);
    const { models } = ModelsData.parse((await first.ask({ type: "get_models" })).data);
    const chosen = models.findLast(({ id }) => id.startsWith("gemini-"))?.id ?? "";
    expect(first.session?.model).not.toBe(chosen);
    await using viewer = await openSession(server, { model: chosen });
    model.reply({ text: "Hello from the fake model." });
    expect(await viewer.ask({ type: "prompt", message: "Say hello." })).toMatchObject({ success: true });
    await viewer.until(() => viewer.transcript.marks.some((mark) => mark.kind === "turn"));
    expect(JSON.stringify(viewer.transcript.messages.at(-1))).toContain("Hello from the fake model.");
    expect(model.requests.at(-1)?.model).toBe(chosen);
    expect(viewer.session?.model).toBe(chosen);
  });
});
