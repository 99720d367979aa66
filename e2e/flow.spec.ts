// While the agent works: steer or queue, retries that can be stopped, how hard it thinks, and what it does by
// itself. Against the built-in worker and the fake model.
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
  await expect(waiting.getByRole("timer")).toHaveText(/again in \d+ s/);
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

test("with approvals, a command waits for the person, whose reason the model reads", async ({
  session: page,
  model,
}) => {
  await page.getByRole("button", { name: "Approvals: Don't ask" }).click();
  await page.getByRole("menuitemradio", { name: /^Ask first/ }).click();
  await expect(page.getByRole("button", { name: "Approvals: Ask first" })).toBeVisible();
  const run = (command: string) => ({ text: "I run it.", toolCalls: [{ name: "bash", args: { command } }] });
  model.reply(run("rm -r build"), run("echo allowed"), { text: "Done." });
  await prompt(page, "Clean up");
  const card = page.getByRole("region", { name: "The agent asks" });
  await expect(card).toContainText("rm -r build");
  await card.getByRole("button", { name: "Deny" }).click();
  await page.getByRole("textbox", { name: /^Why not/ }).fill("move it to the bin");
  await page.keyboard.press("Enter");
  await expect(card).toContainText("echo allowed");
  expect(JSON.stringify(model.requests.at(-1)?.toolResults)).toContain("move it to the bin");
  await page.reload();
  await card.getByRole("button", { name: "Allow once" }).click();
  await expect(transcript(page).getByText("Done.")).toBeVisible();
  await expect(transcript(page)).toContainText("Deny: move it to the bin");
});
