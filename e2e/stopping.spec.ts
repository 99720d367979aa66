// Stop stops: what waits waits, a worker that is being started counts, and a question is no reason not to.
import { composer, expect, prompt, startSession, state, test, transcript, turnEnds } from "./story.ts";

test.use({ worker: "actor" });

const queue = (page: import("@playwright/test").Page) => page.getByRole("region", { name: "Queue" });

test("[C38] one Esc stops everything: what was queued waits until it is wanted", async ({
  session: page,
}) => {
  await prompt(page, "hang");
  await expect(transcript(page)).toContainText("waiting");
  for (const text of ["say one", "say two", "say three"]) await prompt(page, text);
  await expect(queue(page).getByRole("listitem")).toHaveCount(3);
  await page.keyboard.press("Escape");
  await expect(turnEnds(page, "aborted")).toHaveCount(1);
  await expect(page.getByRole("form", { name: "Prompt" })).toContainText("Stopped.");
  await expect(queue(page)).toContainText("Queue paused · 3 prompts");
  await expect(state(page, "idle")).toBeVisible();
  await prompt(page, "say instead");
  await expect(transcript(page)).toContainText("instead");
  await expect(turnEnds(page)).toHaveCount(2);
  await expect(queue(page)).toContainText("Queue paused · 3 prompts");
  await page.getByRole("button", { name: "Run now" }).click();
  await expect(turnEnds(page)).toHaveCount(5);
  await expect(queue(page)).toBeHidden();
});

test("[C38] Esc stops the agent while it asks from a long list", async ({ session: page }) => {
  const options = Array.from({ length: 12 }, (_, index) => `branch-${index}`);
  await prompt(page, `question ${JSON.stringify({ method: "select", title: "Which?", options })}`);
  await expect(page.getByRole("listbox", { name: "Which?" })).toBeVisible();
  await composer(page).focus();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("form", { name: "Prompt" })).toContainText(/Stopp(ing…|ed\.)/);
});

test.describe("a worker that does not start", () => {
  test.use({ worker: "silent" });

  test("[C38] a prompt is stopped while its worker is still being started, and its words come back", async ({
    page,
    server,
  }) => {
    await page.goto(await server.loginUrl());
    await startSession(page);
    await prompt(page, "Never mind");
    await expect(page.getByRole("button", { name: "Stop", exact: true })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("form", { name: "Prompt" })).toContainText("Stopping…");
    // This one never starts, which the server waits for; what was written is not lost.
    await expect(composer(page)).toHaveValue("Never mind", { timeout: 30_000 });
  });
});
