// Alerts: what is usual as a pure function, once per period with a real store, and to webhooks and transcripts by a real server.
import { dirname, join } from "node:path";
import { type Budget, type CostAlert, PatchbayError } from "@patchbay/protocol";
import { startReceiver } from "@patchbay/testing/receiver";
import { startServer } from "@patchbay/testing/server-process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AlertSettings } from "../../../src/config/alert-settings.ts";
import { CostAlerts } from "../../../src/costs/alerts/cost-alerts.ts";
import { isSpike, usualSpend } from "../../../src/costs/alerts/usual.ts";
import { Announcements } from "../../../src/costs/announcements.ts";
import type { Store } from "../../../src/store/store.ts";
import { actorConfig, openSession } from "../../support/actor.ts";
import { spentAt, writeLedger } from "../../support/ledger-entry.ts";
import { openStore } from "../../support/open-store.ts";

const dayMs = 86_400_000;
const day = (soFar: number, whole = soFar) => ({ soFar, whole });

describe("the usual amount", () => {
  it("[U90] is the median of what the days with spending had spent by this time of the day", () => {
    expect(usualSpend([day(1), day(2), day(9)], 3)).toBe(2);
    expect(usualSpend([day(1), day(2), day(4), day(100)], 3)).toBe(3);
    // A day that spent later counts with what it had spent by now.
    expect(usualSpend([day(0, 8), day(0, 8), day(2, 8)], 3)).toBe(0);
  });

  it("[U90] leaves out days without spending, and is not known with too few others", () => {
    expect(usualSpend([day(0), day(0), day(6), day(0), day(7), day(8)], 3)).toBe(7);
    expect(usualSpend([day(0), day(0), day(6), day(0), day(7)], 3)).toBe(null);
    expect(usualSpend([], 1)).toBe(null);
  });

  it("[U90] is between the least and the most of these days, in whichever order they come", () => {
    const days = fc.array(fc.record({ soFar: fc.nat(1_000), whole: fc.nat(1_000) }), { maxLength: 30 });
    fc.assert(
      fc.property(days, (past) => {
        const amounts = past.filter(({ whole }) => whole > 0).map(({ soFar }) => soFar);
        const usual = usualSpend(past, 1);
        if (amounts.length === 0) return usual === null;
        return (
          usual !== null &&
          usual >= Math.min(...amounts) &&
          usual <= Math.max(...amounts) &&
          usual === usualSpend(past.toReversed(), 1)
        );
      }),
    );
  });

  it("[U90] is exceeded by a spike: a multiple of it, and a minimum more", () => {
    const settings = { factor: 3, minimum_usd: 5 };
    expect(isSpike(30, 10, settings)).toBe(true);
    expect(isSpike(29, 10, settings)).toBe(false);
    expect(isSpike(5, 0, settings)).toBe(true);
    expect(isSpike(4.9, 0.1, settings)).toBe(false);
    expect(isSpike(0, 0, { factor: 3, minimum_usd: 0 })).toBe(false);
  });
});

/** The 20th of May 2026, at noon in Berlin. */
const noon = Date.UTC(2026, 4, 20, 10);

interface Given {
  settings?: object;
  budgets?: Budget[];
  personOf?: (person: string) => { id: string; name: string } | undefined;
}

function alertsOf(store: Store, options: Given = {}) {
  const raised: CostAlert[] = [];
  const alerts = new CostAlerts({
    ...{ store, announcements: new Announcements(store.announcements), zone: "Europe/Berlin" },
    settings: AlertSettings.parse(options.settings ?? {}),
    budgets: async () => options.budgets ?? [],
    personOf: options.personOf ?? (() => undefined),
    raised: async (alert) => void raised.push(alert),
    log: { warn: () => {} },
  });
  return { alerts, raised };
}

describe("alerts", () => {
  it("[U91] are raised for projects and models that spike, once a day, also across a restart", async () => {
    await using opened = await openStore();
    const past = [1, 2, 3, 4].map((days) => spentAt(noon - days * dayMs - 3_600_000, 2));
    const evenings = [1, 2, 3, 4].map((days) => spentAt(noon - days * dayMs + 3_600_000, 50));
    await opened.store.record([...past, ...evenings, spentAt(noon - 60_000, 5.9)]);
    const first = alertsOf(opened.store);
    await first.alerts.check(noon);
    expect(first.raised).toEqual([]);
    await opened.store.record([spentAt(noon - 30_000, 2)]);
    await first.alerts.check(noon);
    await opened.store.record([spentAt(noon - 20_000, 2)]);
    await first.alerts.check(noon);
    expect(first.raised).toMatchObject([
      { kind: "spike", subject: "project", target: "/code/api", spent_usd: 7.9, usual_usd: 2 },
      { kind: "spike", subject: "model", target: "m", period: "2026-05-19T22:00:00.000Z" },
    ]);
    const again = alertsOf(await opened.reopen());
    await again.alerts.check(noon);
    expect(again.raised).toEqual([]);
    expect(await again.alerts.list(noon - dayMs, 10)).toHaveLength(2);
    // The next day is another period.
    await opened.store.record([spentAt(noon + dayMs - 60_000, 40)]);
    await again.alerts.check(noon + dayMs);
    expect(again.raised).toHaveLength(2);
  });

  it("[U91] are raised for people, the token's holder too, where there are some", async () => {
    await using opened = await openStore();
    const of = (person: string, usd: number, days: number) =>
      spentAt(noon - days * dayMs - 3_600_000, usd, {
        person,
        cwd: `/code/${days}/${usd}`,
        model: `${days}`,
      });
    const past = ["", "p1"].flatMap((person) => [1, 2, 3, 4].map((days) => of(person, 2, days)));
    await opened.store.record([...past, of("", 20, 0), of("p1", 30, 0), of("gone", 40, 0)]);
    const people: Record<string, { id: string; name: string }> = {
      "": { id: "p0", name: "Ada" },
      p1: { id: "p1", name: "Bob" },
    };
    const { alerts, raised } = alertsOf(opened.store, { personOf: (person) => people[person] });
    await alerts.check(noon);
    expect(raised.filter(({ subject }) => subject === "person")).toMatchObject([
      { target: "p1", message: expect.stringContaining("Bob has spent $30"), usual_usd: 2 },
      { target: "p0", message: expect.stringContaining("Ada has spent $20") },
    ]);
    const alone = alertsOf(opened.store);
    await alone.alerts.check(noon);
    expect(alone.raised.filter(({ subject }) => subject === "person")).toEqual([]);
  });

  it("[U91] of a project that is new, or as busy as ever, are not raised", async () => {
    await using opened = await openStore();
    const busy = [1, 2, 3].map((days) => spentAt(noon - days * dayMs - 1_000, 30, { cwd: "/busy" }));
    await opened.store.record([
      ...busy,
      spentAt(noon - 1_000, 40, { cwd: "/busy" }),
      spentAt(noon - 1_000, 500, { cwd: "/new", model: "another" }),
    ]);
    const { alerts, raised } = alertsOf(opened.store);
    await alerts.check(noon);
    expect(raised).toEqual([]);
  });

  it("[U92] are raised for models with calls of unknown cost, once a month", async () => {
    await using opened = await openStore();
    const calls = (count: number, time: number) => Array.from({ length: count }, () => spentAt(time, null));
    await opened.store.record(calls(9, noon - 5 * dayMs));
    const { alerts, raised } = alertsOf(opened.store);
    await alerts.check(noon);
    expect(raised).toEqual([]);
    await opened.store.record(calls(1, noon - 1_000));
    await alerts.check(noon);
    await opened.store.record(calls(30, noon + dayMs));
    await alerts.check(noon + dayMs);
    expect(raised).toMatchObject([{ kind: "unpriced", subject: "model", target: "m", calls: 10 }]);
    await opened.store.record(calls(10, noon + 20 * dayMs));
    await alerts.check(noon + 20 * dayMs);
    expect(raised).toHaveLength(2);
  });

  it("[U93] are raised for a forecast above a budget that is not over yet, once a period", async () => {
    await using opened = await openStore();
    const status = {
      ...{ target: "", from: "2026-05-01T00:00:00.000Z", to: "2026-06-01T00:00:00.000Z", spent_usd: 60 },
      ...{ limit_usd: 100, granted_usd: 0, state: "ok" as const, unpriced_calls: 0, forecast_usd: 120 },
    };
    const budget: Budget = {
      ...{
        id: "b1",
        source: "api",
        created_at: null,
        created_by: "owner",
        name: "Team",
        scope: "everything",
      },
      ...{ target: null, period: "month", time_zone: "UTC", limit_usd: 100, kind: "soft", warn_percent: 80 },
      ...{ unpriced: "allow", status: [status] },
    };
    await opened.store.record([spentAt(noon - 1_000, 1)]);
    const over = { ...budget, id: "b2", status: [{ ...status, state: "over" as const }] };
    const { alerts, raised } = alertsOf(opened.store, { budgets: [over, budget] });
    await alerts.check(noon);
    await opened.store.record([spentAt(noon + 1_000, 1)]);
    await alerts.check(noon + 2_000);
    expect(raised).toMatchObject([
      { kind: "forecast", budget: "b1", budget_name: "Team", forecast_usd: 120, limit_usd: 100 },
    ]);
    expect(raised[0]?.message).toContain('"Team": at the current pace $120.00 of $100.00 by 31 May 2026.');
    const generous = alertsOf(await opened.reopen(), {
      ...{ budgets: [{ ...budget, id: "b3" }], settings: { forecast: { percent: 125 } } },
    });
    await generous.alerts.check(noon);
    expect(generous.raised).toEqual([]);
  });

  it("[U94] have thresholds, and each kind can be turned off", () => {
    expect(AlertSettings.parse({})).toMatchObject({
      ...{ spikes: { factor: 3, minimum_usd: 5, days: 14, known_days: 3 } },
      ...{ unpriced: { calls: 10 }, forecast: { percent: 100 } },
    });
    expect(AlertSettings.parse({ spikes: "off", unpriced: "off", forecast: "off" })).toBeDefined();
    expect(AlertSettings.safeParse({ spikes: { factor: 0.5 } }).success).toBe(false);
    expect(AlertSettings.safeParse({ spikes: { factors: 2 } }).success).toBe(false);
    expect(AlertSettings.safeParse({ forecast: { percent: 0 } }).success).toBe(false);
  });
});

describe("a server", () => {
  it("[U95] tells webhooks of an alert once, notes it in the sessions that spend, lists it and lets it be dismissed", async () => {
    await using receiver = await startReceiver();
    await using server = await startServer({
      config: actorConfig({
        costs: { alerts: { check_seconds: 1, unpriced: { calls: 1 } } },
        webhooks: [{ url: `${receiver.url}/hook`, secret_env: "HOOK_SECRET", events: ["cost.alert"] }],
      }),
      env: { HOOK_SECRET: "a-secret" },
      prepare: (home) =>
        writeLedger(
          home,
          [1, 2, 3].map((days) =>
            spentAt(Date.now() - days * dayMs, 1, { cwd: join(dirname(home), "project"), model: "past" }),
          ),
        ),
    });
    await using viewer = await openSession(server);
    await viewer.ask({ type: "prompt", message: "usage 10 1 20" });
    const { json } = await receiver.until(() => true);
    expect(json).toMatchObject({
      type: "cost.alert",
      data: { alert: { kind: "spike", subject: "project", target: server.cwd, spent_usd: 20 } },
    });
    const notice = `the project ${server.cwd} has cost $20.00 today. Usual at this time of the day: $1.00.`;
    await viewer.until(() =>
      viewer.transcript.marks.some(
        (mark) => mark.kind === "notice" && mark.source === "budget" && mark.text.includes(notice),
      ),
    );
    const list = async () =>
      ((await server.call("GET", "/api/costs/alerts")).body as { alerts: CostAlert[] }).alerts;
    const [alert] = await list();
    expect(alert).toMatchObject({ kind: "spike", target: server.cwd, dismissed: false });
    expect((await server.call("POST", `/api/costs/alerts/${alert?.id}/dismiss`)).status).toBe(204);
    expect(await list()).toMatchObject([{ dismissed: true }]);
    expect((await server.call("POST", "/api/costs/alerts/none/dismiss")).status).toBe(
      new PatchbayError("not_found").status,
    );
    expect((await server.call("GET", "/api/costs/alerts?days=0")).status).toBe(400);
    await server.kill();
    await server.start();
    await using again = await openSession(server);
    await again.ask({ type: "prompt", message: "usage 10 1 20" });
    const free = {
      type: "usage",
      input: 10,
      output: 1,
      cache_read: 0,
      cache_write: 0,
      cost_usd: 0,
      model: "new",
    };
    await again.ask({ type: "prompt", message: `frames ${JSON.stringify([free])}` });
    const kindOf = ({ json: sent }: { json: unknown }) =>
      (sent as { data: { alert: CostAlert } }).data.alert.kind;
    await receiver.until((received) => kindOf(received) === "unpriced");
    expect(receiver.received.map(kindOf)).toEqual(["spike", "unpriced"]);
  });
});
