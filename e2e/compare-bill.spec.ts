// What the provider counted beside what Patchbay recorded: files of a usage and a cost export, dropped and chosen.
import { SqliteStore } from "../apps/server/src/store/sqlite/sqlite-store.ts";
import { startServer } from "../testing/src/server-process.ts";
import { violations } from "./axe.ts";
import { expect, test } from "./story.ts";

const usage = [
  "usage_date_utc,model_version,api_key,workspace,usage_type,context_window,usage_input_tokens_no_cache,usage_input_tokens_cache_write_5m,usage_input_tokens_cache_write_1h,usage_input_tokens_cache_read,usage_output_tokens,web_search_count,inference_geo,speed",
  "2026-11-10,claude-sonnet-4-5-20250929,key,Default,standard,≤ 200k,1000,200,50,4000,300,0,global,",
  "2026-11-11,claude-sonnet-4-5-20250929,key,Default,standard,≤ 200k,9000,0,0,0,100,0,global,",
  "2026-11-11,claude-haiku-4-5-20251001,ci,Default,standard,≤ 200k,700,0,0,0,30,0,global,",
].join("\r\n");
const cost = [
  "usage_date_utc,model,workspace,api_key,usage_type,context_window,token_type,cost_usd,list_price_usd,cost_type,inference_geo,speed",
  "2026-11-10,Claude Sonnet 4.5,Default,key,message,≤ 200k,input_no_cache,0.05,0.05,token,global,",
  "2026-11-11,Claude Sonnet 4.5,Default,key,message,≤ 200k,output,2.25,2.25,token,global,",
].join("\n");

test("[U113] compare a usage export with the ledger, add the costs, and see what only one side has", async ({
  page,
}) => {
  await using server = await startServer({
    prepare: async (home) => {
      const store = await SqliteStore.open({ home, segmentBytes: 1_000, onWriteError: () => {} });
      const call = {
        ...{ session: "s", turn: 1, person: "", cwd: "/w", branch: "", worker: "builtin" },
        ...{ provider: "anthropic", thinking: 0, price: "worker" as const },
      };
      const sonnet = { ...call, model: "claude-sonnet-4-5" };
      await store.record([
        {
          ...{ ...sonnet, seq: 1, time: "2026-11-10T12:00:00.000Z", cost_nanos: 50_000_000 },
          ...{ input: 1_000, output: 300, cache_read: 4_000, cache_write: 250 },
        },
        {
          ...{ ...sonnet, seq: 2, time: "2026-11-11T12:00:00.000Z", cost_nanos: 2_000_000_000 },
          ...{ input: 8_000, output: 100, cache_read: 0, cache_write: 0 },
        },
        {
          ...{ ...call, model: "claude-opus-4-8", seq: 3, time: "2026-11-11T12:00:00.000Z" },
          ...{ input: 50, output: 5, cache_read: 0, cache_write: 0, cost_nanos: 400_000_000 },
        },
      ]);
      await store.close();
    },
  });
  await page.goto(await server.loginUrl());
  await page.getByRole("link", { name: /^Costs/ }).click();
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: "Compare with a bill" }).click();
  await expect(page).toHaveURL(/\/costs\/compare$/);
  expect(await violations(page)).toEqual([]);

  // A file of another kind: what is expected.
  const chooser = page.locator('input[type="file"]');
  await chooser.setInputFiles({ name: "x.csv", mimeType: "text/csv", buffer: Buffer.from("a,b\n1,2\n") });
  await expect(page.getByRole("alert")).toContainText("These columns are of no known export: a, b.");

  // Dropped, as from a file manager.
  const dropped = await page.evaluateHandle((text) => {
    const files = new DataTransfer();
    files.items.add(new File([text], "usage.csv", { type: "text/csv" }));
    return files;
  }, usage);
  const title = page.getByRole("heading", { name: "Compare with a bill" });
  await title.dispatchEvent("dragover", { dataTransfer: dropped });
  await expect(page.getByText("Drop to compare")).toBeVisible();
  await title.dispatchEvent("drop", { dataTransfer: dropped });
  await expect(page.getByRole("alert")).toHaveCount(0);
  const rows = page.locator("tr[data-state]");
  await expect(rows).toHaveCount(4);
  await expect(page.getByRole("row", { name: /claude-haiku-4-5.*Only Anthropic has it/ })).toContainText(
    "+730",
  );
  await expect(page.getByRole("row", { name: /claude-opus-4-8.*Only Patchbay has it/ })).toContainText(
    "−$0.4000",
  );
  await expect(page.getByRole("region", { name: "Anthropic says" })).toContainText("Not in this file");
  await expect(page.getByRole("region", { name: "Patchbay recorded" })).toContainText("$2.45");

  // The money of the same days.
  await chooser.setInputFiles({ name: "cost.csv", mimeType: "text/csv", buffer: Buffer.from(cost) });
  await expect(page.getByRole("region", { name: "Anthropic says" })).toContainText("$2.30");
  const differing = page.getByRole("row", { name: /Nov 11 claude-sonnet-4-5.*Differs/ });
  await expect(differing).toContainText("+1,000");
  await expect(differing).toContainText("+$0.2500");
  await page.getByRole("button", { name: /^Differences/ }).click();
  await expect(rows).toHaveCount(1);
  expect(await violations(page)).toEqual([]);

  await page.setViewportSize({ width: 390, height: 844 });
  await expect(differing).toContainText("+$0.2500");
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});
