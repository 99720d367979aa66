// Budgets as a person meets them: made on their page, warned and stopped in the session, and more granted there.
import { violations } from "./axe.ts";
import { composer, expect, prompt, test, transcript, turnEnds } from "./story.ts";

test.use({ worker: "actor" });

test("a budget is made, warns, stops, and is granted more where it stopped", async ({ session: page }) => {
  const address = page.url();
  await page.goto(new URL("/costs/budgets", address).href);
  await page.getByRole("button", { name: "Create budget" }).click();
  const dialog = page.getByRole("dialog", { name: "New budget" });
  await dialog.getByRole("button", { name: "Create" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Enter a name");
  await dialog.getByLabel("Name").fill("Trial");
  await dialog.getByRole("textbox", { name: "Limit" }).fill("1");
  await dialog.getByRole("button", { name: "Create" }).click();
  const row = page.getByRole("listitem").filter({ hasText: "Trial" });
  await expect(row).toContainText("Everything · $1.00 a month");
  await expect(row).toContainText("$0.00 of $1.00");

  await page.goto(address);
  await prompt(page, "usage 10 1 0.9");
  await expect(turnEnds(page)).toHaveCount(1);
  const bar = page.getByRole("region", { name: "Budget" });
  await expect(bar).toContainText("Trial $0.9000 of $1.00 a month");
  await expect(transcript(page)).toContainText('The budget "Trial" is at 90 %');

  await prompt(page, "usage 10 1 0.2");
  await expect(bar).toContainText("Limit reached: Trial $1.10 of $1.00");
  await expect(transcript(page)).toContainText('Stopped: the budget "Trial" has reached its limit');
  await prompt(page, "usage 10 1 0.1");
  await expect(page.getByRole("form", { name: "Prompt" }).getByRole("alert")).toContainText("Not started");
  await expect(composer(page)).toHaveValue("usage 10 1 0.1");
  expect(await violations(page)).toEqual([]);

  await bar.getByRole("button", { name: "Raise or grant more" }).click();
  const grant = page.getByRole("dialog", { name: "More for “Trial”" });
  await grant.getByLabel("Extra amount").fill("4");
  await grant.getByLabel("Reason").fill("a release");
  await grant.getByRole("button", { name: "Grant", exact: true }).click();
  await expect(bar).toBeHidden();
  await expect(transcript(page)).toContainText("$4.00 more was granted");
  await composer(page).press("Enter");
  await expect(turnEnds(page)).toHaveCount(3);

  await page.goto(new URL("/costs/budgets", address).href);
  await expect(row).toContainText("$1.20 of $5.00");
  await expect(row).toContainText("$4.00 granted");
  expect(await violations(page)).toEqual([]);

  // Less room needs no reason, more does.
  const edit = page.getByRole("dialog", { name: "Budget “Trial”" });
  await row.getByRole("button", { name: "Actions for Trial" }).click();
  await page.getByRole("menuitem", { name: "Edit…" }).click();
  await expect(edit.getByLabel("Reason")).toBeHidden();
  await edit.getByRole("textbox", { name: "Limit" }).fill("3");
  await edit.getByRole("button", { name: "Save" }).click();
  await expect(edit.getByRole("alert")).toContainText("Enter a reason");
  await edit.getByLabel("Reason").fill("two releases");
  await edit.getByRole("button", { name: "Save" }).click();
  await expect(row).toContainText("$1.20 of $7.00");

  await row.getByRole("button", { name: "Actions for Trial" }).click();
  await page.getByRole("menuitem", { name: "Delete…" }).click();
  const gone = page.getByRole("dialog", { name: "Delete “Trial”?" });
  await gone.getByRole("button", { name: "Delete" }).click();
  await expect(gone.getByRole("alert")).toContainText("reason");
  await gone.getByLabel("Reason").fill("the trial is over");
  await gone.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByRole("heading", { name: "No budgets" })).toBeVisible();
});
