// Going back: an earlier prompt is written anew, both ways on are kept and can be walked. And a person's own
// commands, which the agent then knows of.
import { fixtureWorker, startServer } from "../testing/src/server-process.ts";
import { composer, expect, prompt, startSession, test, transcript, turnEnds } from "./story.ts";

test("an earlier prompt is edited, and both branches can be walked", async ({ session: page, model }) => {
  model.reply({ text: "Blue it is." }, { text: "Nice." }, { text: "Green it is." });
  await prompt(page, "Paint it blue");
  await expect(turnEnds(page, "end")).toHaveCount(1);
  await prompt(page, "Thanks");
  await expect(turnEnds(page, "end")).toHaveCount(2);
  const first = page.getByRole("article", { name: "Your prompt" }).first();
  await first.hover();
  await first.getByRole("button", { name: "Edit prompt" }).click();
  // [P268] Nothing has happened before it is sent, and Esc takes it back.
  const field = first.getByRole("textbox", { name: "Edited message" });
  await expect(field).toBeFocused();
  await expect(field).toHaveValue("Paint it blue");
  await expect(transcript(page)).toContainText("Nice.");
  await field.fill("Paint it red");
  await field.press("Escape");
  await expect(first).toContainText("Paint it blue");
  await expect(page.getByRole("group", { name: "Branches" })).toHaveCount(0);
  await first.hover();
  await first.getByRole("button", { name: "Edit prompt" }).click();
  await field.fill("Paint it green");
  await field.press("Enter");
  await expect(transcript(page)).toContainText("Green it is.");
  const walk = page.getByRole("group", { name: "Branches" });
  await expect(walk).toContainText("2 of 2");
  await walk.getByRole("button", { name: "Earlier branch" }).click();
  await expect(transcript(page)).toContainText("Nice.");
  await expect(transcript(page)).not.toContainText("Green it is.");
  await page.reload();
  await expect(walk).toContainText("1 of 2");
  await walk.getByRole("button", { name: "Later branch" }).click();
  await expect(transcript(page)).toContainText("Green it is.");
  // What a search finds on the way that was left is shown once somebody goes there.
  await page.goto(new URL("/search?q=blue", page.url()).href);
  await page.getByRole("link", { name: /^Answer.*Blue it is/ }).click();
  await page.getByRole("button", { name: "Show branch" }).click();
  await expect(transcript(page).locator(".linked")).toContainText("Blue it is.");
});

test("[Y12] where the worker cannot walk branches, none are offered", async ({ page }) => {
  const workers = { actor: { command: fixtureWorker("actor") } };
  await using server = await startServer({ config: { default_worker: "actor", workers } });
  await page.goto(await server.loginUrl());
  await startSession(page);
  const time = new Date().toISOString();
  const frames = [
    { type: "text_delta", delta: "One way." },
    { type: "branched", branch: "other", from: "main", entry_id: null, time },
    { type: "user_message", content: [{ type: "text", text: "Go another way" }], time },
    { type: "text_delta", delta: "Another way." },
  ];
  await prompt(page, `frames ${JSON.stringify(frames)}`);
  await expect(transcript(page)).toContainText("Another way.");
  await expect(transcript(page)).not.toContainText("One way.");
  await expect(turnEnds(page, "end")).toBeVisible();
  await expect(page.getByRole("group", { name: "Branches" })).toHaveCount(0);
});

test("a person's own command runs beside the agent, and the agent is told", async ({
  session: page,
  model,
}) => {
  await composer(page).fill("!printf 'by-%s' hand");
  await expect(page.getByRole("button", { name: "Run command" })).toBeEnabled();
  await composer(page).press("Enter");
  const card = page.getByRole("article", { name: "Your command" });
  await expect(card.getByRole("group", { name: "Output" })).toHaveText("by-hand");
  await expect(card).toContainText("done");
  model.reply({ text: "I see." });
  await prompt(page, "What did I run?");
  await expect(turnEnds(page, "end")).toBeVisible();
  expect(JSON.stringify(model.requests.at(-1))).toContain("by-hand");
  await page.reload();
  await expect(card.getByRole("group", { name: "Output" })).toHaveText("by-hand");
});

test("a person's own command shows its output while it runs, and can be stopped", async ({
  session: page,
}) => {
  await composer(page).fill("!echo begun; sleep 600");
  await expect(page.getByRole("button", { name: "Run command" })).toBeEnabled();
  await composer(page).press("Enter");
  const card = page.getByRole("article", { name: "Your command" });
  await expect(card.getByRole("group", { name: "Output" })).toHaveText("begun");
  await card.getByRole("button", { name: "Stop the command" }).click();
  await expect(card).toContainText("stopped");
});
