// The model of an ACP agent: chosen before its session is open, reported by the agent, and known to session and ledger.
import { type RunningServer, startServer } from "@patchbay/testing/server-process";
import type { TestViewer } from "@patchbay/testing/socket-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSession } from "../../../support/actor.ts";
import { acpAgent, frames, turn } from "./agent.ts";

describe("the model of an ACP agent", () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startServer({
      config: {
        default_worker: "agent",
        workers: { agent: acpAgent(), models: acpAgent("models"), plain: acpAgent("plain") },
      },
    });
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const stop = async (viewer: TestViewer): Promise<void> => {
    await server.call("POST", `/api/sessions/${String(viewer.session?.id)}/stop`);
    await viewer.state("stopped");
  };
  const notices = (viewer: TestViewer): string[] =>
    frames(viewer).flatMap((frame) => (frame["type"] === "ext_notify" ? [String(frame["message"])] : []));

  it.each([
    ["agent", "large"],
    ["agent", "fixture/large"],
    ["models", "large"],
    ["models", "somebody/large"],
  ])(
    "[I17] %s is given the chosen model %s, and again after a restart and a clear",
    async (worker, model) => {
      await using viewer = await openSession(server, { worker, model });
      expect(await turn(viewer, "model")).toBe("large");
      expect(viewer.session).toMatchObject({ provider: "fixture", model: "large" });
      expect(notices(viewer)).toEqual([]);
      await stop(viewer);
      expect(await turn(viewer, "model")).toBe("large");
      expect(viewer.session).toMatchObject({ provider: "fixture", model: "large" });
      await viewer.ask({ type: "clear" });
      expect(await turn(viewer, "model")).toBe("large");
    },
  );

  it("[I17] session, turn and ledger have the model that the agent reports, whether a person or the agent changed it", async () => {
    await using viewer = await openSession(server);
    await turn(viewer, "cost 0.25");
    expect(viewer.session).toMatchObject({ provider: "fixture", model: "small" });
    await turn(viewer, "switch large");
    await viewer.until(() => viewer.session?.model === "large");
    await turn(viewer, "cost 0.5");
    expect(viewer.transcript.marks.at(-1)).toMatchObject({ kind: "turn", model: "large" });
    await viewer.ask({ type: "set_model", model: "small" });
    await turn(viewer, "cost 1");
    await stop(viewer);
    expect(viewer.session?.model).toBe("small");
    const { body } = await server.call("GET", `/api/usage?group_by=model&session=${viewer.session?.id}`);
    const { rows } = body as { rows: { model: string; cost_usd: number }[] };
    const spent = Object.fromEntries(rows.map(({ model, cost_usd }) => [model, cost_usd]));
    expect(spent).toEqual({ small: 1.25, large: 0.5 });
  });

  it("[I17] a model that the agent lacks is reported in a sentence, once, and the agent continues with its own", async () => {
    await using viewer = await openSession(server, { model: "huge" });
    expect(await turn(viewer, "model")).toBe("its own");
    expect(notices(viewer)).toEqual([
      'This agent has no model "huge". It has: small, large. huge was chosen, but small stays in use.',
    ]);
    expect(viewer.session?.model).toBe("small");
    await using plain = await openSession(server, { worker: "plain", model: "huge" });
    await turn(plain, "model");
    await stop(plain);
    await turn(plain, "model");
    expect(notices(plain)).toEqual([
      "You cannot choose the model of this agent. huge was chosen, but its own stays in use.",
    ]);
    expect(plain.session?.model).toBe("default");
  });

  it("[I18] a model can be chosen where the agent has some, and is no capability elsewhere", async () => {
    for (const worker of ["agent", "models"]) {
      await using viewer = await openSession(server, { worker });
      await viewer.ask({ type: "get_commands" });
      await viewer.until(() => viewer.session?.capabilities.includes("set_model") === true);
      await stop(viewer);
      await turn(viewer, "say back");
      expect(viewer.session?.capabilities).toContain("set_model");
    }
    await using plain = await openSession(server, { worker: "plain" });
    await turn(plain, "say something");
    expect(plain.session?.capabilities).not.toContain("set_model");
    expect(await plain.ask({ type: "set_model", model: "large" })).toMatchObject({ success: false });
  });
});
