// The monthly report: its figures and its page from a real store, and its way to a webhook from a real server.
import { startReceiver } from "@patchbay/testing/receiver";
import { startServer } from "@patchbay/testing/server-process";
import { describe, expect, it } from "vitest";
import { ReportSettings } from "../../../src/config/alert-settings.ts";
import { Announcements } from "../../../src/costs/announcements.ts";
import { type MonthReport, makeMonthReport, monthOf } from "../../../src/costs/report/month-report.ts";
import { reportPage } from "../../../src/costs/report/report-page.ts";
import { ReportSchedule } from "../../../src/costs/report/report-schedule.ts";
import { actorConfig, openSession } from "../../support/actor.ts";
import { spentAt, writeLedger } from "../../support/ledger-entry.ts";
import { openStore } from "../../support/open-store.ts";

const zone = "Europe/Berlin";
const october = Date.UTC(2026, 9, 10, 12);
const now = Date.UTC(2026, 10, 18, 12);
const hostile = '/code/<script>alert(1)</script>"';

describe("a report", () => {
  it("[U96] has the sums of its month by project, model and day, beside those of the month before", async () => {
    await using opened = await openStore();
    const cut = { certainty: "estimated", low_nanos: 0.5e9, high_nanos: 3e9 } as const;
    await opened.store.record([
      spentAt(october, 2),
      spentAt(october, 1, { cwd: "/code/web", model: "n", ...cut }),
      spentAt(october, null, { model: "local" }),
      // The last minute of October in Berlin, and the first of November.
      spentAt(Date.UTC(2026, 9, 31, 22, 59), 4),
      spentAt(Date.UTC(2026, 9, 31, 23), 100),
      spentAt(Date.UTC(2026, 8, 20), 8),
    ]);
    const report = await makeMonthReport(opened.store, { month: "2026-10", zone, now, budgets: [] });
    expect(report).toMatchObject({
      ...{ from: "2026-09-30T22:00:00.000Z", to: "2026-10-31T23:00:00.000Z", complete: true },
      total: { cost_usd: 7, calls: 4, unpriced: 1, estimated: 1, low_usd: 6.5, high_usd: 9 },
      before: { cost_usd: 8 },
      projects: [
        { name: "/code/api", cost_usd: 6, before_usd: 8 },
        { name: "/code/web", cost_usd: 1, before_usd: 0 },
      ],
      models: [{ name: "p/m", cost_usd: 6 }, { name: "p/n" }, { name: "p/local", cost_usd: 0, unpriced: 1 }],
      people: [],
    });
    expect(report.days).toHaveLength(31);
    expect(report.days.filter(({ calls }) => calls > 0).map(({ day, cost_usd }) => [day, cost_usd])).toEqual([
      ["2026-10-10", 3],
      ["2026-10-31", 4],
    ]);
  });

  it("[U96] of a running month is compared up to the same time, and has the days so far; persons are in it once there are any", async () => {
    await using opened = await openStore();
    await opened.store.record([
      spentAt(now - 1_000, 3, { person: "ana" }),
      spentAt(Date.UTC(2026, 9, 18, 10), 1),
      spentAt(Date.UTC(2026, 9, 18, 20), 50),
    ]);
    const report = await makeMonthReport(opened.store, { month: "2026-11", zone, now, budgets: [] });
    expect(report).toMatchObject({ complete: false, total: { cost_usd: 3 }, before: { cost_usd: 1 } });
    expect(report.people).toMatchObject([{ name: "ana", cost_usd: 3 }]);
    expect(report.days.at(-1)).toMatchObject({ day: "2026-11-18", cost_usd: 3 });
  });

  it("[U96] sums up what is beyond the twentieth row", async () => {
    await using opened = await openStore();
    const entries = Array.from({ length: 25 }, (_, index) =>
      spentAt(october, 25 - index, { cwd: `/p${index}` }),
    );
    await opened.store.record(entries);
    const { projects } = await makeMonthReport(opened.store, { month: "2026-10", zone, now, budgets: [] });
    expect(projects).toHaveLength(20);
    expect(projects.at(-1)).toMatchObject({ name: null, cost_usd: 21, calls: 6 });
  });

  it("[U97] is a page without scripts, with names as text, and with what is estimated or unpriced", async () => {
    await using opened = await openStore();
    await opened.store.record([
      spentAt(october, 2, { certainty: "estimated", low_nanos: 1e9, high_nanos: 3e9 }),
      spentAt(october, null, { cwd: hostile }),
    ]);
    const report = await makeMonthReport(opened.store, { month: "2026-10", zone, now, budgets: [] });
    const page = reportPage(report, "en");
    expect(page).toContain("Agent costs, October 2026");
    expect(page).toContain("the total lies between $1.00 and $3.00");
    expect(page).toContain("1 call has no known price");
    expect(page).toContain("/code/&lt;script&gt;");
    expect(page).not.toMatch(/<script|style="|javascript:| on\w+=/i);
    expect(reportPage(report, "de")).toContain("Kosten der Agenten, Oktober 2026");
  });

  it("[U98] is sent once a month, from its hour on, and not for a month without calls", async () => {
    await using opened = await openStore();
    const sent: unknown[] = [];
    const scheduleOf = (store = opened.store): ReportSchedule => {
      const announcements = new Announcements(store.announcements);
      announcements.useOutbox({ prepare: () => [], deliver: () => sent.push(1) });
      return new ReportSchedule({
        ...{ settings: ReportSettings.parse({ schedule: "monthly" }), zone, announcements },
        reportOf: (month, where, at) => makeMonthReport(store, { month, zone: where, now: at, budgets: [] }),
        log: { info: () => {}, warn: () => {} },
      });
    };
    await opened.store.record([spentAt(october, 2)]);
    const schedule = scheduleOf();
    await schedule.check(Date.UTC(2026, 10, 1, 4, 59));
    expect(sent).toHaveLength(0);
    await schedule.check(Date.UTC(2026, 10, 1, 5));
    await schedule.check(now);
    expect(sent).toHaveLength(1);
    const again = scheduleOf(await opened.reopen());
    await again.check(now);
    expect(sent).toHaveLength(1);
    await again.check(Date.UTC(2026, 11, 2));
    expect(sent).toHaveLength(1);
    await opened.store.record([spentAt(now, 1)]);
    await again.check(Date.UTC(2026, 11, 2));
    expect(sent).toHaveLength(2);
  });
});

describe("a server", () => {
  it("[U97] [U98] sends the report to a webhook once, also when it is killed, and serves it as a page and as JSON", async () => {
    await using receiver = await startReceiver();
    const start = new Date(`${monthOf(Date.now(), "UTC", -1)}-05T12:00:00Z`).getTime();
    await using server = await startServer({
      config: actorConfig({
        costs: { report: { schedule: "monthly", hour: 0 } },
        webhooks: [{ url: receiver.url, secret_env: "HOOK_SECRET", events: ["cost.report", "turn.done"] }],
      }),
      env: { HOOK_SECRET: "a-secret" },
      prepare: (home) => writeLedger(home, [spentAt(start, 12.5)]),
    });
    const month = monthOf(Date.now(), "UTC", -1);
    const { json } = await receiver.until(() => true);
    expect(json).toMatchObject({
      type: "cost.report",
      data: { report: { month, total: { cost_usd: 12.5 } }, html: expect.stringContaining("$12.50") },
    });
    await server.kill();
    await server.start();
    await using viewer = await openSession(server);
    await viewer.ask({ type: "prompt", message: "usage 10 1 1" });
    const typeOf = ({ json: sent }: { json: unknown }) => (sent as { type: string }).type;
    await receiver.until((received) => typeOf(received) === "turn.done");
    // A delivery whose answer was lost is repeated with its id, as the specification of webhooks says.
    const reports = receiver.received.filter((received) => typeOf(received) === "cost.report");
    expect(new Set(reports.map(({ headers }) => headers["webhook-id"])).size).toBe(1);

    const page = await fetch(`${server.url}/api/costs/report?month=${month}`, {
      headers: { authorization: `Bearer ${server.token}` },
    });
    expect(page.headers.get("content-type")).toContain("text/html");
    expect(page.headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    );
    expect(await page.text()).toContain("$12.50");
    const { body } = await server.call("GET", "/api/costs/report?format=json&tz=Europe/Berlin");
    expect((body as { report: MonthReport }).report).toMatchObject({ month, total: { calls: 1 } });
    for (const query of ["month=2026-13", "month=x", "tz=Nowhere", "lang=fr", "format=pdf"])
      expect((await server.call("GET", `/api/costs/report?${query}`)).status).toBe(400);
    expect((await fetch(`${server.url}/api/costs/report`)).status).toBe(401);
  });

  it("[U98] does not start when a report has no receiver", async () => {
    await expect(startServer({ config: { costs: { report: { schedule: "monthly" } } } })).rejects.toThrow(
      'add a webhook with the event "cost.report"',
    );
  });
});
