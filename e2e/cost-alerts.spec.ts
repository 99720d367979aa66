// What whoever pays is told: alerts on the costs page until they are dismissed, and the monthly report in a tab of its own.
import { spentAt, writeLedger } from "../apps/server/test/support/ledger-entry.ts";
import { startServer } from "../testing/src/server-process.ts";
import { violations } from "./axe.ts";
import { expect, test } from "./story.ts";

test.use({ contextOptions: { reducedMotion: "reduce" } });

const dayMs = 86_400_000;

test("alerts are shown on the costs page, lead to what they are about, and can be dismissed", async ({
  page,
}) => {
  const now = Date.now();
  await using server = await startServer({
    config: { costs: { alerts: { check_seconds: 1, unpriced: { calls: 3 } } }, limits: { worker_pool: 0 } },
    prepare: (home) =>
      writeLedger(home, [
        ...[1, 2, 3, 4].map((days) => spentAt(now - days * dayMs, 1, { cwd: "/code/weather" })),
        spentAt(now, 24, { cwd: "/code/weather", model: "claude-opus-4-8" }),
        ...[1, 2, 3].map(() => spentAt(now, null, { model: "qwen3-coder" })),
      ]),
  });
  await page.goto(await server.loginUrl());
  await page.getByRole("link", { name: /^Costs/ }).click();
  const alerts = page.getByRole("region", { name: "Alerts" });
  await expect(async () => {
    await page.reload();
    await expect(alerts.getByRole("listitem")).toHaveCount(2, { timeout: 2_000 });
  }).toPass();
  await expect(alerts).toContainText("Unusual spending: weather");
  await expect(alerts).toContainText("$24.00 that day, usually $1.00 by that time");
  await expect(alerts).toContainText("Unknown costs: qwen3-coder");
  expect(await violations(page)).toEqual([]);

  await alerts.getByRole("link", { name: "Unusual spending: weather" }).click();
  await expect(page).toHaveURL(/\/costs\?from=.*&cwd=%2Fcode%2Fweather$/);
  await expect(page.locator("[data-range-total]")).toHaveText("$24.00");

  await alerts.getByRole("button", { name: "Dismiss “Unusual spending: weather”" }).click();
  await expect(alerts.getByRole("listitem")).toHaveCount(1);
  await page.reload();
  await expect(alerts.getByRole("listitem")).toHaveCount(1);
  await alerts.getByRole("button", { name: /^Dismiss/ }).click();
  await expect(alerts).toBeHidden();
});

test("the monthly report opens in a tab of its own", async ({ page }) => {
  await using server = await startServer({
    config: { limits: { worker_pool: 0 } },
    prepare: (home) => writeLedger(home, [spentAt(Date.now(), 12.5, { cwd: "/code/weather" })]),
  });
  await page.goto(await server.loginUrl());
  await page.getByRole("link", { name: /^Costs/ }).click();
  await page.getByRole("button", { name: "Monthly report" }).click();
  const opened = page.waitForEvent("popup");
  await page.getByRole("menuitem", { name: / so far$/ }).click();
  const report = await opened;
  await expect(report.getByRole("heading", { level: 1 })).toContainText("Agent costs");
  await expect(report.getByRole("row", { name: /weather/ })).toContainText("$12.50");
  expect(await violations(report)).toEqual([]);
});
