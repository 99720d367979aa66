// While the agent works: steer or queue, retries that can be stopped, how hard it thinks, and what it does by
// itself. Against the built-in worker and the fake model.
import type { Locator } from "@playwright/test";
import { violations } from "./axe.ts";
import { composer, expect, prompt, test, transcript, turnEnds } from "./story.ts";

test("steering reaches the running turn, queueing waits for its end", async ({ session: page, model }) => {
  model.reply({ text: ["One ", "two"], hangAfterChunks: 1 }, { text: "Steered." }, { text: "Queued." });
  await prompt(page, "Count");
  await expect(transcript(page)).toContainText("One");
  await composer(page).fill("then stop counting");
  await page.getByRole("button", { name: "Queue" }).click();
  await expect(page.getByRole("region", { name: "Queue" })).toContainText("then stop counting");
  await composer(page).fill("count backwards");
  await page.getByRole("button", { name: "Steer" }).click();
  await expect(page.getByRole("region", { name: "Queue" })).toContainText("Steeringcount backwards");
  model.release();
  await expect(transcript(page).getByText("Queued.")).toBeVisible();
  const prompts = page.getByRole("article", { name: "Your prompt" });
  await expect(prompts).toHaveText([/Count/, /steering.*count backwards/s, /then stop counting/]);
  await expect(turnEnds(page, "end")).toHaveCount(2);
});

test("Ctrl+Enter steers", async ({ session: page, model }) => {
  model.reply({ text: ["One ", "two"], hangAfterChunks: 1 }, { text: "Steered." });
  await prompt(page, "Count");
  await expect(transcript(page)).toContainText("One");
  await composer(page).fill("backwards");
  await composer(page).press("Control+Enter");
  await expect(page.getByRole("region", { name: "Queue" })).toContainText("Steeringbackwards");
  model.release();
  await expect(transcript(page).getByText("Steered.")).toBeVisible();
  await expect(turnEnds(page, "end")).toHaveCount(1);
});

test("a retry counts down, can be stopped, and leaves a line", async ({ session: page, model }) => {
  const overloaded = { status: 529, headers: { "retry-after": "50" } };
  model.reply(overloaded);
  await prompt(page, "Hello");
  const waiting = page.locator('[data-retry="waiting"]');
  await expect(waiting.getByRole("timer")).toHaveText(/Retrying in \d+ s/);
  await expect(waiting).toContainText(/attempt 1 of \d/);
  await page.reload();
  await expect(waiting).toBeVisible();
  await waiting.getByRole("button", { name: "Stop retrying" }).click();
  await expect(turnEnds(page, "error")).toBeVisible();
  await expect(page.locator('[data-retry="failed"]')).toBeVisible();
  model.reply({ status: 529, headers: { "retry-after": "0" } }, { text: "Better now." });
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(transcript(page).getByText("Better now.")).toBeVisible();
  await expect(page.locator('[data-retry="succeeded"]')).toBeVisible();
});

test("[P205] how hard it thinks is the same on every screen, and survives the worker", async ({
  session: page,
  context,
}) => {
  const other = await context.newPage();
  await other.goto(page.url());
  await page.bringToFront(); // a page in the background draws once a second, and every click waits for two frames
  await page.getByRole("button", { name: /^Thinking: / }).click();
  await page.getByRole("menuitemradio", { name: "High", exact: true }).click();
  await expect(other.getByRole("button", { name: "Thinking: High" })).toBeVisible();
  await prompt(page, "Hello");
  await expect(turnEnds(page, "end")).toBeVisible();
  await page.getByRole("button", { name: "Session menu" }).click();
  await page.getByRole("menuitem", { name: "Shut down the agent" }).click();
  // [P205] A stopped session keeps its controls, also after a reload, and says what applies at the next prompt.
  await expect(page.getByText("These settings apply at the next prompt.")).toBeVisible();
  await page.reload();
  await expect(page.getByText("These settings apply at the next prompt.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Thinking: High" })).toBeVisible();
  for (const name of [/^Approvals: /, /^Modes/])
    await expect(page.getByRole("button", { name })).toBeVisible();
  await composer(page).fill("!echo by hand");
  await expect(page.getByRole("button", { name: "Run command" })).toBeVisible();
  await composer(page).fill("/");
  await expect(page.getByRole("option").first()).toBeVisible();
  await composer(page).fill("");
  await prompt(page, "Again");
  await expect(turnEnds(page, "end")).toHaveCount(2);
  await expect(page.getByRole("button", { name: "Thinking: High" })).toBeVisible();
});

test("what it does by itself is switched in the menu", async ({ session: page }) => {
  await page.getByRole("button", { name: "Session menu" }).click();
  const retry = page.getByRole("menuitemcheckbox", { name: "Retry failed model calls" });
  await expect(retry).toBeChecked();
  await retry.click();
  await expect(retry).not.toBeChecked();
  await expect(page.getByRole("menuitemcheckbox", { name: "Compact when nearly full" })).toBeChecked();
});

test("[P242] [P243] [P244] approvals: the whole command, one key for each answer, and what is always allowed", async ({
  session: page,
  model,
}) => {
  await page.getByRole("button", { name: "Approvals: Don't ask" }).click();
  await page.getByRole("menuitemradio", { name: /^Ask first/ }).click();
  await expect(page.getByRole("button", { name: "Approvals: Ask first" })).toBeVisible();
  const run = (command: string) => ({ text: "I run it.", toolCalls: [{ name: "bash", args: { command } }] });
  const long = `echo begin\n${"# more\n".repeat(30)}echo the end`;
  model.reply(run("rm -r build"), run("rm -r dist"), run(long), run("echo 1"), run("echo 2"), {
    text: "Done.",
  });
  await prompt(page, "Clean up");
  const card = page.getByRole("region", { name: "The agent asks" });
  const row = transcript(page).locator("[data-tool=bash]");
  /** Keys in the first moment were meant for another place. */
  const press = (key: string, then: Locator): Promise<void> =>
    expect(async () => {
      if (!(await then.isVisible())) {
        await card.focus();
        await page.keyboard.press(key);
      }
      await expect(then).toBeVisible({ timeout: 1_000 });
    }).toPass();
  await expect(card).toContainText("rm -r build");
  await expect(row).toContainText("waiting for you");
  await expect(page.getByText("rm -r build")).toHaveCount(1);
  await expect(card).toBeFocused();
  await press("n", card.getByText("rm -r dist"));
  await expect(row.first()).toContainText("denied");
  await expect(transcript(page)).toContainText("You denied this");

  await composer(page).fill("and th");
  await card.getByRole("button", { name: "Give a reason…" }).click();
  await page.getByRole("textbox", { name: "Reason for the denial" }).fill("move it to the bin");
  await page.keyboard.press("Enter");
  await expect(card).toContainText("echo begin");
  expect(JSON.stringify(model.requests.at(-1)?.toolResults)).toContain("move it to the bin");
  await composer(page).press("End");
  await composer(page).pressSequentially("en");
  await expect(composer(page)).toHaveValue("and then"); // who types is not interrupted

  await page.reload();
  await expect(card).not.toContainText("the end");
  await expect(card.getByRole("button", { name: "Allow once" })).toBeDisabled();
  await card.getByRole("button", { name: "Show all 32 lines" }).click();
  await expect(card).toContainText("the end");
  await press("y", card.getByText("echo 1"));
  await expect(transcript(page)).toContainText("You allowed once");
  const prefix = card.getByRole("radio", { name: /^Commands that begin with/ });
  await press("a", prefix);
  await prefix.check();
  await card.getByRole("combobox", { name: "First words" }).selectOption("echo");
  await card.getByRole("radio", { name: /^This directory/ }).check();
  await page.keyboard.press("Enter");
  await expect(transcript(page).getByText("Done.")).toBeVisible();
  await expect(transcript(page)).toContainText("Allowed by a standing permission");

  await page.getByRole("button", { name: /^Approvals: / }).click();
  await page.getByRole("menuitem", { name: "Standing permissions…" }).click();
  const list = page.getByRole("dialog", { name: "Standing permissions" });
  await expect(list.getByRole("listitem")).toContainText(["echo …"]);
  expect(await violations(page)).toEqual([]);
  await list.getByRole("button", { name: /^Revoke/ }).click();
  await expect(list).toContainText("Nothing is always allowed");
});
