// Discounts and the display currency: set on the page, seen in what calls cost.
import { fixtureWorker, startServer } from "../testing/src/server-process.ts";
import { violations } from "./axe.ts";
import { cost, expect, prompt, test, turnEnds } from "./story.ts";

test("[U133] set a discount and a currency: the next call costs less, and amounts are shown in euros", async ({
  page,
}) => {
  await using server = await startServer({
    config: { default_worker: "actor", workers: { actor: { command: fixtureWorker("actor") } } },
  });
  const { session } = (await server.call("POST", "/api/sessions", { worker: "actor" })).body as {
    session: { id: string };
  };
  await page.goto(await server.loginUrl());
  await page.getByRole("link", { name: /^Costs/ }).click();
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: "Discounts and currency" }).click();
  await expect(page).toHaveURL(/\/costs\/settings$/);
  await expect(page.getByText("No discounts.")).toBeVisible();
  expect(await violations(page)).toEqual([]);

  await page.getByRole("button", { name: "Add discount" }).click();
  await expect(page.getByRole("alert")).toContainText("Enter a provider and model");
  await page.getByLabel("Provider and model").fill("*");
  await page.getByLabel("Discount in percent").fill("25");
  await page.getByRole("button", { name: "Add discount" }).click();
  await expect(page.getByRole("list", { name: "Discounts" })).toContainText("25 % off");

  await page.getByLabel("Currency code").fill("eur");
  await page.getByLabel("One US dollar is").fill("0");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Enter what one US dollar is worth")).toBeVisible();
  await page.getByLabel("One US dollar is").fill("0,5");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("button", { name: "Show US dollars" })).toBeVisible();
  expect(await violations(page)).toEqual([]);

  // 8 cents at list price are 6 with the discount, and 3 cents of euros.
  await page.goto(`${server.url}/sessions/${session.id}`);
  await prompt(page, "usage 10 1 0.08");
  await expect(turnEnds(page)).toHaveCount(1);
  await expect(cost(page)).toHaveText("≈\u00a0€0.0300");
  await page.goto(`${server.url}/costs`);
  await expect(page.locator("[data-range-total]")).toHaveText("≈\u00a0€0.0300");

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${server.url}/costs/settings`);
  await page.getByRole("button", { name: "Show US dollars" }).click();
  await expect(page.getByRole("button", { name: "Show US dollars" })).toHaveCount(0);
  await page.getByRole("button", { name: "Delete the discount for *" }).click();
  await expect(page.getByText("No discounts.")).toBeVisible();
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.goto(`${server.url}/costs`);
  await expect(page.locator("[data-range-total]")).toHaveText("$0.0600");
});
