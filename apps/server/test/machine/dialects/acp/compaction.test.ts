// Compactions of ACP agents, which are a command of the agent's, and what they cost.
import { type RunningServer, startServer } from "@patchbay/testing/server-process";
import type { TestViewer } from "@patchbay/testing/socket-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSession } from "../../../support/actor.ts";
import { acpAgent, frames, textOf, turn } from "./agent.ts";

describe("an ACP agent that compacts", () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startServer({
      config: { default_worker: "compacts", workers: { compacts: acpAgent("compacts") } },
    });
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const compact = async (viewer: TestViewer): Promise<void> => {
    const marks = () => viewer.transcript.marks.filter(({ kind }) => kind === "compaction").length;
    const before = marks();
    expect(await viewer.ask({ type: "compact" })).toMatchObject({ success: true });
    await viewer.until(() => marks() > before && viewer.session?.state === "idle");
  };
  const usage = (viewer: TestViewer) =>
    frames(viewer).flatMap(({ type, cost_usd, purpose }) => (type === "usage" ? [[cost_usd, purpose]] : []));

  it("[I16] an agent with a command to compact can compact, and its text is the summary", async () => {
    await using viewer = await openSession(server);
    expect(viewer.session?.capabilities).not.toContain("compact");
    await turn(viewer, "say something");
    await viewer.until(() => viewer.session?.capabilities.includes("compact") === true);
    await compact(viewer);
    expect(viewer.transcript.marks.at(-1)).toMatchObject({ summary: "What was said so far." });
    expect(await turn(viewer, "say more")).toBe("more");
    expect(viewer.transcript.messages.map(textOf).join()).not.toContain("so far");
  });

  it("[I19] a compaction's cost is reported separately and before its end, and counted once", async () => {
    await using viewer = await openSession(server);
    await turn(viewer, "cost 0.25");
    await viewer.until(() => viewer.session?.capabilities.includes("compact") === true);
    await compact(viewer);
    expect(viewer.session?.usage.cost_usd).toBe(0.375);
    const types = frames(viewer).map(({ type }) => type);
    expect(types.lastIndexOf("usage")).toBeLessThan(types.indexOf("compact_done"));
    await turn(viewer, "cost 0.5");
    expect(usage(viewer)).toEqual([
      [0.25, undefined],
      [0.125, "compaction"],
      [0.5, undefined],
    ]);
  });

  it("[I19] a cost that is reported after the end of its turn is counted then, and once", async () => {
    await using viewer = await openSession(server);
    await turn(viewer, "late 0.25");
    await viewer.until(() => viewer.session?.usage.cost_usd === 0.25);
    await turn(viewer, "say nothing more");
    expect(usage(viewer)).toEqual([[0.25, undefined]]);
  });
});
