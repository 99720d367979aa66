// From an agent's words to the API, with a real server: over ACP, and from session files of Codex.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentPlan } from "@patchbay/protocol";
import { type RunningServer, startServer } from "@patchbay/testing/server-process";
import { waitUntil } from "@patchbay/testing/wait-until";
import { describe, expect, it } from "vitest";
import { acpAgent, frames, turn } from "../../machine/dialects/acp/agent.ts";
import { openSession } from "../../support/actor.ts";

const plansOf = async (server: RunningServer): Promise<AgentPlan[]> =>
  ((await server.call("GET", "/api/costs/plan-limits")).body as { plans: AgentPlan[] }).plans;

const inSeconds = (ms: number): number => Math.floor((Date.now() + ms) / 1_000);
const hour = 3_600_000;

describe("limits of plans", () => {
  it("[U120] [U121] that an agent tells over ACP are a frame, kept across a restart of the server", async () => {
    await using server = await startServer({ config: { workers: { claude: acpAgent() } } });
    await using viewer = await openSession(server, { worker: "claude" });
    await turn(viewer, "say nothing about a plan");
    expect(await plansOf(server)).toEqual([]);
    const told = JSON.stringify({
      ...{ status: "allowed", rateLimitType: "five_hour", resetsAt: inSeconds(4 * hour) },
      unifiedWindows: {
        five_hour: { utilization: 0.3, resetsAt: inSeconds(4 * hour) },
        seven_day: { utilization: 0.8, resetsAt: inSeconds(24 * hour) },
      },
    });
    await turn(viewer, `limits ${told}`);
    await turn(viewer, `limits ${told}`);
    const written = frames(viewer).filter(({ type }) => type === "plan_limits");
    expect(written).toHaveLength(1); // what is as it was is not written again
    expect(written[0]).toMatchObject({
      windows: [{ id: "five_hour", used_percent: 30 }, { used_percent: 80 }],
    });
    await server.kill();
    await server.start();
    await waitUntil(async () => (await plansOf(server)).length > 0);
    expect(await plansOf(server)).toMatchObject([
      {
        ...{ agent: "claude", plan: null, binds: "five_hour" },
        windows: [
          { id: "five_hour", minutes: 300, used_percent: 30, has_reset: false },
          { id: "seven_day", minutes: 10_080, used_percent: 80 },
        ],
      },
    ]);
    expect((await server.call("GET", "/api/costs/plan-limits?agent=codex")).body).toEqual({ plans: [] });
  });

  it("[U120] are read from the session files of Codex, the newest of each window, also where they say in how many seconds", async () => {
    const row = (minutes: number, payload: object): string =>
      JSON.stringify({ timestamp: new Date(Date.now() - minutes * 60_000).toISOString(), ...payload });
    const count = (minutes: number, rate_limits: object): string =>
      row(minutes, { type: "event_msg", payload: { type: "token_count", info: null, rate_limits } });
    await using server = await startServer({});
    const directory = join(server.home, ".codex/sessions/2026/11/18");
    mkdirSync(directory, { recursive: true });
    writeFileSync(
      join(directory, "rollout-2026-11-18T10-00-00-0196f1c4-0000-7000-8000-000000000001.jsonl"),
      [
        row(50, {
          type: "session_meta",
          payload: { id: "0196f1c4-0000-7000-8000-000000000001", cwd: "/w", model_provider: "openai" },
        }),
        count(40, { primary: { used_percent: 1, window_minutes: 300, resets_in_seconds: 9_000 } }),
        count(30, {
          ...{ limit_id: "codex", plan_type: "plus" },
          primary: { used_percent: 41.5, window_minutes: 300, resets_in_seconds: 9_000 },
          secondary: { used_percent: 20, window_minutes: 10_080, resets_at: inSeconds(50 * hour) },
          credits: { has_credits: false },
        }),
        count(20, {}),
        "",
      ].join("\n"),
    );
    await server.call("POST", "/api/imports/costs", { dry_run: true });
    await waitUntil(
      async () =>
        ((await server.call("GET", "/api/imports/costs")).body as { import: { state: string } }).import
          .state === "done",
    );
    expect(await plansOf(server)).toEqual([]); // a dry run keeps nothing
    await server.call("POST", "/api/imports/costs", {});
    await waitUntil(async () => (await plansOf(server)).length > 0);
    const [plan] = await plansOf(server);
    expect(plan).toMatchObject({
      ...{ agent: "codex", plan: "plus" },
      windows: [
        { id: "codex/primary", minutes: 300, used_percent: 41.5, has_reset: false },
        { id: "codex/secondary", minutes: 10_080, used_percent: 20 },
      ],
    });
    const left = Date.parse(plan?.windows[0]?.resets_at ?? "") - Date.now();
    expect(Math.abs(left - (9_000 - 30 * 60) * 1_000)).toBeLessThan(60_000);
  });
});
