// What claude-agent-acp and builds of codex-acp tell about a plan's windows, in their own words.
import { describe, expect, it } from "vitest";
import { accountLimits, codexLimits, planLimitsOf } from "../../../src/machine/plans/told-limits.ts";

const claude = (info: object) =>
  planLimitsOf({
    sessionUpdate: "usage_update",
    used: 1,
    size: 200_000,
    _meta: { "_claude/rateLimit": info },
  });

describe("limits of a plan", () => {
  it("[U120] are read from claude-agent-acp: all windows, or the one that it names", () => {
    expect(
      claude({
        ...{ status: "allowed", resetsAt: 1_791_141_000, rateLimitType: "five_hour" },
        ...{ overageStatus: "rejected", overageDisabledReason: "out_of_credits", isUsingOverage: false },
        unifiedWindows: {
          five_hour: { utilization: 0.07, resetsAt: 1_791_141_000 },
          seven_day: { utilization: 0.02, resetsAt: 1_791_295_200 },
        },
      }),
    ).toEqual({
      windows: [
        { id: "five_hour", minutes: 300, used_percent: 7, resets_at: "2026-10-04T19:10:00.000Z" },
        { id: "seven_day", minutes: 10_080, used_percent: 2, resets_at: "2026-10-06T14:00:00.000Z" },
      ],
    });
    expect(
      claude({
        status: "allowed_warning",
        rateLimitType: "seven_day_opus",
        utilization: 0.784,
        resetsAt: 1_791_295_200,
      }),
    ).toMatchObject({ windows: [{ name: "Opus", used_percent: 78.4, status: "near" }] });
    const refused = claude({ status: "rejected", rateLimitType: "five_hour" });
    expect(refused).toEqual({ windows: [{ id: "five_hour", minutes: 300, status: "reached" }] });
  });

  it("[U120] are not invented: an allowed call without a figure, money beyond the plan, or nonsense tell nothing", () => {
    for (const info of [
      { status: "allowed", rateLimitType: "five_hour", resetsAt: 1_791_141_000 },
      { status: "allowed", rateLimitType: "overage", utilization: 0.5 },
      { status: 7, rateLimitType: {}, utilization: "0.5" },
      { unifiedWindows: { five_hour: "full", __proto__: { utilization: 1 } } },
      { rateLimitType: "five_hour", utilization: -1 },
      null,
      "full",
    ])
      expect(planLimitsOf({ _meta: { "_claude/rateLimit": info } })).toBeNull();
    expect(planLimitsOf({ sessionUpdate: "usage_update", used: 1 })).toBeNull();
    expect(planLimitsOf({ _meta: null })).toBeNull();
    expect(claude({ rateLimitType: "five_hour", utilization: 0.5, resetsAt: 1e300 })).toEqual({
      windows: [{ id: "five_hour", minutes: 300, used_percent: 50 }],
    });
  });

  it("[U120] are read from builds of codex-acp that send them, by the length that each window has", () => {
    const limits = {
      ...{ limitId: "codex", limitName: "Codex", planType: "plus" },
      primary: { usedPercent: 100, windowDurationMins: 10_080, resetsAt: 1_791_295_200 },
      secondary: null,
    };
    const told = {
      plan: "plus",
      windows: [
        {
          ...{ id: "codex/primary", minutes: 10_080, used_percent: 100, status: "reached" },
          resets_at: "2026-10-06T14:00:00.000Z",
        },
      ],
    };
    expect(accountLimits({ rateLimits: limits })).toEqual(told);
    expect(planLimitsOf({ _meta: { "_codex/rateLimits": [limits, 7] } })).toEqual(told);
    expect(
      codexLimits({ ...limits, limitId: "codex_bengalfox", limitName: "Spark" }, undefined),
    ).toMatchObject({
      windows: [{ id: "codex_bengalfox/primary", name: "Spark" }],
    });
  });
});
