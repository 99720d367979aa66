// Which window of a plan binds first, and what is kept of what agents tell.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bindingWindow } from "../../../src/costs/plans/binding-window.ts";
import { PlanLimits } from "../../../src/costs/plans/plan-limits.ts";
import { openStore } from "../../support/open-store.ts";

const now = Date.UTC(2026, 10, 18, 12);
const hour = 3_600_000;
const at = (hours: number): string => new Date(now + hours * hour).toISOString();
const window = (id: string, minutes: number, used_percent: number | undefined, resetsIn: number) => ({
  ...{ id, minutes, resets_at: at(resetsIn), told_at: at(0) },
  ...(used_percent === undefined ? {} : { used_percent }),
});

describe("the window that binds first", () => {
  it("[U121] is the one that is used up first at the pace so far, not the one that is used most", () => {
    // 30 % of five hours in the first of them: used up in 2.3 hours. 80 % of a week with a day left: it lasts.
    const windows = [window("five_hour", 300, 30, 4), window("seven_day", 10_080, 80, 24)];
    expect(bindingWindow(windows, now)).toEqual({ id: "five_hour", reached_at: at(7 / 3) });
    // With three days left, the week is used up in a day; five hours at 10 % last.
    const week = [window("five_hour", 300, 10, 1), window("seven_day", 10_080, 80, 72)];
    expect(bindingWindow(week, now)).toEqual({ id: "seven_day", reached_at: at(24) });
  });

  it("[U121] is the most used one where none is used up before it resets, and one that is reached before all others", () => {
    expect(
      bindingWindow([window("five_hour", 300, 20, 1), window("seven_day", 10_080, 40, 24)], now),
    ).toEqual({ id: "seven_day", reached_at: null });
    const reached = { ...window("seven_day", 10_080, undefined, 48), status: "reached" as const };
    expect(bindingWindow([window("five_hour", 300, 99, 4), reached], now)?.id).toBe("seven_day");
  });

  it("[U121] is none where nothing is told, or all of it is over", () => {
    expect(bindingWindow([window("five_hour", 300, undefined, 1)], now)).toBeNull();
    expect(bindingWindow([window("five_hour", 300, 99, -1)], now)).toBeNull();
    expect(bindingWindow([], now)).toBeNull();
  });

  it("[U121] is always one of those that were told and have not reset", () => {
    const told = fc.record({
      id: fc.constantFrom("a", "b", "c", "d"),
      told_at: fc.integer({ min: -9, max: 0 }).map(at),
      minutes: fc.option(fc.integer({ min: 1, max: 50_000 }), { nil: undefined }),
      used_percent: fc.option(fc.double({ min: 0, max: 200, noNaN: true }), { nil: undefined }),
      resets_at: fc.option(fc.integer({ min: -200, max: 200 }).map(at), { nil: undefined }),
      status: fc.option(fc.constantFrom("near" as const, "reached" as const), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.uniqueArray(told, { selector: ({ id }) => id }), (windows) => {
        const found = bindingWindow(windows, now);
        const fits = windows.filter(
          ({ used_percent, status, resets_at }) =>
            (used_percent !== undefined || status === "reached") && (resets_at ?? at(1)) > at(0),
        );
        expect(found === null).toBe(fits.length === 0);
        if (found === null) return;
        expect(fits.map(({ id }) => id)).toContain(found.id);
        if (found.reached_at !== null) expect(Date.parse(found.reached_at)).toBeGreaterThanOrEqual(now);
      }),
    );
  });
});

const failed = (error: unknown): void => expect(error).toBeUndefined();

describe("plan limits", () => {
  it("[U120] keep the newest of each window, also across a restart, and the binding one comes first", async () => {
    await using opened = await openStore();
    const limits = new PlanLimits(opened.store.settings, failed);
    const { told_at: _told, ...five } = window("five_hour", 300, 30, 3);
    limits.told("claude", { time: at(-1), windows: [five] });
    limits.told("claude", { time: at(0), windows: [{ id: "seven_day", minutes: 10_080, used_percent: 50 }] });
    limits.told("claude", { time: at(-2), windows: [{ ...five, used_percent: 1 }] }); // told late
    limits.told("codex", { time: at(0), plan: "plus", windows: [{ id: "codex/primary", used_percent: 9 }] });
    await limits.flushed();
    const again = new PlanLimits((await opened.reopen()).settings, failed);
    await again.load();
    expect(again.list(now)).toMatchObject([
      {
        ...{ agent: "claude", plan: null, told_at: at(0), binds: "five_hour" },
        windows: [
          { id: "five_hour", used_percent: 30, has_reset: false },
          { id: "seven_day", used_percent: 50 },
        ],
      },
      { agent: "codex", plan: "plus", binds: "codex/primary", reached_at: null },
    ]);
    // Five hours later the short window says nothing any more.
    expect(again.list(now + 5 * hour)[0]).toMatchObject({ binds: "seven_day" });
    expect(again.list(now + 40 * 24 * hour)).toEqual([]);
  });

  it("[U120] of an agent that never stops inventing windows stay bounded", async () => {
    await using opened = await openStore();
    const limits = new PlanLimits(opened.store.settings, failed);
    for (let index = 0; index < 200; index++)
      limits.told(`agent${index}`, {
        time: at(0),
        windows: Array.from({ length: 99 }, (_, nth) => ({
          id: `${nth}`.padEnd(9_999, "x"),
          used_percent: 1,
        })),
      });
    await limits.flushed();
    expect(limits.list(now)).toHaveLength(50);
    expect(limits.list(now)[0]?.windows).toHaveLength(24);
    expect((await opened.store.settings.read("plan_limits"))?.length).toBeLessThan(400_000);
  });

  it("[U120] that a later version kept in another form are told again", async () => {
    await using opened = await openStore();
    await opened.store.settings.write("plan_limits", '[{"agent":1}]');
    const limits = new PlanLimits(opened.store.settings, failed);
    await limits.load();
    expect(limits.list(now)).toEqual([]);
  });
});
