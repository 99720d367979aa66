// From the total down to the turn that spent it, in a browser: weeks of spending in a real ledger.
import { readFileSync } from "node:fs";
import { writeDemoLedger } from "../testing/src/demo-ledger.ts";
import { startServer } from "../testing/src/server-process.ts";
import { violations } from "./axe.ts";
import { expect, test, transcript } from "./story.ts";

test.use({ timezoneId: "Europe/Berlin", contextOptions: { reducedMotion: "reduce" } });

test("click from the total down to the turn, filter by a bar, export, on a phone too", async ({ page }) => {
  await using server = await startServer({
    prepare: async (home) => {
      await writeDemoLedger({ home, projects: "/work", days: 6, perDay: 4 });
    },
  });
  await page.goto(await server.loginUrl());
  const link = page.getByRole("link", { name: /^Costs/ });
  await expect(link).toContainText("today");
  await link.click();
  const total = page.locator("[data-range-total]");
  await expect(total).toContainText("$");
  expect(await violations(page)).toEqual([]);

  // A bar is a filter: of the address, of the total, of the table.
  const before = await total.textContent();
  const models = page.getByRole("region", { name: "Models" });
  await models.getByRole("link", { name: /sonnet/ }).click();
  await expect(page).toHaveURL(/\/costs\?model=claude-sonnet-4-5$/);
  await expect(total).not.toHaveText(before ?? "");
  const narrowed = (await total.textContent()) ?? "";
  // A small amount has more digits in the list than in the total.
  const inList = async () => (await models.getByRole("link", { name: /sonnet/ }).textContent()) ?? "";
  await expect.poll(async () => `$${Number((await inList()).split("$")[1]).toFixed(2)}`).toBe(narrowed);
  await expect(page.getByRole("region", { name: "By model" }).getByRole("row")).toHaveCount(3);
  await page.reload();
  await expect(total).toHaveText(narrowed);

  // What nobody knows is not nothing.
  await models.getByRole("link", { name: /qwen/ }).click();
  await expect(page.getByRole("region", { name: "Spend over time" })).toContainText(/calls? unpriced/);
  await expect(total).toHaveText("–");
  await page.goBack();
  await page.getByRole("list", { name: "Filters" }).getByRole("link").click();
  await expect(page).toHaveURL(/\/costs$/);
  await expect(total).toHaveText(before ?? "");

  // Exports hold the same sum.
  await page.getByRole("button", { name: "Export", exact: true }).click();
  const csv = await download(page, "CSV, by day");
  const [head = "", ...lines] = csv.toString("utf8").trim().split("\r\n");
  expect(head).toContain("day,model,input");
  const cost = head.split(",").indexOf("cost_usd");
  const sum = lines.reduce((all, line) => all + Number(line.split(",")[cost]), 0);
  expect(`$${sum.toFixed(2)}`).toBe(before);
  await page.getByRole("button", { name: "Export", exact: true }).click();
  const json: unknown = JSON.parse((await download(page, "JSON, by day")).toString("utf8"));
  const { total: all } = json as { total: { cost_usd: number } };
  expect(`$${all.cost_usd.toFixed(2)}`).toBe(before);
  await page.getByRole("button", { name: "Export", exact: true }).click();
  const png = await download(page, "PNG of the chart");
  expect(png.subarray(1, 4).toString()).toBe("PNG");

  // By agent, in a range of one's own: one day by the hour, and years without leaving anything out.
  await page.getByRole("navigation", { name: "Stack by" }).getByRole("link", { name: "Agent" }).click();
  await expect(page).toHaveURL(/\/costs\?by=worker$/);
  await expect(page.getByRole("list", { name: "Legend" })).toContainText("codex");
  await expect(page.getByRole("region", { name: "By agent" })).toContainText("gemini");
  await expect(total).toHaveText(before ?? "");
  const choose = async (from: string, to: string): Promise<void> => {
    await page.getByRole("button", { name: /^Custom|^\d{4}-/ }).click();
    await page.getByLabel("From", { exact: true }).fill(from);
    await page.getByLabel("To", { exact: true }).fill(to);
    await page.getByRole("button", { name: "Show", exact: true }).click();
    await expect(page).toHaveURL(new RegExp(`from=${from}&to=${to}`));
  };
  const today = await page.evaluate(() => new Date().toLocaleDateString("sv"));
  await choose("2020-01-01", today);
  await expect(total).toHaveText(before ?? "");
  await choose(today, today);
  await expect(total).not.toHaveText(before ?? "");
  await page.goto(`${server.url}/costs`);

  // [P300] Will it be exceeded? Without a budget, one is offered where the question comes up.
  const strip = page.getByRole("region", { name: "Budgets" });
  await expect(strip).toContainText("No budgets");
  await strip.getByRole("button", { name: "Create budget" }).click();
  const dialog = page.getByRole("dialog", { name: "New budget" });
  await dialog.getByLabel("Name").fill("Tight");
  await dialog.getByRole("textbox", { name: "Limit" }).fill("0.5");
  await dialog.getByRole("button", { name: "Create" }).click();
  const tile = strip.getByRole("listitem").filter({ hasText: "Tight" });
  await expect(tile).toContainText(/of \$0\.5000 a month.*Limit reached.*Forecast \$.*Resets in/);
  await expect(tile.getByRole("meter")).toHaveAttribute("data-budget-state", "over");
  // [P301] Its scope is that of this view.
  const legend = page.getByRole("list", { name: "Legend" });
  await expect(legend).toContainText("Tight: limit $0.5000 a month");
  // [P303] A click beside the name does the same as one on it.
  await tile.click({ position: { x: 8, y: 8 } });
  await expect(page).toHaveURL(/\/costs\?from=\d{4}-\d{2}-01&to=/);
  await expect(legend).toContainText("Tight: limit");
  await models.getByRole("link", { name: /sonnet/ }).click();
  await expect(legend).not.toContainText("Tight");
  expect(await violations(page)).toEqual([]);
  await page.goto(`${server.url}/costs`);

  // Down to the turn.
  const turn = page.getByRole("region", { name: "Most expensive turns" }).getByRole("row").nth(1);
  const spent = (await turn.getByRole("cell").last().textContent()) ?? "";
  await turn.click({ position: { x: 700, y: 8 } });
  await expect(page).toHaveURL(/\/sessions\/.+at=/);
  await expect(transcript(page).locator(".linked")).toBeInViewport();
  await expect(transcript(page)).toContainText(spent);

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${server.url}/costs?range=7d&by=cwd`);
  await expect(total).toContainText("$");
  await expect(page.getByRole("region", { name: "By project" })).toContainText("billing");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  expect(await violations(page)).toEqual([]);
});

async function download(page: import("@playwright/test").Page, item: string): Promise<Buffer> {
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: item }).click(),
  ]);
  return readFileSync(await file.path());
}
